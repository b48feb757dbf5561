//go:build !purego

package kernels

var useNEON = path == NEON

// availablePaths returns the paths of this CPU, the best one last. Every arm64
// CPU has the vector instructions that the kernels use.
func availablePaths() []string { return []string{Generic, NEON} }
