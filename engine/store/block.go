package store

import (
	"math"
	"sort"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// This file has the form of the section of cells: blocks of terms with the columns that [table.Cells] has, and in a
// file of statistics with front-coded names.

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

// The columns of a block, in the order of their bytes and of their escapes.
const (
	suffixNumbers = iota // bytes of a name behind those that it shares
	dfNumbers
	lengthNumbers // cells of a term
	tokenNumbers
	docNumbers
	sumNumbers
	squareNumbers // or squared distances, see [table.Form]
	numColumns
)

// A layout is what all blocks of a file have in common.
type layout struct {
	width int // bytes of a class
	form  table.Form
	named bool // terms have their names and document frequencies
}

// size returns the bytes of a column in a block.
func (l layout) size(column, terms, cells int) int {
	switch {
	case column <= dfNumbers && !l.named:
		return 0
	case column < docNumbers:
		return terms
	default:
		return cells
	}
}

// formNames are the forms of cells in the section meta.
var formNames = []string{table.Counts: "counts", table.LargeCounts: "large", table.RealValues: "real"}

// A blockBuilder collects the terms of a block.
type blockBuilder struct {
	layout
	terms, cells int
	last         []byte // name
	shared       []byte // by term
	text         []byte
	classes      []byte
	columns      [numColumns]table.Column
	data         []byte // the last that was encoded
}

// full reports whether the block ends here.
func (b *blockBuilder) full() bool {
	return b.terms >= blockTerms || b.cells >= blockCells || len(b.text) >= blockText
}

// room returns up to which of the terms [from, to) of c the block has room.
func (b *blockBuilder) room(c *table.Cells, from, to int) int {
	to = min(to, from+blockTerms-b.terms)
	n := sort.Search(to-from, func(i int) bool { return c.Start[from+i+1]-c.Start[from] >= blockCells-b.cells })
	return min(from+n+1, to)
}

// name begins a term, which comes behind those before.
func (b *blockBuilder) name(name []byte) {
	shared := 0
	for most := min(len(name), len(b.last), mostShared); b.terms > 0 && shared < most && name[shared] == b.last[shared]; {
		shared++
	}
	b.last = append(b.last[:0], name...)
	b.shared = append(b.shared, byte(shared))
	b.text = append(b.text, name[shared:]...)
	b.columns[suffixNumbers].Append(float64(len(name)-shared), 0)
}

// class appends the class of a cell.
func (b *blockBuilder) class(class uint32) {
	switch b.width {
	case 1:
		b.classes = append(b.classes, byte(class))
	case 2:
		b.classes = le.AppendUint16(b.classes, uint16(class))
	default:
		b.classes = le.AppendUint32(b.classes, class)
	}
}

// margins completes a term of n cells.
func (b *blockBuilder) margins(df, cf float64, n int) {
	if b.named {
		b.columns[dfNumbers].Append(df, 0)
	}
	b.columns[lengthNumbers].Append(float64(n), 0)
	b.columns[tokenNumbers].Append(cf, df)
	b.terms, b.cells = b.terms+1, b.cells+n
}

// append appends the terms [from, to) of c, of which the names are there. Their classes have the numbers in
// classes, or their own if that is nil.
func (b *blockBuilder) append(c *table.Cells, from, to int, classes []uint32) {
	first, end := c.Start[from], c.Start[to]
	if low, bytes := c.Class.Bytes(); bytes && b.width == 1 && classes == nil {
		b.classes = append(b.classes, low[first:end]...)
	} else {
		for i := first; i < end; i++ {
			class := c.Class.At(i)
			if classes != nil {
				class = classes[class]
			}
			b.class(class)
		}
	}
	for t := from; t < to; t++ {
		df := float64(c.DF[t])
		b.margins(df, c.CF.At(t, df), c.Start[t+1]-c.Start[t])
	}
	b.columns[docNumbers].AppendRange(&c.A, first, end)
	b.columns[sumNumbers].AppendRange(&c.S, first, end)
	b.columns[squareNumbers].AppendRange(&c.Q, first, end)
}

// appendBlocks appends the terms [from, to) of c and passes each block that is full to f, and at last what is left
// if last is set.
func (b *blockBuilder) appendBlocks(c *table.Cells, from, to int, last bool, f func(block []byte) error) error {
	for from < to {
		end := b.room(c, from, to)
		b.append(c, from, end, nil)
		from = end
		if b.full() {
			if err := f(b.take()); err != nil {
				return err
			}
		}
	}
	if last && b.terms > 0 {
		return f(b.take())
	}
	return nil
}

// take returns the bytes of the block, which are valid until the next call, and empties it.
func (b *blockBuilder) take() []byte {
	columns := &b.columns // those that the layout does not have are empty
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
		columns[i].Reset()
	}
	b.terms, b.cells = 0, 0
	b.shared, b.text, b.classes = b.shared[:0], b.text[:0], b.classes[:0]
	b.data = d
	return d
}

// A blockDecoder decodes blocks.
type blockDecoder struct {
	layout
	offset int // of the block in its section

	columns      [numColumns]table.Column // those that no cells keep
	shared, text []byte
	suffix       []int // by term: bytes of its name behind those that it shares
}

func (d *blockDecoder) fail(format string, args ...any) error {
	return files.Broken("cells", d.offset, files.ErrFormat, "the block there: "+format, args...)
}

// column returns the column of c, or of the decoder, for one of the file.
func (d *blockDecoder) column(c *table.Cells, i int) *table.Column {
	switch i {
	case tokenNumbers:
		return &c.CF
	case docNumbers:
		return &c.A
	case sumNumbers:
		return &c.S
	case squareNumbers:
		return &c.Q
	default:
		d.columns[i].Reset()
		return &d.columns[i]
	}
}

// decode appends the terms of a block to c. It verifies lengths and the kind of numbers. Terms without names have the
// first of the given document frequencies.
func (d *blockDecoder) decode(data []byte, c *table.Cells, df []uint32) error {
	if len(data) < blockHeader {
		return d.fail("%d bytes", len(data))
	}
	terms, n, text, escapes := int(le.Uint32(data)), int(le.Uint32(data[4:])), int(le.Uint32(data[8:])), int(le.Uint32(data[12:]))
	want := blockHeader + uint64(text) + uint64(n)*uint64(d.width) + 8*uint64(escapes)
	if d.named {
		want += uint64(terms)
	}
	for i := range numColumns {
		want += uint64(d.size(i, terms, n))
	}
	if want != uint64(len(data)) || terms == 0 || terms > blockTerms || !d.named && (text > 0 || terms > len(df)) {
		return d.fail("%d terms, %d cells, %d bytes of names and %d numbers in %d bytes", terms, n, text, escapes, len(data))
	}
	rest := data[blockHeader:]
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	if d.named {
		d.shared, d.text = take(terms), take(text)
	}
	classes := take(n * d.width)
	numbers := data[len(data)-8*escapes:]
	for i := range numColumns {
		column, ok := d.column(c, i), false
		if numbers, ok = column.AppendEncoded(take(d.size(i, terms, n)), numbers); !ok {
			return d.fail("fewer numbers than bytes that ask for one")
		}
		if column.Wrong() {
			return d.fail("a number that is negative or not finite")
		}
		if (i <= lengthNumbers || i == docNumbers) && !column.Whole() {
			return d.fail("a number of bytes, cells or documents that is not whole")
		}
	}
	if len(numbers) > 0 {
		return d.fail("%d numbers more than bytes that ask for one", len(numbers)/8)
	}
	c.Form = d.form
	c.Class.AppendEncoded(classes, d.width)
	if d.named {
		if err := d.readNames(c); err != nil {
			return err
		}
	} else {
		c.DF = append(c.DF, df[:terms]...)
	}
	return d.endTerms(c)
}

// endTerms appends where the cells of the terms begin.
func (d *blockDecoder) endTerms(c *table.Cells) error {
	if len(c.Start) == 0 {
		c.Start = append(c.Start, 0)
	}
	lengths, at, end := &d.columns[lengthNumbers], c.Start[len(c.Start)-1], c.Len()
	for t, b := range lengths.Bytes() {
		length := int(b)
		if b == table.Escape {
			length = int(min(lengths.At(t, 0), math.MaxInt32))
		}
		if at += length; at > end {
			break
		}
		c.Start = append(c.Start, at)
	}
	if at != end {
		return d.fail("terms of other numbers of cells than there are")
	}
	return nil
}

// readNames reads the document frequencies of terms with names, and the lengths of these.
func (d *blockDecoder) readNames(c *table.Cells) error {
	text := 0
	d.suffix = d.suffix[:0]
	for t := range d.shared {
		suffix, df := d.columns[suffixNumbers].At(t, 0), d.columns[dfNumbers].At(t, 0)
		if suffix > float64(len(d.text)-text) {
			return d.fail("the name of a term that is not there")
		}
		if df > math.MaxUint32 { // one of 0 is refused with the cells
			return d.fail("a term in %v documents", df)
		}
		text += int(suffix)
		d.suffix, c.DF = append(d.suffix, int(suffix)), append(c.DF, uint32(df))
	}
	if text != len(d.text) {
		return d.fail("names without a term")
	}
	return nil
}

// check verifies that the terms of c from one on are possible. The squares of counts in an index must be finite and
// whole; to look at them again would take an eighth of the time until the first ranking.
func (d *blockDecoder) check(bounds *table.Bounds, c *table.Cells, from int) error {
	if d.form == table.Counts && !d.named && !(c.CF.Whole() && c.S.Whole() && c.Q.Whole()) {
		return d.fail("a sum of counts that is not whole")
	}
	if t, err := bounds.CheckTerms(c, from, c.Terms(), d.named || d.form != table.Counts); err != nil {
		return d.fail("term %d: %v", t, err)
	}
	return nil
}
