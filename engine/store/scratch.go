package store

import (
	"errors"
	"io"
	"io/fs"
	"unsafe"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// This file keeps arrays that are too large for memory in temporary files that are
// mapped: their pages belong to the page cache of the system, not to the process.

// A scratch allocates arrays: in mapped files if memory is bounded, else on the heap.
type scratch struct {
	system files.TemporarySystem
	dir    string
	mapped bool
	files  []files.Temporary
	data   [][]byte
}

// room returns an array of n elements, which must not hold pointers.
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

// bytes returns the mapping of a file of zeros. The zeros are written, so that a full
// disk is an error here and not a fault later.
func (s *scratch) bytes(size int) ([]byte, error) {
	f, err := files.CreateTemporary(s.system, s.dir)
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

// close releases all arrays.
func (s *scratch) close() (err error) {
	for _, data := range s.data {
		err = errors.Join(err, files.Unmap(data))
	}
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	s.data, s.files = nil, nil
	return err
}

// Spill moves an index to a temporary file in dir ("" means that of the system) and
// maps it, so that the index, names included, takes no memory of the process. It
// returns the new index; x must not be used afterwards. [Index.Close] releases the
// file. Of the ways to save an index, only [Merge] works with the result. If files
// cannot be mapped, the result is x. A nil sys means the operating system.
func (x *Index) Spill(sys files.TemporarySystem, dir string) (*Index, error) {
	f, err := files.CreateTemporary(sys, dir)
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

// spillTo moves the index to f. It returns nil if the file cannot be mapped.
func (x *Index) spillTo(f files.Temporary) (*Index, error) {
	d := dumper{w: f}
	for _, column := range [][]byte{
		[]byte(nil), stringBytes(x.Terms.Text()), bytesOf(x.Terms.Offsets()), bytesOf(x.Terms.Sorted()),
		stringBytes(x.ids.Text()), bytesOf(x.ids.Offsets()), bytesOf(x.input), bytesOf(x.labelStart), bytesOf(x.labels),
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

// mapped returns the index with its columns in a mapping, in the order in which spillTo
// wrote them.
func (x *Index) mapped(m *mapping, columns [][]byte) *Index {
	next := func() []byte {
		columns = columns[1:]
		return columns[0]
	}
	y := &Index{Classes: x.Classes, Meta: x.Meta, Pruned: x.Pruned, multi: x.multi, spilled: m}
	y.Terms = table.NewDictionary(stringOf(next()), elementsOf[uint32](next()), elementsOf[uint32](next()))
	y.ids = table.NewDictionary(stringOf(next()), elementsOf[uint32](next()), nil)
	y.input, y.labelStart, y.labels = elementsOf[uint32](next()), elementsOf[uint32](next()), elementsOf[uint32](next())
	y.df, y.start = elementsOf[uint32](next()), elementsOf[uint64](next())
	y.denseAt, y.dense, y.flat = elementsOf[uint64](next()), next(), elementsOf[uint32](next())
	y.tf.counts, y.tf.escapeAt, y.tf.escaped = next(), elementsOf[uint64](next()), elementsOf[uint32](next())
	y.tf.single, y.tf.double = elementsOf[float32](next()), elementsOf[float64](next())
	return y
}

// A dumper writes columns one after the other, aligned.
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
