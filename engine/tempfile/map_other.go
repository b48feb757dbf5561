//go:build !unix

package tempfile

import (
	"errors"
	"os"
)

// Map reports that files are not mapped here.
func Map(*os.File, int, bool) ([]byte, error) { return nil, errors.ErrUnsupported }

// Unmap has nothing to give back.
func Unmap([]byte) error { return nil }
