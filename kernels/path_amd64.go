//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

var (
	useAVX512 = path == AVX512
	useAVX2   = path == AVX2
)

// availablePaths returns the paths of this CPU, the best one last. Every
// extension that the assembly of a path uses is asked for, not one that stands
// for others.
func availablePaths() []string {
	paths := []string{Generic}
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT) {
		paths = append(paths, AVX2)
	}
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.LZCNT,
		cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512CD, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512VBMI2) {
		paths = append(paths, AVX512)
	}
	return paths
}
