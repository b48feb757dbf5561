//go:build !unix

package store

import (
	"errors"
	"os"
)

// mapBytes reports that files are not mapped here: they are read.
func mapBytes(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// mapWritable reports that files are not mapped here: the heap is used.
func mapWritable(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapBytes([]byte) error { return nil }
