package parquet

import (
	"errors"
	"io"
	"iter"
)

const (
	// batchBytes makes a batch: enough to be worth waking a worker for. A page of up to
	// wholePage bytes is left to one worker, larger ones are divided into parts of partBytes.
	batchBytes = 256 << 10
	wholePage  = 4 << 20
	partBytes  = 1 << 20
	batchRows  = 1 << 16
)

// A rowCutter cuts some columns of a file into batches, in the order of the rows. It reads the
// pages, and decodes those of lists alone. It belongs to one goroutine.
type rowCutter struct {
	file    *File
	columns []int
	footer  thriftReader // at the next row group
	groups  int          // to come
	group   int          // number of the one at hand, from 1 on
	readers []*chunkReader
	left    int64 // rows of the group
	done    int64 // rows of the file
}

// Batches yields the rows of columns, given by their places in Columns, in batches.
func (f *File) Batches(columns ...int) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		r, err := f.cutRows(columns...)
		for err == nil {
			var b *Batch
			if b, err = r.next(); err == nil && !yield(b, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	}
}

// cutRows begins to read columns.
func (f *File) cutRows(columns ...int) (*rowCutter, error) {
	for _, i := range columns {
		if err := f.columns[i].Check(); err != nil {
			return nil, err
		}
	}
	r := &rowCutter{file: f, columns: columns, footer: thriftReader{data: f.footer, at: f.groups}}
	var of thriftKind
	if r.groups, of = r.footer.list(); r.groups > 0 && of != thriftStruct {
		return nil, damaged("the footer has no list of row groups where it should")
	}
	return r, nil
}

// next returns the next batch, or io.EOF behind the last one.
func (r *rowCutter) next() (*Batch, error) {
	for r.left == 0 {
		if err := r.endGroup(); err != nil {
			return nil, err
		}
		if r.groups == 0 {
			if r.done != r.file.rows {
				return nil, damaged("it has %d rows, and its footer says %d", r.done, r.file.rows)
			}
			return nil, io.EOF
		}
		if err := r.openGroup(); err != nil {
			return nil, within(err, "row group %d", r.group)
		}
	}
	b, err := r.cut()
	if err != nil {
		return nil, within(err, "row group %d", r.group)
	}
	return b, nil
}

// openGroup begins the next row group.
func (r *rowCutter) openGroup() error {
	r.groups--
	r.group++
	var chunks []chunk
	r.left = -1
	t := &r.footer
	t.record(fields{1: func(kind thriftKind) { chunks = r.readChunks(t, kind) }, 3: number(t, &r.left)})
	switch {
	case t.err != nil:
		return t.err
	case r.left < 0 || r.left > r.file.rows-r.done:
		return damaged("it has %d rows, and the file %d", r.left, r.file.rows)
	case chunks == nil:
		return damaged("it has not as many columns as the schema")
	case r.left == 0:
		return nil
	}
	for i, c := range chunks {
		reader, err := newChunkReader(r.file, &r.file.columns[r.columns[i]], c, r.left)
		if err != nil {
			return err
		}
		r.readers = append(r.readers, reader)
	}
	return nil
}

// readChunks reads the chunks of the columns that are read; nil if there are fewer or more
// than the schema has.
func (r *rowCutter) readChunks(t *thriftReader, kind thriftKind) []chunk {
	chunks := make([]chunk, len(r.columns))
	n := 0
	t.structures(kind, func() {
		asked := false
		at := t.at
		for i, column := range r.columns {
			if column == n {
				t.at, asked = at, true
				chunks[i] = readChunk(t)
			}
		}
		if !asked {
			t.skip(thriftStruct)
		}
		n++
	})
	if n != len(r.file.columns) {
		return nil
	}
	return chunks
}

// endGroup checks that the columns have no more rows than the group.
func (r *rowCutter) endGroup() error {
	for _, c := range r.readers {
		if err := c.finish(); err != nil {
			return within(err, "row group %d", r.group)
		}
	}
	r.readers = nil
	return nil
}

// cut cuts the next batch of a group that has rows.
func (r *rowCutter) cut() (*Batch, error) {
	b := &Batch{First: r.done, file: r.file, pieces: make([][]piece, len(r.readers))}
	for size := int64(0); r.left > 0 && size < batchBytes && b.Rows < batchRows; {
		n, more, err := r.share(batchRows - b.Rows)
		if err != nil {
			return nil, err
		}
		for i, c := range r.readers {
			if b.pieces[i], err = c.cutRows(b.pieces[i], n); err != nil {
				return nil, err
			}
		}
		size += more
		b.Rows += n
		r.left -= int64(n)
		r.done += int64(n)
	}
	return b, nil
}

// share returns how many rows to cut from the pages at hand, most of them at most, and about
// how many bytes they have.
func (r *rowCutter) share(most int) (n int, size int64, err error) {
	n = int(min(r.left, int64(most)))
	rows, bytes := make([]int, len(r.readers)), make([]int64, len(r.readers))
	for i, c := range r.readers {
		if rows[i], bytes[i], err = c.rowsLeft(); err != nil {
			return 0, 0, err
		}
		n = min(n, rows[i])
	}
	if n == 0 {
		return 0, 0, damaged("a page begins within a row")
	}
	for i := range rows {
		size += bytes[i] * int64(n) / int64(rows[i])
	}
	if size > wholePage {
		part := max(1, int(int64(n)*partBytes/size))
		size = size * int64(part) / int64(n)
		n = part
	}
	return n, size, nil
}
