//go:build !purego

package kernels

// This file takes the NEON form of a kernel or the pure Go one, for those that have a NEON form.

var useNEON = path == NEON

// availablePaths returns the paths of this CPU, the best one last. Every arm64
// CPU has the vector instructions that the kernels use.
func availablePaths() []string { return []string{Generic, NEON} }

func classify(src, lower []byte, masks []uint64, class Class) bool {
	if useNEON {
		return classifyNEON(src, lower, masks, class)
	}
	return classifyGeneric(src, lower, masks, class)
}
