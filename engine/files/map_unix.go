//go:build unix

package files

import (
	"os"
	"syscall"
)

// mapFile maps the first size bytes of a file, which must not be empty, into memory: for
// reading or, if write is set, also for writing. [unmap] releases them.
func mapFile(f *os.File, size int, write bool) ([]byte, error) {
	access := syscall.PROT_READ
	if write {
		access |= syscall.PROT_WRITE
	}
	return syscall.Mmap(int(f.Fd()), 0, size, access, syscall.MAP_SHARED)
}

// unmap releases memory that mapFile returned.
func unmap(data []byte) error { return syscall.Munmap(data) }

// mapRoom returns zeroed memory that belongs to no file and takes no room before it is
// written. [unmap] releases it.
func mapRoom(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}
