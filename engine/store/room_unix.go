//go:build unix

package store

import "syscall"

// mapRoom returns zeroed memory that belongs to no file and takes no room before it is
// written. files.Unmap releases it.
func mapRoom(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}
