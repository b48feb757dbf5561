package tablefile

import (
	"context"
	"encoding/json"
	"errors"
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

// MergeOptions say how files of statistics are merged.
type MergeOptions struct {
	Meta json.RawMessage // the caller's description of the sum
	Dir  string          // of temporary files; "" is that of the system

	Temporary files.TemporarySystem // nil is the operating system
	most      int                   // files that are open at once; 0 is mostOpen
}

// Merge writes the file of the sum of n files, which open opens: the bytes that
// [Write] gives of the sum of their statistics by [table.Add]. Sums of real values
// are rounded in the order of the files. It returns [table.ErrPruned] if terms were left out of one.
func Merge(ctx context.Context, w io.Writer, n int, open func(i int) (*File, error), o MergeOptions) (err error) {
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
	groups := make([]*File, passes)
	defer func() {
		for _, g := range groups {
			if g != nil {
				err = errors.Join(err, g.Close())
			}
		}
	}()
	for i := range groups {
		from, to := i*n/passes, (i+1)*n/passes
		groups[i], err = Temporary(o.Temporary, o.Dir, func(w io.Writer) error {
			return mergeOpen(ctx, w, to-from, func(i int) (*File, error) { return open(from + i) }, nil)
		})
		if err != nil {
			return err
		}
	}
	return Merge(ctx, w, passes, func(i int) (*File, error) {
		g := groups[i]
		groups[i] = nil // the merging closes it
		return g, nil
	}, o)
}

// MergeTemporary opens a temporary file of the sum that [Merge] writes.
func MergeTemporary(ctx context.Context, n int, open func(i int) (*File, error), o MergeOptions) (*File, error) {
	return Temporary(o.Temporary, o.Dir, func(w io.Writer) error { return Merge(ctx, w, n, open, o) })
}

// mergeOpen merges n files at once.
func mergeOpen(ctx context.Context, w io.Writer, n int, open func(i int) (*File, error), meta []byte) (err error) {
	m := &merging{ctx: ctx}
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
		m.parts = append(m.parts, &mergePart{f: f})
	}
	if err := m.sumHeads(); err != nil {
		return err
	}
	form, err := m.form()
	if err != nil {
		return err
	}
	_, err = m.run(w, meta, form)
	return err
}

// A merging merges open files.
type merging struct {
	ctx   context.Context
	parts []*mergePart
	head  table.Table // margins and classes of the sum
	out   *writer

	order *tournament // of the parts by their terms
	sum   *table.ClassSums
	same  []uint32 // the classes of the sum
}

// sumHeads sets the margins and classes of the sum, and the classes of the parts in it.
func (m *merging) sumHeads() (err error) {
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
		o := table.NewOperand(&table.Cells{Margins: p.f.Margins}, p.f.Classes, s.ClassNames, 1)
		s.Cells.AddMargins(o)
		p.class = o.Classes
		p.alike = table.ClassWidth(len(s.ClassNames)) == table.ClassWidth(len(p.f.Classes))
		for i, class := range p.class {
			p.alike = p.alike && int(class) == i
		}
	}
	return nil
}

// form returns the form of the sum. Where squares may be inexact, files of counts are merged once to see.
func (m *merging) form() (form table.Form, err error) {
	squares := 0.0
	for _, p := range m.parts {
		form = max(form, p.f.form)
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
func (m *merging) run(w io.Writer, meta []byte, form table.Form) (squares float64, err error) {
	m.out = newWriter(w, form)
	if err := m.out.head(&m.head, meta); err != nil {
		return 0, err
	}
	m.same = make([]uint32, len(m.head.ClassNames))
	for i := range m.same {
		m.same[i] = uint32(i)
	}
	m.sum = table.NewClassSums(len(m.head.ClassNames))
	names := make([]*nameReader, len(m.parts))
	for i, p := range m.parts {
		p.reset()
		names[i] = &p.names
	}
	m.order = newTournament(names)
	for i := range m.parts {
		if err := m.advance(i); err != nil {
			return 0, err
		}
	}
	m.order.playAll()
	for !m.order.ended() {
		if err := m.mergeTerm(); err != nil {
			return 0, err
		}
	}
	err = m.out.end() // which writes the last block
	return m.out.squares(), err
}

// advance goes to the next term of part i, whose matches must then be played again.
func (m *merging) advance(i int) error {
	key, err := m.parts[i].next(m.ctx)
	m.order.set(i, key)
	return err
}

// mergeTerm writes the first term, and takes all parts that have it to their next.
func (m *merging) mergeTerm() error {
	first := m.order.winner()
	p := m.parts[first]
	m.out.block.name(p.names.last)
	if m.order.alone() && (m.out.form == table.Counts) == (p.f.form == table.Counts) {
		p.copyTerm(m.out.block)
		if err := m.out.endTerm(); err != nil {
			return err
		}
		if err := m.advance(first); err != nil {
			return err
		}
		m.order.replay(first)
		return nil
	}
	parts := m.order.all()
	if err := m.add(parts); err != nil {
		return err
	}
	if err := m.out.endTerm(); err != nil {
		return err
	}
	for _, i := range parts {
		if err := m.advance(i); err != nil {
			return err
		}
	}
	m.order.replayAll(parts)
	return nil
}

// add completes the current term with the sum of those of the parts.
func (m *merging) add(parts []int) error {
	df := 0.0
	for _, i := range parts {
		p := m.parts[i]
		df += float64(p.reader.block.df[p.term])
	}
	if df > math.MaxUint32 {
		return table.TooFrequent(m.parts[parts[0]].names.last)
	}
	if m.out.form == table.Counts {
		m.addCounts(parts, df)
	} else {
		m.addMoments(parts)
	}
	return nil
}

// addCounts completes the current term with sums of counts.
func (m *merging) addCounts(parts []int, df float64) {
	cf := 0.0
	for _, i := range parts {
		p := m.parts[i]
		cf += p.reader.block.cf[p.term]
		p.addTo(m.sum)
	}
	b, n := m.out.block, 0
	m.sum.Take(func(class uint32, sum table.ClassSum) {
		b.class(class)
		b.cell(sum.A, sum.S, sum.Q)
		n++
	})
	b.margins(df, cf, n)
}

// addMoments completes the current term with sums of other forms.
func (m *merging) addMoments(parts []int) {
	sum, inSum := &table.Cells{Form: m.out.form}, -1
	for _, i := range parts {
		p, next := m.parts[i], &table.Cells{Form: m.out.form}
		next.AppendSum(
			&table.Operand{Cells: sum, Classes: m.same, Sign: 1}, &table.Operand{Cells: p.cells(), Classes: p.class, Sign: 1}, inSum, 0)
		sum, inSum = next, 0
	}
	m.out.block.cellsOf(sum, 0)
}
