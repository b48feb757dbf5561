//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

func init() {
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT) {
		implementations = append(implementations, implementation{
			name:            AVX2,
			classify:        classifyAVX2,
			prefetch:        prefetchAVX2,
			deviationMaxima: deviationMaximaAVX2,
			planeMaxima:     planeMaximaAVX2,
			ascending64:     ascending64AVX2,
			ascending32:     ascending32AVX2,
		})
	}
}
