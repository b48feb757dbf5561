//go:build !linux

package atomicfile

// Create implements [System].
func (OS) Create(path string) (File, error) { return createNamed(path) }
