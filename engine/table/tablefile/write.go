package tablefile

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/table"
)

// This file writes the parts of a file of statistics one behind the other.

// A writer writes a file of statistics, term by term in the order of their bytes.
type writer struct {
	w     io.Writer
	at    int64 // bytes written
	form  table.Form
	block *blockBuilder
	name  []byte // of the last term

	table         []byte
	blocks, terms uint64
	cells         uint64
	mostA, mostS  float64
	mostQ         float64
}

func newWriter(w io.Writer, form table.Form) *writer {
	return &writer{w: w, form: form}
}

func (f *writer) write(data []byte) error {
	n, err := f.w.Write(data)
	f.at += int64(n)
	return err
}

// head writes what precedes the blocks: the margins and classes of s.
func (f *writer) head(s *table.Table, meta []byte) error {
	if s.Cells.Documents > mostDocuments {
		return fmt.Errorf("%w: %.0f documents are more than the %d that it can have", ErrUnwritable, s.Cells.Documents, int64(mostDocuments))
	}
	for _, v := range append([]float64{s.Cells.Tokens}, s.Cells.ClassTokens...) {
		if !table.IsSum(v) {
			return fmt.Errorf("%w: all values add up to %v", ErrUnwritable, v)
		}
	}
	e := valueEncoder{data: make([]byte, headerSize)}
	e.text(string(meta))
	if s.Missing > 0 {
		e.count(float64(s.Missing))
	}
	e.count(s.Cells.Documents)
	e.count(s.Cells.Labelled)
	e.sum(s.Cells.Tokens)
	e.count(float64(len(s.ClassNames)))
	for c, name := range s.ClassNames {
		e.text(name)
		e.count(s.Cells.ClassDocs[c])
		e.sum(s.Cells.ClassTokens[c])
	}
	features := uint32(0)
	switch f.form {
	case table.RealValues:
		features |= realValues
	case table.LargeCounts:
		features |= largeCounts
	}
	if s.Pruned {
		features |= prunedTerms
	}
	if s.Missing > 0 {
		features |= rareLeftOut
	}
	copy(e.data, magic)
	le.PutUint32(e.data[8:], version)
	le.PutUint32(e.data[12:], features)
	le.PutUint64(e.data[16:], uint64(len(e.data)-headerSize))
	le.PutUint64(e.data[24:], xxh3.Hash(e.data[:24]))
	f.block = newBlockBuilder(table.ClassWidth(len(s.ClassNames)), f.form)
	return f.write(le.AppendUint64(e.data, xxh3.Hash(e.data[headerSize:])))
}

// term appends term t of c.
func (f *writer) term(name string, c *table.Cells, t int) error {
	f.name = append(f.name[:0], name...)
	f.block.name(f.name)
	f.block.cellsOf(c, t)
	return f.endTerm()
}

// endTerm writes the block if it is full.
func (f *writer) endTerm() error {
	if !f.block.full() {
		return nil
	}
	return f.endBlock()
}

// endBlock writes the block.
func (f *writer) endBlock() error {
	b := f.block
	if b.terms == 0 {
		return nil
	}
	if v, found := b.impossible(); found {
		return fmt.Errorf("%w: a sum is %v", ErrUnwritable, v)
	}
	data := b.encode()
	f.blocks++
	f.terms += uint64(b.terms)
	f.cells += uint64(b.cells)
	f.mostA = max(f.mostA, b.columns[docNumbers].Most())
	f.mostS = max(f.mostS, b.columns[sumNumbers].Most())
	f.mostQ = max(f.mostQ, b.columns[squareNumbers].Most())
	f.table = binary.AppendUvarint(f.table, uint64(len(data)))
	f.table = binary.AppendUvarint(f.table, uint64(b.terms))
	f.table = binary.AppendUvarint(f.table, uint64(len(b.first)))
	f.table = append(f.table, b.first...)
	err := f.write(data)
	b.reset()
	return err
}

// squares returns an upper bound of the sums of squares that were written.
func (f *writer) squares() float64 { return table.MostSquares(f.mostA, f.mostS, f.mostQ) }

// end writes the last block, the table and the footer.
func (f *writer) end() error {
	if err := f.endBlock(); err != nil {
		return err
	}
	foot := make([]byte, 0, footerSize)
	for _, v := range []uint64{
		uint64(f.at), uint64(len(f.table)), xxh3.Hash(f.table), f.blocks, f.terms, f.cells,
		math.Float64bits(f.squares()), uint64(f.at) + uint64(len(f.table)) + footerSize,
	} {
		foot = le.AppendUint64(foot, v)
	}
	foot = append(le.AppendUint64(foot, xxh3.Hash(foot)), footerMagic...)
	return f.write(append(f.table, foot...))
}

// A valueEncoder appends the values of a head.
type valueEncoder struct{ data []byte }

// count appends a whole number.
func (e *valueEncoder) count(v float64) { e.data = binary.AppendUvarint(e.data, uint64(v)) }

// sum appends a sum of values.
func (e *valueEncoder) sum(v float64) { e.data = le.AppendUint64(e.data, math.Float64bits(v)) }

func (e *valueEncoder) text(s string) {
	e.count(float64(len(s)))
	e.data = append(e.data, s...)
}
