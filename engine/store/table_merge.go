package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file adds up files of statistics as streams: of each file that is open there is one
// block in memory.

// mostOpen is the number of files that are merged at once. More are merged in
// passes, through temporary files.
const mostOpen = 256

// TableMergeOptions say how files of statistics are merged.
type TableMergeOptions struct {
	Meta json.RawMessage // the caller's description of the sum
	Dir  string          // of temporary files; "" is that of the system

	Temporary files.TemporarySystem // nil is the operating system
	most      int                   // files that are open at once; 0 is mostOpen
}

// MergeTables writes the file of the sum of n files, which open opens: the bytes that
// [WriteTable] gives of the sum of their statistics by [table.Add]. Sums of real values
// are rounded in the order of the files. It returns [table.ErrPruned] if terms were left out of one.
func MergeTables(ctx context.Context, w io.Writer, n int, open func(i int) (*TableFile, error), o TableMergeOptions) (err error) {
	most := o.most
	if most == 0 {
		most = mostOpen
	}
	if w == nil || open == nil {
		return usage.Errorf("a nil writer or function was given")
	}
	if n <= most {
		return mergeOpen(ctx, w, n, open, o.Meta)
	}
	passes := (n + most - 1) / most
	groups := make([]*TableFile, passes)
	defer func() {
		for _, g := range groups {
			if g != nil {
				err = errors.Join(err, g.Close())
			}
		}
	}()
	for i := range groups {
		from, to := i*n/passes, (i+1)*n/passes
		groups[i], err = TemporaryTable(o.Temporary, o.Dir, func(w io.Writer) error {
			return mergeOpen(ctx, w, to-from, func(i int) (*TableFile, error) { return open(from + i) }, nil)
		})
		if err != nil {
			return err
		}
	}
	return MergeTables(ctx, w, passes, func(i int) (*TableFile, error) {
		g := groups[i]
		groups[i] = nil // the merging closes it
		return g, nil
	}, o)
}

// mergeOpen merges n files at once.
func mergeOpen(ctx context.Context, w io.Writer, n int, open func(i int) (*TableFile, error), meta json.RawMessage) (err error) {
	m := &tableMerging{ctx: ctx}
	defer func() {
		for _, p := range m.parts {
			err = errors.Join(err, p.f.Close())
		}
	}()
	for i := range n {
		f, err := open(i)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, newTablePart(f, nil))
	}
	if err := m.sumMargins(); err != nil {
		return err
	}
	form, err := m.form()
	if err != nil {
		return err
	}
	_, err = m.run(w, meta, form)
	return err
}

// A tableMerging merges open files.
type tableMerging struct {
	ctx   context.Context
	parts []*tablePart
	head  table.Table // margins and classes of the sum
	out   *tableWriter

	queue queue          // of the parts by their terms
	same  []uint32       // the classes of the sum
	sums  [2]table.Cells // scratch memory
}

// sumMargins sets the margins and classes of the sum, and the classes of the parts in it.
func (m *tableMerging) sumMargins() (err error) {
	s := &m.head
	for _, p := range m.parts {
		if p.f.Pruned {
			return p.f.named(table.ErrPruned)
		}
		if m.head.Missing, err = table.AddMissing(m.head.Missing, p.f.Missing); err != nil {
			return p.f.named(err)
		}
		s.ClassNames = append(s.ClassNames, p.f.Classes...)
	}
	slices.Sort(s.ClassNames)
	s.ClassNames = slices.Compact(s.ClassNames)
	s.Cells.ClassDocs, s.Cells.ClassTokens = make([]float64, len(s.ClassNames)), make([]float64, len(s.ClassNames))
	for _, p := range m.parts {
		p.operand = table.NewOperand(&table.Cells{Margins: p.f.Margins}, p.f.Classes, s.ClassNames, 1)
		s.Cells.AddMargins(p.operand)
	}
	for i := range s.ClassNames {
		m.same = append(m.same, uint32(i))
	}
	return nil
}

// form returns the form of the sum: the widest of the files, and of counts whose squares are not exact in the sum
// that of large counts. Where these may be, the files are merged once to see.
func (m *tableMerging) form() (form table.Form, err error) {
	squares := 0.0
	for _, p := range m.parts {
		form = max(form, p.f.layout.form)
		squares += p.f.mostSquares
	}
	if form != table.Counts || squares < mostExactSquares || len(m.parts) < 2 {
		return form, nil
	}
	if squares, err = m.run(io.Discard, nil, table.Counts); squares >= mostExactSquares {
		form = table.LargeCounts
	}
	return form, err
}

// mostExactSquares is the sum of squares from which it may be inexact.
const mostExactSquares = 1 << 53

// run merges the files from their beginnings and returns an upper bound of the sums of
// squares.
func (m *tableMerging) run(w io.Writer, meta json.RawMessage, form table.Form) (squares float64, err error) {
	if m.out, err = newTableWriter(w, &m.head, form); err != nil {
		return 0, err
	}
	m.queue = queue{names: make([][]byte, len(m.parts))}
	for i, p := range m.parts {
		m.parts[i] = newTablePart(p.f, p.operand)
		if err := m.advance(i); err != nil {
			return 0, err
		}
	}
	for m.queue.Len() > 0 {
		if err := m.mergeTerm(); err != nil {
			return 0, err
		}
	}
	err = m.out.endTable(meta) // which writes the last block
	return m.out.totals.squares(), err
}

// advance goes to the next term of part i.
func (m *tableMerging) advance(i int) error {
	p := m.parts[i]
	more, err := p.next(m.ctx)
	if more {
		m.queue.add(i, p.name)
	}
	return err
}

// mergeTerm writes the first term, and takes all parts that have it to their next.
func (m *tableMerging) mergeTerm() error {
	first, b := m.queue.take(), &m.out.block
	p := m.parts[first[0]]
	b.name(p.name)
	if len(first) == 1 && (b.form == table.Counts) == (p.f.layout.form == table.Counts) {
		b.append(&p.cells, p.term, p.term+1, p.operand.Classes)
	} else if err := m.add(first); err != nil {
		return err
	}
	if err := m.out.endTerm(); err != nil {
		return err
	}
	for _, i := range first {
		if err := m.advance(i); err != nil {
			return err
		}
	}
	return nil
}

// add completes the current term with the sum of those of the parts.
func (m *tableMerging) add(parts []int) error {
	df := uint64(0)
	sum, next := table.Operand{Cells: &m.sums[0], Classes: m.same, Sign: 1}, &m.sums[1]
	for i, part := range parts {
		p := m.parts[part]
		df += uint64(p.cells.DF[p.term])
		p.operand.Cells = &p.cells
		next.Reset()
		next.Form = m.out.block.form
		next.AppendSum(&sum, p.operand, min(i, 1)-1, p.term)
		sum.Cells, next = next, sum.Cells
	}
	if df > math.MaxUint32 {
		return table.TooFrequent(m.parts[parts[0]].name)
	}
	m.out.block.append(sum.Cells, 0, 1, nil)
	return nil
}

// A tablePart is a file that is read term by term, at one of its terms, with a block in memory.
type tablePart struct {
	f       *TableFile
	operand *table.Operand // its classes in the sum

	blocks blockDecoder
	cells  table.Cells // of the block
	buffer []byte
	read   int    // blocks
	totals totals // of these
	term   int    // in the block
	name   []byte // of the term
	text   int    // where the text of the block goes on behind it
}

// newTablePart returns a file at its beginning.
func newTablePart(f *TableFile, operand *table.Operand) *tablePart {
	return &tablePart{f: f, operand: operand, blocks: blockDecoder{layout: f.layout}, term: -1}
}

// next goes to the next term and reports whether there is one.
func (p *tablePart) next(ctx context.Context) (more bool, err error) {
	if p.term++; p.term == p.cells.Terms() {
		if ctx.Err() != nil {
			return false, usage.Cause(ctx)
		}
		if more, err := p.nextBlock(); err != nil || !more {
			return false, p.f.named(err)
		}
		p.term, p.text = 0, 0
	}
	b, first := &p.blocks, p.read == 1 && p.term == 0
	shared, own := int(b.shared[p.term]), b.text[p.text:][:b.suffix[p.term]]
	p.text += len(own)
	if shared > len(p.name) || shared > mostShared || p.term == 0 && shared > 0 || !first && bytes.Compare(own, p.name[shared:]) <= 0 {
		return false, p.f.named(b.fail("the names are not in the order of their bytes"))
	}
	p.name = append(p.name[:shared], own...)
	return true, nil
}

// nextBlock reads and verifies a block. It reports whether there was one.
func (p *tablePart) nextBlock() (bool, error) {
	f, c := p.f, &p.cells
	s := &f.body.sections[cellSection]
	if p.read == s.blocks {
		if p.totals.terms != f.Terms || p.totals.cells != f.cells || p.totals.squares() != f.mostSquares {
			return false, files.Broken("margins", 0, files.ErrFormat, "they do not fit the blocks")
		}
		return false, nil
	}
	p.blocks.offset = f.body.blocks[s.first+p.read].offset - s.offset
	data, err := f.body.block(cellSection, p.read, p.buffer)
	if err != nil {
		return false, err
	}
	p.buffer = data[:cap(data)]
	c.Reset()
	if err := p.blocks.decode(data, c, nil); err != nil {
		return false, err
	}
	p.read++
	p.totals.add(c.Terms(), c.Len(), &c.A, &c.S, &c.Q)
	return true, p.blocks.check(f.bounds, c, 0)
}

// named returns an error with the name of the file.
func (f *TableFile) named(err error) error {
	if err == nil || f.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// A Term has the counts of a term of a file.
type Term struct {
	Name   []byte
	DF, CF float64 // documents and occurrences
	// By class where the term occurs, ascending: its number, documents and occurrences.
	Class []uint32
	A, S  []float64
}

// Each calls f with all terms, in the order of their bytes, with a block in memory. The term is valid
// until f returns.
func (f *TableFile) Each(ctx context.Context, fn func(t *Term) error) error {
	p, t := newTablePart(f, nil), table.Tile{}
	for {
		more, err := p.next(ctx)
		if err != nil || !more {
			return err
		}
		p.cells.Read(&t, p.term, p.term+1, true)
		term := Term{Name: p.name, DF: float64(t.DF[0]), CF: t.CF[0], Class: t.Class, A: t.A, S: t.S}
		if err := fn(&term); err != nil {
			return err
		}
	}
}
