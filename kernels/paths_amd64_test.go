//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

// The AVX2 form is tested on CPUs with AVX-512 too.
func init() {
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT) {
		implementations = append(implementations, implementation{
			name:            AVX2,
			countBitmap:     countBitmapAVX2,
			countArray:      countArrayAVX2,
			countEnds:       countEndsAVX2,
			maxDeviation:    maxDeviationAVX2,
			occupied:        occupiedAVX2,
			atLeast:         atLeastAVX2,
			sumSegments:     sumSegmentsAVX2,
			sumByteSegments: sumByteSegmentsAVX2,
		})
	}
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT,
		cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512CD, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ) {
		implementations = append(implementations, implementation{
			name:            AVX512,
			countBitmap:     countBitmapAVX512,
			countArray:      countArrayAVX512,
			countEnds:       countEndsAVX512,
			maxDeviation:    maxDeviationAVX512,
			occupied:        occupiedAVX512,
			atLeast:         atLeastAVX512,
			sumSegments:     sumSegmentsAVX512,
			sumByteSegments: sumByteSegmentsAVX512,
		})
	}
}
