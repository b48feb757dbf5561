package matrix

import (
	"context"
	"sort"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// This file makes statistics of what was counted: it puts the columns in order, and each
// cell in its place.

// A total has what was counted of one column.
type total struct {
	df    uint32 // documents
	cells uint32
	// cf is the number of occurrences; once columns are in order, the place of the next cell.
	cf uint64
}

// An assembly makes statistics of the totals of columns and of their cells, which write
// writes for one range of columns.
type assembly struct {
	totals []total // by column
	ranges int     // of columns
	write  func(w *cellWriter, i int)

	out     *store.Statistics
	low     [3][]uint8 // A, S and Q, as columns of cells have them
	escaped [][3][]escape
}

// An escape is a number that does not fit into the byte of its cell.
type escape struct {
	at    int
	value float64
}

// firstPlaces returns, by df, the place of the first column of that df, the largest df
// first, and the number of columns that have a document.
func firstPlaces(totals []total) (place []int, terms int) {
	most := uint32(0)
	for i := range totals {
		most = max(most, totals[i].df)
	}
	place = make([]int, int(most)+1)
	for i := range totals {
		place[totals[i].df]++
	}
	for df := len(place) - 1; df > 0; df-- {
		place[df], terms = terms, terms+place[df]
	}
	return place, terms
}

// setTerms sets the columns of the statistics that terms have, given the columns in their
// order, and replaces cf of the totals by the place of each column's first cell.
func (a *assembly) setTerms(columns []uint32) {
	out := a.out
	out.Reserve(len(columns), 0)
	next := 0
	for _, at := range columns {
		t := &a.totals[at]
		out.DF = append(out.DF, t.df)
		out.CF.Append(float64(t.cf), float64(t.df))
		t.cf = uint64(next)
		next += int(t.cells)
		out.Start = append(out.Start, next)
	}
	out.Class = make([]uint32, next)
	for i := range a.low {
		a.low[i] = make([]uint8, next)
	}
	a.escaped = make([][3][]escape, a.ranges)
}

// A cellWriter writes cells to their places.
type cellWriter struct {
	a       *assembly
	escaped *[3][]escape
}

const (
	// oneMore added to a number sets one of tooMuch if a field of it, or the number itself,
	// is no byte below that of an escape.
	oneMore = 1 | 1<<excessShift | 1<<squaresShift
	tooMuch = 0x300 | 0x300<<excessShift | 0xf00<<squaresShift
)

// writeLarge writes a cell whose numbers may not fit into bytes.
func (w *cellWriter) writeLarge(at int, c largeCell) {
	for i, n := range [3]struct{ value, floor uint64 }{{c.a, 0}, {c.s, c.a}, {c.q, c.s}} {
		over := n.value - n.floor
		if over >= cells.Escape {
			over = cells.Escape
			w.escaped[i] = append(w.escaped[i], escape{at, float64(n.value)})
		}
		w.a.low[i][at] = uint8(over)
	}
}

// setCells sets the columns of the statistics that cells have.
func (a *assembly) setCells() {
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

// assemble returns the statistics, and the caller's column of each term.
func (t *task) assemble(ctx context.Context, a *assembly) (*store.Statistics, []uint32, error) {
	columns, err := t.order(a.totals)
	if err != nil {
		return nil, nil, err
	}
	a.setTerms(columns)
	err = pool.Run(ctx, t.options.Threads, a.ranges, func(_, i int) error {
		a.write(&cellWriter{a: a, escaped: &a.escaped[i]}, i)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	a.setCells()
	return a.out, t.nameTerms(a.out, columns), nil
}

// order returns the columns that have a document in the order of the statistics.
func (t *task) order(totals []total) ([]uint32, error) {
	next, terms := firstPlaces(totals)
	columns := make([]uint32, terms)
	err := t.byName(func(at uint32) {
		if df := totals[at].df; df > 0 {
			columns[next[df]] = at
			next[df]++
		}
	})
	return columns, err
}

// nameTerms sets the names of the terms. It returns the caller's columns of them, which
// it puts in place of those of the task.
func (t *task) nameTerms(s *store.Statistics, columns []uint32) []uint32 {
	for i, at := range columns {
		columns[i] = t.column(at)
	}
	o := *t.options
	s.Terms = store.NewDictionary(len(columns), func(id int) string { return o.name(columns[id]) })
	return columns
}

// margins returns statistics with the classes and the numbers of documents.
func (t *task) margins() *store.Statistics {
	d, k := t.docs, len(t.docs.Classes)
	s := &store.Statistics{Classes: d.Classes}
	s.Documents = float64(d.N)
	s.ClassDocs, s.ClassTokens = d.Sizes(), make([]float64, k)
	for doc := range d.N {
		if d.Start[doc] < d.Start[doc+1] {
			s.Labelled++
		}
	}
	return s
}
