//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

// This file chooses the form of each kernel that the CPU has instructions for.

var useAVX2 = path == AVX2

// availablePaths returns the paths of this CPU, the best one last. Every
// extension that the assembly of a path uses is asked for, not one that stands
// for others.
func availablePaths() []string {
	paths := []string{Generic}
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT) {
		paths = append(paths, AVX2)
	}
	return paths
}

func classify(src, lower []byte, masks []uint64, class Class) bool {
	if useAVX2 {
		return classifyAVX2(src, lower, masks, class)
	}
	return classifyGeneric(src, lower, masks, class)
}

func prefetch(data []byte) {
	if useAVX2 {
		prefetchAVX2(data)
	} else {
		prefetchGeneric(data)
	}
}

func deviationMaxima(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool {
	if useAVX2 {
		return deviationMaximaAVX2(dst, start, classes, a, of, table, n, form)
	}
	return deviationMaximaGeneric(dst, start, classes, a, of, table, n, form)
}

// planeColumns is the least number of columns that planeMaximaAVX2 takes.
const planeColumns = 8

func planeMaxima(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	if useAVX2 && len(dst) >= planeColumns {
		planeMaximaAVX2(dst, df, counts, stride, first, planes, table, n, form)
	} else {
		planeMaximaGeneric(dst, df, counts, stride, first, planes, table, n, form)
	}
}

func hasPlanes() bool { return useAVX2 }

// The forms of ascending take one value more than a vector.

func ascending64(values []int64) bool {
	if useAVX2 && len(values) > 4 {
		return ascending64AVX2(values)
	}
	return ascendingGeneric(values)
}

func ascending32(values []int32) bool {
	if useAVX2 && len(values) > 8 {
		return ascending32AVX2(values)
	}
	return ascendingGeneric(values)
}
