package files

import (
	"errors"
	"io/fs"
	"unsafe"
)

// This file keeps arrays that are too large for memory in temporary files that are
// mapped: their pages belong to the page cache of the system, not to the process.

// A Scratch allocates arrays: in mapped files if memory is bounded, else on the heap.
type Scratch struct {
	System TemporarySystem
	Dir    string
	Mapped bool
	files  []Temporary
	data   [][]byte
}

// Room returns an array of n elements, which must not hold pointers.
func Room[T any](s *Scratch, n int) ([]T, error) {
	size := n * int(unsafe.Sizeof(*new(T)))
	if !s.Mapped || size == 0 {
		return make([]T, n), nil
	}
	data, err := s.bytes(size)
	if errors.Is(err, errors.ErrUnsupported) {
		return make([]T, n), nil
	}
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n), nil
}

// bytes returns the mapping of a file of zeros. The zeros are written, so that a full
// disk is an error here and not a fault later.
func (s *Scratch) bytes(size int) ([]byte, error) {
	f, err := CreateTemporary(s.System, s.Dir)
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, f)
	zeros := make([]byte, 1<<16)
	for left := size; left > 0; left -= len(zeros) {
		if _, err := f.Write(zeros[:min(left, len(zeros))]); err != nil {
			return nil, err
		}
	}
	data, err := f.Map(size, true)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	s.data = append(s.data, data)
	return data, nil
}

// Close releases all arrays.
func (s *Scratch) Close() (err error) {
	for _, data := range s.data {
		err = errors.Join(err, unmap(data))
	}
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	s.data, s.files = nil, nil
	return err
}
