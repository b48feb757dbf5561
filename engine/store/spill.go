package store

import (
	"cmp"
	"errors"
	"io"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// Spill moves an index to a temporary file in dir ("" means that of the system) and
// maps it, so that the index, names included, takes no memory of the process. It
// returns the new index; x must not be used afterwards. [postings.Index.Close] releases the
// file. Of the ways to save an index, only [Merge] works with the result. If files
// cannot be mapped, the result is x. A nil sys means the operating system.
func Spill(x *postings.Index, sys files.TemporarySystem, dir string) (*postings.Index, error) {
	f, err := files.CreateTemporary(sys, dir)
	if err != nil {
		return nil, err
	}
	y, err := spillTo(x, f)
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
func spillTo(x *postings.Index, f files.Temporary) (*postings.Index, error) {
	d := dumper{w: f}
	for _, column := range [][]byte{
		[]byte(nil), files.StringBytes(x.Terms.Text()), files.BytesOf(x.Terms.Offsets()), files.BytesOf(x.Terms.Sorted()),
		files.StringBytes(x.IDs.Text()), files.BytesOf(x.IDs.Offsets()), files.BytesOf(x.Input), files.BytesOf(x.LabelStart), files.BytesOf(x.LabelOf),
		files.BytesOf(x.DocFreq), files.BytesOf(x.Start), files.BytesOf(x.DenseAt), x.Dense, files.BytesOf(x.Flat),
		x.Values.Counts, files.BytesOf(x.Values.EscapeAt), files.BytesOf(x.Values.Escaped), files.BytesOf(x.Values.Single), files.BytesOf(x.Values.Double),
	} {
		if err := d.put(column); err != nil {
			return nil, err
		}
	}
	m, err := files.MapWhole(f)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return mapped(x, m, d.columns(m.Bytes())), nil
}

// mapped returns the index with its columns in a mapping, in the order in which spillTo
// wrote them.
func mapped(x *postings.Index, m *files.Mapping, columns [][]byte) *postings.Index {
	next := func() []byte {
		columns = columns[1:]
		return columns[0]
	}
	y := postings.Memory{Classes: x.Classes, Meta: x.Meta, Pruned: x.Pruned, Multi: x.Multi}
	y.Terms = table.NewDictionary(files.StringOf(next()), files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next()))
	y.IDs = table.NewDictionary(files.StringOf(next()), files.ElementsOf[uint32](next()), nil)
	y.Input, y.LabelStart, y.LabelOf = files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next())
	y.DocFreq, y.Start = files.ElementsOf[uint32](next()), files.ElementsOf[uint64](next())
	y.DenseAt, y.Dense, y.Flat = files.ElementsOf[uint64](next()), next(), files.ElementsOf[uint32](next())
	y.Values.Counts, y.Values.EscapeAt, y.Values.Escaped = next(), files.ElementsOf[uint64](next()), files.ElementsOf[uint32](next())
	y.Values.Single, y.Values.Double = files.ElementsOf[float32](next()), files.ElementsOf[float64](next())
	return postings.New(y, nil, m)
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

// spoolBuffer is the number of bytes of a spool that are kept in memory.
const spoolBuffer = 1 << 20

// A spool stores bytes, whose number need not be known, to be read once. What does not
// fit into its buffer is written to a temporary file.
type spool struct {
	system files.TemporarySystem
	dir    string
	most   int // bytes that are kept in memory
	buffer []byte
	file   files.Temporary
	n      int
}

// write appends bytes.
func (s *spool) write(p []byte) error {
	if len(s.buffer)+len(p) > s.most && len(s.buffer) > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.buffer = append(s.buffer, p...)
	s.n += len(p)
	return nil
}

func (s *spool) flush() error {
	if s.file == nil {
		file, err := files.CreateTemporary(s.system, s.dir)
		if err != nil {
			return err
		}
		s.file = file
	}
	_, err := s.file.Write(s.buffer)
	s.buffer = s.buffer[:0]
	return err
}

// each calls f with the stored bytes, in parts of the given sizes or, if these are nil, of any.
func (s *spool) each(sizes []int, f func(part []byte) error) error {
	if s.file != nil {
		if err := s.flush(); err != nil {
			return err
		}
	}
	var part []byte
	for at := 0; at < s.n; at += len(part) {
		n := min(spoolBuffer, s.n-at)
		if sizes != nil {
			n, sizes = sizes[0], sizes[1:]
		}
		if s.file == nil {
			part = s.buffer[at : at+n]
		} else {
			part = grownTo(part, n)
			if read, err := s.file.ReadAt(part, int64(at)); read < n {
				return cmp.Or(err, io.ErrUnexpectedEOF)
			}
		}
		if err := f(part); err != nil {
			return err
		}
	}
	return nil
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
