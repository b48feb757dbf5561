//go:build purego || !(amd64 || arm64)

package kernels

// This file takes the pure Go form of the kernels that have a NEON form;
// dispatch_portable.go has the others.

// availablePaths returns the one path of a build without assembly.
func availablePaths() []string { return []string{Generic} }

func classify(src, lower []byte, masks []uint64, class Class) bool {
	return classifyGeneric(src, lower, masks, class)
}
