package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unsafe"
)

// Arrays that are too large for memory are in temporary files that are mapped: their pages belong to the page cache of
// the system, not to the process.

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

// A Temporary is a private file for data that does not fit into memory. Its name is
// removed at once, so that even a killed process leaves nothing behind.
type Temporary interface {
	io.ReadWriter
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	// Map maps the first size bytes, which must be more than 0, into memory; if write is
	// set, changes go to the file. The error is [errors.ErrUnsupported] on systems that
	// cannot map files.
	Map(size int, write bool) ([]byte, error)
	// Close closes the file. Mapped memory stays mapped.
	Close() error
}

// A TemporarySystem creates temporary files.
type TemporarySystem interface {
	// Create creates a file in a directory; "" is the directory of the system.
	Create(dir string) (Temporary, error)
}

// CreateTemporary creates a file by sys, or by the operating system if sys is nil.
func CreateTemporary(sys TemporarySystem, dir string) (Temporary, error) {
	if sys != nil {
		return sys.Create(dir)
	}
	f, err := os.CreateTemp(dir, ".termsift-*")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = &fs.PathError{Op: "create files in", Path: cmp.Or(dir, os.TempDir()), Err: failed.Err}
		return nil, fmt.Errorf("no temporary file can be written: %w; name another folder by --temp-dir, or by the variable TMPDIR", err)
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // a system that cannot remove an open file leaves that to Close
	return temporaryFile{f}, nil
}

type temporaryFile struct{ *os.File }

// Map implements [Temporary].
func (f temporaryFile) Map(size int, write bool) ([]byte, error) { return mapFile(f.File, size, write) }

// Close implements [Temporary].
func (f temporaryFile) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name()) // usually CreateTemporary has removed it already
	return err
}
