//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

// Every extension that the assembly of a path uses is asked for, not one that
// stands for others.
var (
	useAVX512 = wanted(AVX512) && cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT,
		cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512CD, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ)
	useAVX2 = !useAVX512 && wanted(AVX2) && cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT)
	path    = choosePath()
)

func choosePath() string {
	switch {
	case useAVX512:
		return AVX512
	case useAVX2:
		return AVX2
	default:
		return Generic
	}
}
