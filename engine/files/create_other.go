//go:build !linux

package files

// Create implements [System].
func (OS) Create(path string) (File, error) { return createNamed(path) }
