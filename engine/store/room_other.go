//go:build !unix

package store

import "errors"

// mapRoom reports that there is no memory but the heap.
func mapRoom(int) ([]byte, error) { return nil, errors.ErrUnsupported }
