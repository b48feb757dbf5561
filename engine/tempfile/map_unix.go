//go:build unix

package tempfile

import (
	"os"
	"syscall"
)

// Map maps the first size bytes of a file that is not empty, for reading or for writing,
// too. [Unmap] gives them back.
func Map(f *os.File, size int, write bool) ([]byte, error) {
	access := syscall.PROT_READ
	if write {
		access |= syscall.PROT_WRITE
	}
	return syscall.Mmap(int(f.Fd()), 0, size, access, syscall.MAP_SHARED)
}

// Unmap gives back what was mapped.
func Unmap(data []byte) error { return syscall.Munmap(data) }
