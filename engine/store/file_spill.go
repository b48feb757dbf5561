package store

import (
	"errors"
	"io"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// Spill moves an index to a temporary file in dir ("" means that of the system) and
// maps it, so that the index, names included, takes no memory of the process. It
// returns the new index; x must not be used afterwards. [Index.Close] releases the
// file. Of the ways to save an index, only [Merge] works with the result. If files
// cannot be mapped, the result is x. A nil sys means the operating system.
func Spill(x *Index, sys files.TemporarySystem, dir string) (*Index, error) {
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
func spillTo(x *Index, f files.Temporary) (*Index, error) {
	d := dumper{w: f}
	for _, column := range [][]byte{
		[]byte(nil), files.StringBytes(x.Terms.Text()), files.BytesOf(x.Terms.Offsets()), files.BytesOf(x.Terms.Sorted()),
		files.StringBytes(x.ids.Text()), files.BytesOf(x.ids.Offsets()), files.BytesOf(x.input), files.BytesOf(x.labelStart), files.BytesOf(x.labels),
		files.BytesOf(x.df), files.BytesOf(x.start), files.BytesOf(x.denseAt), x.dense, files.BytesOf(x.flat),
		x.tf.counts, files.BytesOf(x.tf.escapeAt), files.BytesOf(x.tf.escaped), files.BytesOf(x.tf.single), files.BytesOf(x.tf.double),
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
func mapped(x *Index, m *files.Mapping, columns [][]byte) *Index {
	next := func() []byte {
		columns = columns[1:]
		return columns[0]
	}
	y := Memory{Classes: x.Classes, Meta: x.Meta, Pruned: x.Pruned, multi: x.multi}
	y.Terms = table.NewDictionary(files.StringOf(next()), files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next()))
	y.ids = table.NewDictionary(files.StringOf(next()), files.ElementsOf[uint32](next()), nil)
	y.input, y.labelStart, y.labels = files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next()), files.ElementsOf[uint32](next())
	y.df, y.start = files.ElementsOf[uint32](next()), files.ElementsOf[uint64](next())
	y.denseAt, y.dense, y.flat = files.ElementsOf[uint64](next()), next(), files.ElementsOf[uint32](next())
	y.tf.counts, y.tf.escapeAt, y.tf.escaped = next(), files.ElementsOf[uint64](next()), files.ElementsOf[uint32](next())
	y.tf.single, y.tf.double = files.ElementsOf[float32](next()), files.ElementsOf[float64](next())
	return New(y, nil, m)
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
