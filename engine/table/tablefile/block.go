package tablefile

import (
	"bytes"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// This file has the form of a block of a file of statistics: front-coded names, and the
// columns that the cells of an index file have.

const (
	// A block ends behind the term with which it has so many terms, cells or bytes of names.
	// Merging 256 files holds a block of each.
	blockTerms = 1 << 10
	blockCells = 1 << 13
	blockText  = 1 << 15

	blockHeader = 16
	// mostShared is the largest number of bytes that a name takes from the one before, so that
	// names are at most 32 times as long in memory as in the file.
	mostShared = 63
)

// The columns of a block whose numbers escape, in the order of their escapes.
const (
	suffixNumbers = iota // bytes of a name behind those that it shares
	dfNumbers
	lengthNumbers // cells of a term
	tokenNumbers
	docNumbers
	sumNumbers
	squareNumbers
	blockColumns
)

// ofCells reports whether a column has a number for each cell, not for each term.
func ofCells(column int) bool { return column >= docNumbers }

// A blockBuilder collects the terms of a block.
type blockBuilder struct {
	width int // bytes of a class
	form  table.Form

	terms, cells int
	first, last  []byte // names
	shared       []byte // by term
	text         []byte
	classes      []byte
	columns      [blockColumns]table.Column
	data         []byte // the last that was encoded
}

func newBlockBuilder(width int, form table.Form) *blockBuilder {
	return &blockBuilder{width: width, form: form}
}

// full reports whether the block ends here.
func (b *blockBuilder) full() bool {
	return b.terms >= blockTerms || b.cells >= blockCells || len(b.text) >= blockText
}

// reset empties the block.
func (b *blockBuilder) reset() {
	b.terms, b.cells = 0, 0
	b.shared, b.text, b.classes = b.shared[:0], b.text[:0], b.classes[:0]
	for i := range b.columns {
		b.columns[i].Reset()
	}
}

// name begins a term, which comes behind those before.
func (b *blockBuilder) name(name []byte) {
	shared := 0
	if b.terms == 0 {
		b.first = append(b.first[:0], name...)
	} else {
		shared = commonPrefix(name, b.last, min(len(name), len(b.last), mostShared))
	}
	whole := name[:cap(name)]
	b.last = table.AppendShort(b.last[:0], whole, 0, len(name))
	b.shared = append(b.shared, byte(shared))
	b.text = table.AppendShort(b.text, whole, shared, len(name)-shared)
	if own := len(name) - shared; own < table.Escape {
		b.columns[suffixNumbers].AppendByte(byte(own))
	} else {
		b.columns[suffixNumbers].Append(float64(own), 0)
	}
	b.terms++
}

// class appends the class of a cell.
func (b *blockBuilder) class(class uint32) {
	switch b.width {
	case 1:
		b.classes = append(b.classes, byte(class))
	case 2:
		b.classes = append(b.classes, byte(class), byte(class>>8))
	default:
		b.classes = le.AppendUint32(b.classes, class)
	}
}

// margins completes a term of n cells.
func (b *blockBuilder) margins(df, cf float64, n int) {
	b.columns[dfNumbers].Append(df, 0)
	b.columns[lengthNumbers].Append(float64(n), 0)
	b.columns[tokenNumbers].Append(cf, df)
	b.cells += n
}

// cell appends a cell but for its class.
func (b *blockBuilder) cell(docs, sum, squares float64) {
	b.columns[docNumbers].Append(docs, 0)
	b.columns[sumNumbers].Append(sum, docs)
	if b.form != table.Counts {
		sum = 0
	}
	b.columns[squareNumbers].Append(squares, sum)
}

// cellsOf completes a term with what term t of c has.
func (b *blockBuilder) cellsOf(c *table.Cells, t int) {
	from, to := c.Start[t], c.Start[t+1]
	for i := from; i < to; i++ {
		b.class(c.Class.At(i))
	}
	b.narrowOrNot(c, from, to)
	df := float64(c.DF[t])
	b.margins(df, c.CF.At(t, df), to-from)
}

// narrowOrNot appends the documents and sums of the cells [from, to) of c.
func (b *blockBuilder) narrowOrNot(c *table.Cells, from, to int) {
	docs, sums, squares := c.A.Bytes()[from:to], c.S.Bytes()[from:to], c.Q.Bytes()[from:to]
	if narrow(docs) && narrow(sums) && narrow(squares) {
		b.columns[docNumbers].AppendNarrow(docs)
		b.columns[sumNumbers].AppendNarrow(sums)
		b.columns[squareNumbers].AppendNarrow(squares)
		return
	}
	for i := from; i < to; i++ {
		a := c.A.At(i, 0)
		s := c.S.At(i, a)
		q := s
		if b.form != table.Counts {
			q = 0
		}
		b.cell(a, s, c.Q.At(i, q))
	}
}

// narrow reports whether no byte stands for a number in a list.
func narrow(low []uint8) bool {
	if len(low) > 16 {
		return bytes.IndexByte(low, table.Escape) < 0
	}
	for _, v := range low {
		if v == table.Escape {
			return false
		}
	}
	return true
}

// impossible returns a number of the block that is negative or not finite, if there is one.
func (b *blockBuilder) impossible() (v float64, found bool) {
	for i := range b.columns {
		for _, v := range b.columns[i].Escaped() {
			if !table.IsSum(v) {
				return v, true
			}
		}
	}
	return 0, false
}

// encode returns the bytes of the block, which are valid until the next call.
func (b *blockBuilder) encode() []byte {
	columns := &b.columns
	escapes := 0
	for i := range columns {
		escapes += len(columns[i].Escaped())
	}
	d := b.data[:0]
	for _, n := range []int{b.terms, b.cells, len(b.text), escapes} {
		d = le.AppendUint32(d, uint32(n))
	}
	d = append(d, b.shared...)
	d = append(d, b.text...)
	d = append(d, b.classes...)
	for i := range columns {
		d = append(d, columns[i].Bytes()...)
	}
	for i := range columns {
		for _, v := range columns[i].Escaped() {
			d = le.AppendUint64(d, math.Float64bits(v))
		}
	}
	b.data = le.AppendUint64(d, xxh3.Hash(d))
	return b.data
}

// A packedColumn is a column of a block, which is read from its beginning to its end.
type packedColumn struct {
	low     []uint8
	numbers []byte // 8 for each escape that was not read
}

// next returns the next of the numbers in the list.
func (c *packedColumn) next() float64 {
	v := math.Float64frombits(le.Uint64(c.numbers))
	c.numbers = c.numbers[8:]
	return v
}

// at returns element i with its floor. Elements are asked for in their order.
func (c *packedColumn) at(i int, floor float64) float64 {
	if b := c.low[i]; b != table.Escape {
		return floor + float64(b)
	}
	return c.next()
}

// possible reports whether all numbers in the list are finite and from 0 on, and whether
// they are whole and exact.
func (c *packedColumn) possible() (possible, whole bool) {
	whole = true
	for i := 0; i < len(c.numbers); i += 8 {
		v := math.Float64frombits(le.Uint64(c.numbers[i:]))
		if !table.IsSum(v) {
			return false, false
		}
		whole = whole && v == math.Trunc(v) && v < 1<<53
	}
	return true, whole
}

// most returns the largest of the numbers in the list, or 0.
func (c *packedColumn) most() (most float64) {
	for i := 0; i < len(c.numbers); i += 8 {
		most = max(most, math.Float64frombits(le.Uint64(c.numbers[i:])))
	}
	return most
}

// A block is a block of a file whose sum has been verified.
type block struct {
	offset       int
	terms, cells int
	shared, text []byte
	classes      []byte
	columns      [blockColumns]packedColumn

	// By term: its document frequency, its number of cells, its occurrences, and the bytes of
	// its name behind those that it shares.
	df     []uint32
	length []int32
	cf     []float64
	suffix []int32

	start []int // of its cells; one more, the end

	row  table.Tile // scratch memory of a term
	wide []uint32   // and of classes that are no bytes
}

func (b *block) fail(format string, args ...any) error {
	return files.Broken("statistics", b.offset, files.ErrFormat, "the block there: "+format, args...)
}

// parse verifies the sum and the lengths of a block at an offset of the file.
func (b *block) parse(data []byte, offset int64, width int) error {
	b.offset = int(offset)
	if len(data) < blockHeader+sumSize {
		return b.fail("%d bytes", len(data))
	}
	end := len(data) - sumSize
	if le.Uint64(data[end:]) != xxh3.Hash(data[:end]) {
		return files.Broken("statistics", b.offset+end, files.ErrChecksum, "of the block at byte %d", offset)
	}
	var sizes [4]uint64
	for i := range sizes {
		sizes[i] = uint64(le.Uint32(data[4*i:]))
	}
	terms, n, text, escapes := sizes[0], sizes[1], sizes[2], sizes[3]
	size := func(column int) uint64 {
		if ofCells(column) {
			return n
		}
		return terms
	}
	want := blockHeader + terms + text + n*uint64(width) + 8*escapes + sumSize
	for i := range blockColumns {
		want += size(i)
	}
	if want != uint64(len(data)) || terms == 0 || terms > blockTerms || n > math.MaxInt32 || text > math.MaxInt32 {
		return b.fail("%d terms, %d cells, %d bytes of names and %d numbers in %d bytes", terms, n, text, escapes, len(data))
	}
	b.terms, b.cells = int(terms), int(n)
	rest := data[blockHeader:]
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	b.shared, b.text, b.classes = take(b.terms), take(int(text)), take(b.cells*width)
	for i := range b.columns {
		b.columns[i] = packedColumn{low: take(int(size(i)))}
	}
	left := int(escapes)
	for i := range b.columns {
		own := bytes.Count(b.columns[i].low, []byte{table.Escape})
		if own > left {
			return b.fail("fewer numbers than bytes that ask for one")
		}
		b.columns[i].numbers, left = take(8*own), left-own
	}
	if left > 0 {
		return b.fail("%d numbers more than bytes that ask for one", left)
	}
	return b.readTerms()
}

// readTerms sets the columns of terms and verifies that their names and cells are as many as
// there are.
func (b *block) readTerms() error {
	b.df, b.length = grownTo(b.df, b.terms), grownTo(b.length, b.terms)
	b.cf, b.suffix = grownTo(b.cf, b.terms), grownTo(b.suffix, b.terms)
	b.start = grownTo(b.start, b.terms+1)
	b.start[0] = 0
	for i := range blockColumns {
		column := &b.columns[i]
		possible, whole := column.possible()
		switch {
		case !possible:
			return b.fail("a number that is negative or not finite")
		case i <= lengthNumbers && !whole || i == docNumbers && !whole:
			return b.fail("a number of bytes, cells or documents that is not whole")
		}
	}
	text, n := 0.0, 0.0
	for i := range b.terms {
		suffix, df, length := b.columns[suffixNumbers].at(i, 0), b.columns[dfNumbers].at(i, 0), b.columns[lengthNumbers].at(i, 0)
		if text, n = text+suffix, n+length; text > float64(len(b.text)) || n > float64(b.cells) {
			return b.fail("names or cells of a term that are not there")
		}
		if df < 1 || df > math.MaxUint32 {
			return b.fail("a term in %v documents", df)
		}
		b.suffix[i], b.df[i], b.length[i] = int32(suffix), uint32(df), int32(length)
		b.cf[i] = b.columns[tokenNumbers].at(i, df)
		b.start[i+1] = int(n)
	}
	if text != float64(len(b.text)) || n != float64(b.cells) {
		return b.fail("names or cells without a term")
	}
	return nil
}

func grownTo[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// classOf returns the class of a cell.
func (b *block) classOf(i, width int) uint32 {
	switch width {
	case 1:
		return uint32(b.classes[i])
	case 2:
		return uint32(le.Uint16(b.classes[2*i:]))
	default:
		return le.Uint32(b.classes[4*i:])
	}
}
