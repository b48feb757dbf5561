package store

import (
	"errors"
	"io"
	"io/fs"
	"unsafe"

	"github.com/termsift/termsift/engine/tempfile"
)

// This file keeps what is too large for memory in temporary files that are mapped:
// their pages belong to the system's cache and not to the process.

// A scratch is memory for arrays, mapped files if there is to be a bound, else the
// heap's.
type scratch struct {
	system tempfile.System
	dir    string
	mapped bool
	files  []tempfile.File
	data   [][]byte
}

// room gives an array of n elements, which hold no pointers.
func room[T any](s *scratch, n int) ([]T, error) {
	size := n * int(unsafe.Sizeof(*new(T)))
	if !s.mapped || size == 0 {
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

// bytes maps a file of zeros. They are written, so that a full disk is an error here
// and no fault later.
func (s *scratch) bytes(size int) ([]byte, error) {
	f, err := tempfile.Create(s.system, s.dir)
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

// close gives back all arrays.
func (s *scratch) close() (err error) {
	for _, data := range s.data {
		err = errors.Join(err, tempfile.Unmap(data))
	}
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	s.data, s.files = nil, nil
	return err
}

// Spill moves an index to a temporary file in dir ("" is that of the system), from
// where it is mapped: it takes no memory of the process any more, its names included,
// whatever their number. [Index.Close] gives the file back. x must not be used
// afterwards, nor the result saved but by [Merge]. Where files cannot be mapped, the
// result is x. A sys of nil is the operating system's.
func (x *Index) Spill(sys tempfile.System, dir string) (*Index, error) {
	f, err := tempfile.Create(sys, dir)
	if err != nil {
		return nil, err
	}
	y, err := x.spillTo(f)
	if err == nil && y != nil {
		return y, nil
	}
	closed := f.Close()
	if err = errors.Join(err, closed); err != nil {
		return nil, err
	}
	return x, nil
}

// spillTo gives nil where the file cannot be mapped.
func (x *Index) spillTo(f tempfile.File) (*Index, error) {
	d := dumper{w: f}
	for _, column := range [][]byte{
		[]byte(nil), stringBytes(x.Terms.text), bytesOf(x.Terms.offsets), bytesOf(x.Terms.Sorted()),
		stringBytes(x.ids.text), bytesOf(x.ids.offsets), bytesOf(x.input), bytesOf(x.labelStart), bytesOf(x.labels),
		bytesOf(x.df), bytesOf(x.start), bytesOf(x.denseAt), x.dense, bytesOf(x.flat),
		x.tf.counts, bytesOf(x.tf.escapeAt), bytesOf(x.tf.escaped), bytesOf(x.tf.single), bytesOf(x.tf.double),
	} {
		if err := d.put(column); err != nil {
			return nil, err
		}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := f.Map(int(info.Size()), false)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	m := &mapping{data: data, file: f, size: info.Size(), modified: info.ModTime()}
	return x.mapped(m, d.columns(data)), nil
}

// mapped gives the index with its columns in a mapping, in the order of spillTo.
func (x *Index) mapped(m *mapping, columns [][]byte) *Index {
	next := func() []byte {
		columns = columns[1:]
		return columns[0]
	}
	y := &Index{Classes: x.Classes, Meta: x.Meta, Pruned: x.Pruned, multi: x.multi, spilled: m}
	y.Terms = newDictionary(stringOf(next()), elementsOf[uint32](next()))
	sorted := elementsOf[uint32](next())
	y.Terms.sortOnce.Do(func() { y.Terms.sorted = sorted })
	y.ids = newDictionary(stringOf(next()), elementsOf[uint32](next()))
	y.input, y.labelStart, y.labels = elementsOf[uint32](next()), elementsOf[uint32](next()), elementsOf[uint32](next())
	y.df, y.start = elementsOf[uint32](next()), elementsOf[uint64](next())
	y.denseAt, y.dense, y.flat = elementsOf[uint64](next()), next(), elementsOf[uint32](next())
	y.tf.counts, y.tf.escapeAt, y.tf.escaped = next(), elementsOf[uint64](next()), elementsOf[uint32](next())
	y.tf.single, y.tf.double = elementsOf[float32](next()), elementsOf[float64](next())
	return y
}

// A dumper writes columns behind each other, aligned.
type dumper struct {
	w    io.Writer
	n    int
	ends []int
}

func (d *dumper) put(column []byte) error {
	if _, err := d.w.Write(column); err != nil {
		return err
	}
	d.n += len(column)
	d.ends = append(d.ends, d.n)
	padding := make([]byte, aligned(d.n)-d.n)
	d.n += len(padding)
	_, err := d.w.Write(padding)
	return err
}

func (d *dumper) columns(data []byte) (columns [][]byte) {
	at := 0
	for _, end := range d.ends {
		columns = append(columns, data[at:end:end])
		at = aligned(end)
	}
	return columns
}
