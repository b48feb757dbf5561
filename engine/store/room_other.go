//go:build !unix

package store

import "errors"

// mapRoom returns an error: there is no memory outside of the heap.
func mapRoom(int) ([]byte, error) { return nil, errors.ErrUnsupported }
