package tablefile

import (
	"bytes"
	"math"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// This file reads the blocks of files of statistics.

// A blockReader reads the blocks of a file one behind the other.
type blockReader struct {
	f      *File
	block  block
	buffer []byte
	read   int // blocks
	cells  int
	most   [blockColumns]float64 // the largest escape of each column
}

// next reads and verifies a block. It reports whether there was one.
func (r *blockReader) next() (bool, error) {
	f, b := r.f, &r.block
	if r.read == len(f.blocks)-1 {
		most := table.MostSquares(r.most[docNumbers], r.most[sumNumbers], r.most[squareNumbers])
		if r.cells != f.cells || most != f.mostSquares {
			return false, files.Broken("statistics", int(f.data.size)-footerSize, files.ErrFormat, "the footer does not fit the blocks")
		}
		return false, nil
	}
	from, to := f.blocks[r.read], f.blocks[r.read+1]
	data, err := f.data.read(r.buffer, from, to-from)
	if err != nil {
		return false, err
	}
	if f.data.r != nil {
		r.buffer = data
	}
	if err := b.parse(data, from, table.ClassWidth(len(f.Classes))); err != nil {
		return false, err
	}
	r.read++
	r.cells += b.cells
	for _, column := range []int{docNumbers, sumNumbers, squareNumbers} {
		r.most[column] = max(r.most[column], b.columns[column].most())
	}
	return true, b.checkCells(f)
}

// checkCells verifies the cells of a block against the margins of its file.
func (b *block) checkCells(f *File) (err error) {
	if width := table.ClassWidth(len(f.Classes)); width == 1 {
		err = checkBlock(b, f, b.classes)
	} else {
		b.wide = grownTo(b.wide, b.cells)
		for i := range b.wide {
			b.wide[i] = b.classOf(i, width)
		}
		err = checkBlock(b, f, b.wide)
	}
	return err
}

// checkBlock verifies the cells of a block whose classes are given.
func checkBlock[T uint8 | uint32](b *block, f *File, class []T) error {
	columns := b.columns // whose numbers remain to be read in b
	next, start, bounds := cellsOf(&columns, f.form), b.start[:b.terms+1], f.bounds
	bytes := table.ByteCells[T]{
		DF: b.df[:b.terms], CF: columns[tokenNumbers].low, Start: start,
		Class: class, A: next.docs.low, S: next.sums.low, Q: next.squares.low,
	}
	for t := 0; t < b.terms; t++ {
		if t = bytes.Possible(bounds, t); t == b.terms {
			break
		}
		from, row := start[t], &b.row
		row.Resize(start[t+1] - from)
		for i := range row.Class {
			row.Class[i] = uint32(class[from+i])
			row.A[i], row.S[i], row.Q[i] = next.number(from + i)
		}
		if err := bounds.Check(float64(b.df[t]), b.cf[t], row.Class, row.A, row.S, row.Q); err != nil {
			return b.fail("term %d of it: %v", t, err)
		}
	}
	return nil
}

// A cellReader reads the documents, sums and squares of a block's cells, in their order, as [table.Cells] have them.
type cellReader struct {
	docs, sums, squares *packedColumn
	counts              bool
}

func cellsOf(columns *[blockColumns]packedColumn, form table.Form) cellReader {
	return cellReader{&columns[docNumbers], &columns[sumNumbers], &columns[squareNumbers], form == table.Counts}
}

// narrow returns the bytes of the cells [from, to). A cell of which one is Escape has the numbers
// that at returns, and the others the sums of their bytes.
func (r *cellReader) narrow(from, to int) (docs, sums, squares []uint8) {
	docs = r.docs.low[from:to]
	return docs, r.sums.low[from:to][:len(docs)], r.squares.low[from:to][:len(docs)]
}

// at returns the numbers of cell i. All cells of which a number is in a list are asked for, in
// their order.
func (r *cellReader) at(i int) (a, s, q float64) {
	a = r.docs.at(i, 0)
	s = r.sums.at(i, a)
	if r.counts {
		return a, s, r.squares.at(i, s)
	}
	return a, s, r.squares.at(i, 0)
}

// number is at for a cell of which no number may be in a list.
func (r *cellReader) number(i int) (a, s, q float64) {
	x, y, z := r.docs.low[i], r.sums.low[i], r.squares.low[i]
	if r.counts && x != table.Escape && y != table.Escape && z != table.Escape {
		return float64(x), float64(int(x) + int(y)), float64(int(x) + int(y) + int(z))
	}
	return r.at(i)
}

// A nameReader gives the names of a file's terms one behind the other.
type nameReader struct {
	last []byte // with room for eight bytes at least
	any  bool   // last is a name
	text int    // place in the text of the block
}

// next sets last to the name of term t of a block, whose terms are read in their order. It
// reports whether the name is possible, and behind the one before.
func (r *nameReader) next(b *block, t int) bool {
	if t == 0 {
		r.text = 0
	}
	shared, from, n := int(b.shared[t]), r.text, int(b.suffix[t])
	r.text += n
	if shared > len(r.last) || shared > mostShared || t == 0 && shared > 0 || r.any && !behind(b.text[from:from+n], r.last[shared:]) {
		return false
	}
	if r.last == nil {
		r.last = make([]byte, 0, 64)
	}
	r.last, r.any = table.AppendShort(r.last[:shared], b.text, from, n), true
	return true
}

// behind reports whether x comes behind y.
func behind(x, y []byte) bool {
	switch {
	case len(x) == 0:
		return false
	case len(y) == 0 || x[0] > y[0]:
		return true
	default:
		return bytes.Compare(x, y) > 0
	}
}

// key returns the key of the name.
func (r *nameReader) key() uint64 { return table.KeyOf(prefixOf(r.last), len(r.last)) }

// all reads the whole file.
func (f *File) all() (*table.Table, error) {
	d := collector{f: f}
	d.reserve()
	r := &blockReader{f: f}
	for {
		more, err := r.next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if err := d.add(&r.block); err != nil {
			return nil, err
		}
	}
	return d.end(), nil
}

// A collector collects the blocks of a file as columns in the order of the terms'
// bytes.
type collector struct {
	f       *File
	names   nameReader
	text    []byte
	offsets []uint32

	df      []uint32
	start   []int
	class   table.ClassColumn
	low     [collectedColumns][]uint8
	numbers [collectedColumns][]float64
}

// The columns of [table.Cells].
const (
	collectedTokens = iota
	collectedDocs
	collectedSums
	collectedSquares
	collectedColumns
)

// Those columns, by those of a block.
var collected = [...]struct{ block, cells int }{
	{tokenNumbers, collectedTokens}, {docNumbers, collectedDocs}, {sumNumbers, collectedSums}, {squareNumbers, collectedSquares},
}

// reserve makes room for as many terms and cells as the file has bytes for.
func (d *collector) reserve() {
	terms := min(d.f.Terms, int(d.f.data.size/(blockColumns/2)))
	n := min(d.f.cells, int(d.f.data.size/4))
	d.offsets, d.df, d.start = make([]uint32, 1, terms+1), make([]uint32, 0, terms), make([]int, 1, terms+1)
	d.class = table.NewClassColumn(0, n, len(d.f.Classes))
	d.text = make([]byte, 0, 8*terms)
	for _, c := range collected {
		size := terms
		if ofCells(c.block) {
			size = n
		}
		d.low[c.cells] = make([]uint8, 0, size)
	}
}

// add appends a block.
func (d *collector) add(b *block) error {
	for t := range b.terms {
		if !d.names.next(b, t) {
			return b.fail("the names are not in the order of their bytes")
		}
		d.text = table.AppendShort(d.text, d.names.last[:cap(d.names.last)], 0, len(d.names.last))
		d.offsets = append(d.offsets, uint32(len(d.text)))
		d.start = append(d.start, d.start[len(d.start)-1]+int(b.length[t]))
	}
	if uint64(len(d.text)) > math.MaxUint32 {
		return b.fail("names of more than 4 GiB together")
	}
	d.df = append(d.df, b.df[:b.terms]...)
	d.class.AppendEncoded(b.classes, table.ClassWidth(len(d.f.Classes)))
	for _, c := range collected {
		d.low[c.cells] = append(d.low[c.cells], b.columns[c.block].low...)
		d.numbers[c.cells] = appendNumbers(d.numbers[c.cells], b, c.block)
	}
	return nil
}

// appendNumbers appends the numbers in the list of a column.
func appendNumbers(to []float64, b *block, column int) []float64 {
	numbers := b.columns[column].numbers
	if column == tokenNumbers { // which readTerms has read
		for t, low := range b.columns[column].low {
			if low == table.Escape {
				to = append(to, b.cf[t])
			}
		}
	}
	for ; len(numbers) > 0; numbers = numbers[8:] {
		to = append(to, math.Float64frombits(le.Uint64(numbers)))
	}
	return to
}

// end returns the statistics with the terms in the order of an index.
func (d *collector) end() *table.Table {
	f := d.f
	c := &table.Cells{Margins: f.Margins, Form: f.form, DF: d.df, Start: d.start, Class: d.class}
	for column, to := range map[int]*table.Column{collectedTokens: &c.CF, collectedDocs: &c.A, collectedSums: &c.S, collectedSquares: &c.Q} {
		*to, _, _ = table.ColumnOf(d.low[column], table.Escapes(nil, d.low[column], 0), d.numbers[column])
	}
	s := &table.Table{ClassNames: f.Classes, Pruned: f.Pruned, Missing: f.Missing}
	places := table.PlacesByDF(d.df)
	order := make([]uint32, len(places))
	for i, t := range places {
		order[t] = uint32(i)
	}
	s.Cells = *c.Ordered(places)
	s.Names = orderedDictionary(d.text, d.offsets, order, places)
	return s
}

// orderedDictionary returns the dictionary of terms whose names are given in the order of
// their bytes, text[offsets[i]:offsets[i+1]] for i, in another order, with the place of each.
func orderedDictionary(text []byte, offsets, order, places []uint32) *table.Dictionary {
	names, ends := make([]byte, 0, len(text)), make([]uint32, 1, len(order)+1)
	for _, i := range order {
		names = table.AppendShort(names, text, int(offsets[i]), int(offsets[i+1]-offsets[i]))
		ends = append(ends, uint32(len(names)))
	}
	return table.NewDictionary(string(names), ends, places)
}
