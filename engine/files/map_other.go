//go:build !unix

package files

import (
	"errors"
	"os"
)

// mapFile returns [errors.ErrUnsupported]: files cannot be mapped on this system.
func mapFile(*os.File, int, bool) ([]byte, error) { return nil, errors.ErrUnsupported }

// unmap does nothing.
func unmap([]byte) error { return nil }

// mapRoom returns an error: there is no memory outside of the heap.
func mapRoom(int) ([]byte, error) { return nil, errors.ErrUnsupported }
