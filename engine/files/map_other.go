//go:build !unix

package files

import (
	"errors"
	"os"
)

// Map returns [errors.ErrUnsupported]: files cannot be mapped on this system.
func Map(*os.File, int, bool) ([]byte, error) { return nil, errors.ErrUnsupported }

// Unmap does nothing.
func Unmap([]byte) error { return nil }

// mapRoom returns an error: there is no memory outside of the heap.
func mapRoom(int) ([]byte, error) { return nil, errors.ErrUnsupported }
