package parquet

import (
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
	readers []*chunkReader
	left    int64 // rows of the group
	done    int64 // rows of the file
}

// Batches yields the rows of columns, given by their places in Columns, in batches.
func (f *File) Batches(columns ...int) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		if err := f.eachBatch(columns, func(b *Batch) bool { return yield(b, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// eachBatch calls yield with the batches, until it returns false.
func (f *File) eachBatch(columns []int, yield func(*Batch) bool) error {
	for _, i := range columns {
		if err := f.columns[i].Check(); err != nil {
			return err
		}
	}
	r := &rowCutter{file: f, columns: columns, footer: thriftReader{data: f.footer, at: f.groups}}
	groups, of := r.footer.list()
	if groups > 0 && of != thriftStruct {
		return damaged("the footer has no list of row groups where it should")
	}
	for group := range groups {
		err := r.openGroup()
		for err == nil && r.left > 0 {
			var b *Batch
			if b, err = r.cut(); err == nil && !yield(b) {
				return nil
			}
		}
		for i := 0; err == nil && i < len(r.readers); i++ { // the columns have no more rows than the group
			err = r.readers[i].finish()
		}
		if err != nil {
			return within(err, "row group %d", group+1)
		}
	}
	if r.done != f.rows {
		return damaged("it has %d rows, and its footer says %d", r.done, f.rows)
	}
	return nil
}

// openGroup begins the next row group.
func (r *rowCutter) openGroup() error {
	var chunks []chunk
	r.left, r.readers = -1, nil
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

// cut cuts the next batch of a group that has rows.
func (r *rowCutter) cut() (*Batch, error) {
	b := &Batch{First: r.done, file: r.file, runs: make([]run, len(r.readers))}
	for size := int64(0); r.left > 0 && size < batchBytes && b.Rows < batchRows; {
		n, more, err := r.share(batchRows - b.Rows)
		if err != nil {
			return nil, err
		}
		for i, c := range r.readers {
			if err := c.cutRows(&b.runs[i], n); err != nil {
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

// A Batch is some rows. Any goroutine may read it, at the same time as others.
type Batch struct {
	First int64 // number of its first row in the file, from 0 on
	Rows  int
	file  *File
	runs  []run // of the columns that are read
}

// A Cursor goes through the rows of a batch in one column. NextRow is called once for each
// row, and NextValue until it says that the row has no more.
type Cursor struct {
	column  *Column
	pages   []*page // from the one at hand on
	at      int     // entry of the page that is next
	value   int     // of the page that is next
	level   int     // of the entry at hand
	pending bool    // its value has not been given
}

// Cursor decodes a column of the batch, by its place in the arguments of [File.Batches].
func (b *Batch) Cursor(column int) (*Cursor, error) {
	pages, from := b.runs[column].pages, b.runs[column].from
	for _, p := range pages {
		if err := p.decode(); err != nil {
			return nil, within(err, "the column %.80q", p.column.Name)
		}
	}
	c := &Cursor{column: pages[0].column, pages: pages, at: from, value: from}
	if defs := pages[0].defs; defs != nil {
		c.value = pages[0].present(defs[:from])
	}
	return c, nil
}

// NextRow goes to the next row and reports whether it has a value, or a list, if an empty one.
func (c *Cursor) NextRow() bool {
	if c.column.List {
		for c.goesOn() {
			c.load()
		}
	}
	c.load()
	if c.column.List {
		c.pending = c.level >= c.column.listDef
		return c.level >= c.column.listDef-1
	}
	c.pending = c.level == c.column.maxDef
	return c.pending
}

// NextValue goes to the next value of the row and reports whether there is one.
func (c *Cursor) NextValue() bool {
	if c.pending {
		c.pending = false
		return true
	}
	if !c.column.List || !c.goesOn() {
		return false
	}
	c.load()
	return true
}

// goesOn reports whether the next entry belongs to the row at hand.
func (c *Cursor) goesOn() bool {
	if c.at < int(c.pages[0].header.values) {
		return c.pages[0].reps[c.at] != 0
	}
	return len(c.pages) > 1 && c.pages[1].reps[0] != 0
}

// load makes the next entry the one at hand.
func (c *Cursor) load() {
	if c.at == int(c.pages[0].header.values) {
		c.pages, c.at, c.value = c.pages[1:], 0, 0
	}
	c.level = c.column.maxDef
	if defs := c.pages[0].defs; defs != nil {
		c.level = int(defs[c.at])
	}
	if c.level == c.column.maxDef {
		c.value++
	}
	c.at++
}

// Null reports whether the value at hand, of a list, is null.
func (c *Cursor) Null() bool { return c.level < c.column.maxDef }

// Text returns the value at hand of a column of texts.
func (c *Cursor) Text() []byte { return c.pages[0].values.text(c.value - 1) }

// Number returns the value at hand of a column of another kind: Uint is to be converted to
// uint64.
func (c *Cursor) Number() int64 { return c.pages[0].values.number(c.value - 1) }

// Grown reports whether the value at hand may be longer than what the file has of it: it is
// one of a dictionary, or shares bytes with others.
func (c *Cursor) Grown() bool {
	v := &c.pages[0].values
	return v.dict != nil || v.made
}
