//go:build unix

package store

import (
	"os"
	"syscall"
)

// mapBytes maps a file that is not empty for reading.
func mapBytes(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

// mapWritable maps a file that is not empty for writing.
func mapWritable(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unmapBytes(data []byte) error { return syscall.Munmap(data) }
