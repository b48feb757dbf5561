//go:build unix

package store

import "syscall"

// mapRoom gives memory that belongs to no file: zeros, which take none before they are
// written. tempfile.Unmap gives it back.
func mapRoom(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}
