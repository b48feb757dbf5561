package gather

import (
	"context"
	"sort"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
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

	out     *table.Cells
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
	if err := a.setTerms(ctx, threads, order); err != nil {
		return err
	}
	err := pool.Run(ctx, threads, a.ranges, func(_, i int) error {
		a.write(&writer{a: a, escaped: &a.escaped[i]}, i)
		return nil
	})
	if err != nil {
		return err
	}
	return a.setCells(ctx, threads)
}

// setTerms sets the columns that terms have, and replaces cf of the totals by the place of each
// term's first cell. The totals, which the order has here and there in memory, are read and written
// on several threads.
func (a *Assembly) setTerms(ctx context.Context, threads int, order []uint32) error {
	out := a.out
	out.Reserve(len(order), 0)
	out.DF, out.Start = out.DF[:len(order)], out.Start[:len(order)+1]
	df, start, cf := out.DF, out.Start, make([]float64, len(order))
	err := a.eachRange(ctx, threads, order, func(i int, t *total) {
		df[i], cf[i], start[i+1] = t.df, float64(t.cf), int(t.cells)
	})
	if err != nil {
		return err
	}
	for i, n := range start[1:] {
		start[i+1] = start[i] + n
		out.CF.Append(cf[i], float64(df[i]))
	}
	next := start[len(order)]
	out.Class = table.NewClassColumn(next, 0, len(out.ClassDocs))
	for i := range a.low {
		a.low[i] = make([]uint8, next)
	}
	a.escaped = make([][3][]escape, a.ranges)
	return a.eachRange(ctx, threads, order, func(i int, t *total) { t.cf = uint64(start[i]) })
}

// eachRange calls f for the totals in an order, on several threads.
func (a *Assembly) eachRange(ctx context.Context, threads int, order []uint32, f func(i int, t *total)) error {
	const terms = 1 << 13
	return pool.Run(ctx, threads, (len(order)+terms-1)/terms, func(_, chunk int) error {
		for i := chunk * terms; i < min((chunk+1)*terms, len(order)); i++ {
			f(i, &a.totals[order[i]])
		}
		return nil
	})
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
		if over >= table.Escape {
			over = table.Escape
			w.escaped[i] = append(w.escaped[i], escape{at, float64(n.value)})
		}
		w.a.low[i][at] = uint8(over)
	}
}

// setCells sets the columns that cells have.
func (a *Assembly) setCells(ctx context.Context, threads int) error {
	columns := [...]*table.Column{&a.out.A, &a.out.S, &a.out.Q}
	return pool.Run(ctx, threads, len(columns), func(_, i int) error {
		var all []escape
		for _, own := range a.escaped {
			all = append(all, own[i]...)
		}
		sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at }) // few: smaller code than SortFunc
		values := make([]float64, len(all))
		for j, e := range all {
			values[j] = e.value
		}
		*columns[i], _, _ = table.ColumnOf(a.low[i], table.Escapes(nil, a.low[i], 0), values)
		return nil
	})
}
