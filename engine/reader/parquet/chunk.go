package parquet

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// A chunk is a column of a row group, as the footer tells of it.
type chunk struct {
	physical          int64
	codec             codec
	values            int64
	packed            int64 // bytes, headers included
	data, dict        int64 // offsets of the first page and of the dictionary, 0 = none
	elsewhere, secret bool  // it is in another file, or encrypted
	hasMeta           bool
}

// readChunk reads what the footer has of a chunk.
func readChunk(t *thriftReader) (c chunk) {
	var file []byte
	secret := func(kind thriftKind) {
		c.secret = true
		t.skip(kind)
	}
	t.record(fields{1: t.text(&file), 3: t.inner(&c.hasMeta, fields{
		1: number(t, &c.physical), 4: number(t, &c.codec), 5: number(t, &c.values), 7: number(t, &c.packed), 9: number(t, &c.data), 11: number(t, &c.dict),
	}), 8: secret, 9: secret})
	c.elsewhere = len(file) > 0
	return c
}

// check compares a chunk with its column and with the rows of its group, and returns where it
// begins.
func (c *chunk) check(f *File, column *Column, rows int64) (start int64, err error) {
	start = c.data
	if c.dict > 0 && c.dict < start {
		start = c.dict
	}
	switch {
	case c.secret:
		return 0, encrypted("it")
	case c.elsewhere:
		return 0, notRead("write a file that has all columns", "it is in another file")
	case !c.hasMeta:
		return 0, damaged("the footer does not say where it is")
	case c.physical != int64(column.physical):
		return 0, damaged("it is of the type %d, and of %d in the schema", c.physical, column.physical)
	case c.values < rows || !column.List && c.values != rows:
		return 0, damaged("it has %d values for %d rows", c.values, rows)
	case start < int64(len(magic)) || c.packed < 0 || c.packed > f.data-start:
		return 0, damaged("its %d bytes at byte %d are not within the %d bytes of data", c.packed, start, f.data)
	}
	return start, c.codec.check()
}

// A chunkReader cuts a chunk into pages, and these into pieces of rows.
type chunkReader struct {
	file   *File
	column *Column
	chunk  chunk
	in     *bufio.Reader // of the bytes of the chunk
	left   int64         // of these
	at     int64         // offset in the file
	values int64         // that no page has given
	dict   *page

	page *page // at hand; nil = none
	from int   // entry of the page that is next
}

// mostHeader bounds the header of a page, which may have a text of any length as its least
// and largest value.
const mostHeader = 1 << 20

// headerRoom is read at a time: it holds the headers of most pages, and small pages too. Of a
// header, leastHeader bytes are looked at first.
const (
	headerRoom  = 16 << 10
	leastHeader = 512
)

func newChunkReader(f *File, column *Column, c chunk, rows int64) (*chunkReader, error) {
	start, err := c.check(f, column, rows)
	if err != nil {
		return nil, within(err, "the column %.80q", column.Name)
	}
	in := bufio.NewReaderSize(io.NewSectionReader(f.r, start, c.packed), headerRoom)
	return &chunkReader{file: f, column: column, chunk: c, in: in, left: c.packed, at: start, values: c.values}, nil
}

// next makes the page behind the one at hand the one at hand; nil if there is none.
func (r *chunkReader) next() error {
	r.page = nil
	for r.values > 0 && r.page == nil {
		if err := r.step(); err != nil {
			return err
		}
	}
	return nil
}

// step reads the next page.
func (r *chunkReader) step() error {
	p, err := r.readPage()
	if err == nil {
		err = r.accept(p)
	}
	return within(err, "the column %.80q", r.column.Name)
}

// finish returns an error if there is more than what was cut. Pages without values may follow.
func (r *chunkReader) finish() error {
	if r.values > 0 || r.page != nil && r.from < int(r.page.header.values) {
		return within(damaged("it has more rows than its group"), "the column %.80q", r.column.Name)
	}
	for r.left > 0 {
		if err := r.step(); err != nil {
			return err
		}
	}
	return nil
}

// accept makes a page the one at hand, or the dictionary.
func (r *chunkReader) accept(p *page) error {
	switch h := &p.header; h.kind {
	case dictionaryPage:
		if r.dict != nil || r.values < r.chunk.values {
			return damaged("the page at byte %d is a dictionary, and not the first page", p.offset)
		}
		if h.encoding != plain && h.encoding != plainDictionary {
			return h.encoding.refused("the values of the dictionary")
		}
		r.dict = p
		return nil
	case dataPage, dataPageV2:
		if h.values > r.values {
			return damaged("the page at byte %d has %d values, and %d are left of its column", p.offset, h.values, r.values)
		}
		r.values -= h.values
		if h.values > 0 {
			return r.take(p)
		}
	case indexPage:
	default:
		return damaged("the page at byte %d is of the unknown kind %d", p.offset, h.kind)
	}
	return nil
}

// take makes a page of values the one at hand. The levels of lists are needed at once: only
// they tell rows.
func (r *chunkReader) take(p *page) error {
	if e := p.header.encoding; e == plainDictionary || e == runDictionary {
		p.dict = r.dict
	}
	r.page, r.from = p, 0
	if !r.column.List {
		return nil
	}
	if err := p.decode(); err != nil {
		return err
	}
	if p.reps == nil {
		return damaged("the page at byte %d has no levels of its lists", p.offset)
	}
	if r.values+p.header.values == r.chunk.values && p.reps[0] != 0 {
		return damaged("the first row of the column goes on one that is not there")
	}
	return nil
}

// readPage reads the header of the next page and its body.
func (r *chunkReader) readPage() (*page, error) {
	p := &page{file: r.file, column: r.column, codec: r.chunk.codec, offset: r.at}
	n, err := r.readHeader(&p.header)
	if err != nil {
		return nil, within(err, "the page at byte %d", p.offset)
	}
	r.left -= int64(n)
	r.at += int64(n)
	h := &p.header
	if err := h.check(r.left, &r.file.limits); err != nil {
		return nil, within(err, "the page at byte %d", p.offset)
	}
	if err := r.file.limits.Grow(h.unpacked + h.values); err != nil {
		return nil, err
	}
	p.packed = make([]byte, h.packed)
	switch _, err := io.ReadFull(r.in, p.packed); {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, damaged("the file ends within its pages")
	case err != nil:
		return nil, err
	}
	r.left -= h.packed
	r.at += h.packed
	return p, nil
}

// readHeader reads the header of a page, and returns its length.
func (r *chunkReader) readHeader(h *pageHeader) (n int, err error) {
	for size := leastHeader; ; size *= 4 {
		r.in = bufio.NewReaderSize(r.in, size) // itself if it has as much room
		data, err := r.in.Peek(size)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		var broken error
		if *h, n, broken = readPageHeader(data); broken == nil {
			_, _ = r.in.Discard(n) // they are in the buffer
			return n, nil
		}
		if err != nil || size >= mostHeader {
			return 0, broken
		}
	}
}

// A run is some rows of a column: pages of entries, which are values, nulls and empty lists.
type run struct {
	pages []*page
	from  int // entry of the first page
}

// add adds the page at hand of a column, from its next entry on, unless it is there.
func (n *run) add(r *chunkReader) {
	switch last := len(n.pages) - 1; {
	case last < 0:
		n.pages, n.from = []*page{r.page}, r.from
	case n.pages[last] != r.page:
		n.pages = append(n.pages, r.page)
	}
}

// rowsLeft returns how many rows begin in the rest of the page at hand, and how many bytes
// the rest has. It goes on to the next page where none is at hand.
func (r *chunkReader) rowsLeft() (rows int, size int64, err error) {
	for r.page == nil || r.from == int(r.page.header.values) {
		if err := r.next(); err != nil {
			return 0, 0, err
		}
		if r.page == nil {
			return 0, 0, within(damaged("it has fewer rows than its group"), "the column %.80q", r.column.Name)
		}
	}
	all := int(r.page.header.values)
	rows = all - r.from
	size = r.page.header.unpacked * int64(rows) / int64(all)
	if r.column.List {
		rows = bytes.Count(r.page.reps[r.from:], []byte{0}) // levels at which a row begins
	}
	return rows, size, nil
}

// cutRows adds the next n rows to a run, all but the last of which begin in the page at hand.
func (r *chunkReader) cutRows(to *run, n int) error {
	to.add(r)
	if !r.column.List {
		r.from += n
		return nil
	}
	for rows := 0; r.from < len(r.page.reps); r.from++ {
		if r.page.reps[r.from] == 0 {
			if rows == n {
				return nil
			}
			rows++
		}
	}
	for r.from == int(r.page.header.values) && r.values > 0 { // the list may go on in the next page
		if err := r.next(); err != nil || r.page == nil {
			return err
		}
		if r.from = slices.Index(r.page.reps, 0); r.from < 0 {
			r.from = len(r.page.reps)
		}
		if r.from > 0 {
			to.add(r)
		}
	}
	return nil
}
