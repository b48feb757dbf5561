package gather

import (
	"context"
	"sort"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
)

// This file makes cells of what was counted: it puts each cell of the terms, which come in any
// order, in its place.

// A total has what was counted of one term.
type total struct {
	df    uint32 // documents
	cells uint32
	// cf is the number of occurrences; once terms are in order, the place of the next cell.
	cf uint64
}

// An Assembly makes cells of the totals of terms and of their cells, which write writes for
// one range of terms. Terms have the numbers of the places that they were counted in.
type Assembly struct {
	totals []total // by term
	ranges int     // of terms
	write  func(w *writer, i int)

	out     *cells.Cells
	low     [3][]uint8 // A, S and Q, as columns of cells have them
	escaped [][3][]escape
}

// An escape is a number that does not fit into the byte of its cell.
type escape struct {
	at    int
	value float64
}

// DF returns the number of documents of each term.
func (a *Assembly) DF() []uint32 {
	df := make([]uint32, len(a.totals))
	for i := range df {
		df[i] = a.totals[i].df
	}
	return df
}

// Finish sets the cells of the terms in this order, which has all that have a document.
func (a *Assembly) Finish(ctx context.Context, threads int, order []uint32) error {
	a.setTerms(order)
	err := pool.Run(ctx, threads, a.ranges, func(_, i int) error {
		a.write(&writer{a: a, escaped: &a.escaped[i]}, i)
		return nil
	})
	if err != nil {
		return err
	}
	a.setCells()
	return nil
}

// setTerms sets the columns that terms have, and replaces cf of the totals by the place of each
// term's first cell.
func (a *Assembly) setTerms(order []uint32) {
	out := a.out
	out.Reserve(len(order), 0)
	next := 0
	for _, at := range order {
		t := &a.totals[at]
		out.DF = append(out.DF, t.df)
		out.CF.Append(float64(t.cf), float64(t.df))
		t.cf = uint64(next)
		next += int(t.cells)
		out.Start = append(out.Start, next)
	}
	out.Class = cells.NewClassColumn(next, 0, len(out.ClassDocs))
	for i := range a.low {
		a.low[i] = make([]uint8, next)
	}
	a.escaped = make([][3][]escape, a.ranges)
}

// A writer writes cells to their places.
type writer struct {
	a       *Assembly
	escaped *[3][]escape
}

const (
	// oneMore added to a number sets one of tooMuch if a field of it, or the number itself,
	// is no byte below that of an escape.
	oneMore = 1 | 1<<excessShift | 1<<squaresShift
	tooMuch = 0x300 | 0x300<<excessShift | 0xf00<<squaresShift
)

// writeLarge writes a cell whose numbers may not fit into bytes.
func (w *writer) writeLarge(at int, c largeCell) {
	for i, n := range [3]struct{ value, floor uint64 }{{c.a, 0}, {c.s, c.a}, {c.q, c.s}} {
		over := n.value - n.floor
		if over >= cells.Escape {
			over = cells.Escape
			w.escaped[i] = append(w.escaped[i], escape{at, float64(n.value)})
		}
		w.a.low[i][at] = uint8(over)
	}
}

// setCells sets the columns that cells have.
func (a *Assembly) setCells() {
	for i, column := range []*cells.Column{&a.out.A, &a.out.S, &a.out.Q} {
		var all []escape
		for _, own := range a.escaped {
			all = append(all, own[i]...)
		}
		sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at }) // few: smaller code than SortFunc
		values := make([]float64, len(all))
		for j, e := range all {
			values[j] = e.value
		}
		*column, _, _ = cells.ColumnOf(a.low[i], values)
	}
}
