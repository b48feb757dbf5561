//go:build purego || !(amd64 || arm64)

package kernels

// availablePaths returns the one path of a build without assembly.
func availablePaths() []string { return []string{Generic} }
