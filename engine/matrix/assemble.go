package matrix

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// This file makes statistics of the lists of classes, which are in the order of columns:
// it adds up each column, orders the columns, and writes each cell to its place. Columns
// are taken in ranges, so that what is kept of them stays in the cache.

// A total has what the lists hold of one column.
type total struct {
	df    uint32 // documents
	cells uint32
	// cf is the number of occurrences; once columns are in order, the place of the next cell.
	cf uint64
}

// An assembly makes statistics of lists.
type assembly struct {
	lists  []cellList // by class, and of the class behind the last
	ranges []pool.Range
	places [][]int // by range, and the end: the first cell of each list in it
	totals []total // by column

	several bool // the list behind the last has all documents, not those without a class
	out     *store.Statistics
	low     [3][]uint8 // A, S and Q, as columns of cells have them
	escaped [][3][]escape
}

// An escape is a number that does not fit into the byte of its cell.
type escape struct {
	at    int
	value float64
}

// rangeColumns is the number of columns whose totals stay in a first-level cache.
const rangeColumns = 1 << 11

// newAssembly cuts the columns into ranges. There are the fewer the more lists there are,
// so that a list has several cells in a range.
func newAssembly(lists []cellList, columns int) *assembly {
	a := &assembly{lists: lists, totals: make([]total, columns)}
	n := 0
	for i := range lists {
		n += len(lists[i].at)
	}
	most := max(1, min((columns+rangeColumns-1)/rangeColumns, n/(8*len(lists))))
	size := max(1, (columns+most-1)/most)
	for from := 0; from < columns; from += size {
		a.ranges = append(a.ranges, pool.Range{From: from, To: min(from+size, columns)})
	}
	a.places = make([][]int, len(a.ranges)+1)
	for i := range a.places {
		a.places[i] = make([]int, len(lists))
	}
	for class := range lists {
		at := lists[class].at
		for i := range a.ranges {
			from := a.places[i][class]
			n, _ := slices.BinarySearch(at[from:], uint32(a.ranges[i].To))
			a.places[i+1][class] = from + n
		}
	}
	return a
}

// sumRange adds up the columns of a range.
func (a *assembly) sumRange(i int) {
	for class := range a.lists {
		l := &a.lists[class]
		from, to := a.places[i][class], a.places[i+1][class]
		switch {
		case class == len(a.lists)-1:
			l.addTo(a.totals, from, to, 0)
		case a.several:
			for _, at := range l.at[from:to] {
				a.totals[at].cells++
			}
		default:
			l.addTo(a.totals, from, to, 1)
		}
	}
}

// addTo adds the cells [from, to) to the totals of their columns; each counts as so many.
func (l *cellList) addTo(totals []total, from, to int, cell uint32) {
	large := l.largeFrom(from)
	for i := from; i < to; i++ {
		t, number := &totals[l.at[i]], l.number[i]
		t.cells += cell
		if number == inList {
			t.df += uint32(large[0].a)
			t.cf += large[0].s
			large = large[1:]
			continue
		}
		t.df += number & docsMask
		t.cf += uint64(number&docsMask + number>>excessShift&excessMask)
	}
}

// largeFrom returns the large cells from cell i on.
func (l *cellList) largeFrom(i int) []largeCell {
	if i == len(l.at) {
		return nil
	}
	at, _ := slices.BinarySearchFunc(l.large, l.at[i], func(c largeCell, at uint32) int { return cmp.Compare(c.at, at) })
	return l.large[at:]
}

// firstPlaces returns, by df, the place of the first column of that df, the largest df
// first, and the number of columns that have a document.
func (a *assembly) firstPlaces() (place []int, terms int) {
	most := uint32(0)
	for i := range a.totals {
		most = max(most, a.totals[i].df)
	}
	place = make([]int, int(most)+1)
	for i := range a.totals {
		place[a.totals[i].df]++
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
	a.escaped = make([][3][]escape, len(a.ranges))
}

// writeRange writes the cells of a range of columns.
func (a *assembly) writeRange(i int) {
	w := cellWriter{a: a, escaped: &a.escaped[i]}
	for class := range a.lists[:len(a.lists)-1] {
		w.class = uint32(class)
		w.write(&a.lists[class], a.places[i][class], a.places[i+1][class])
	}
}

// A cellWriter writes cells to their places.
type cellWriter struct {
	a       *assembly
	class   uint32
	escaped *[3][]escape
}

const (
	// oneMore added to a number sets one of tooMuch if a field of it, or the number itself,
	// is no byte below that of an escape.
	oneMore = 1 | 1<<excessShift | 1<<squaresShift
	tooMuch = 0x300 | 0x300<<excessShift | 0xf00<<squaresShift
)

// write writes the cells [from, to) of a list.
func (w *cellWriter) write(l *cellList, from, to int) {
	a := w.a
	totals, classes, docs, sums, squares := a.totals, a.out.Class, a.low[0], a.low[1], a.low[2]
	large := l.largeFrom(from)
	for i := from; i < to; i++ {
		t, number := &totals[l.at[i]], l.number[i]
		at := t.cf
		t.cf++
		classes[at] = w.class
		if (number+oneMore)&tooMuch != 0 {
			var cell largeCell
			cell, large = l.counts(i, large)
			w.writeLarge(int(at), cell)
			continue
		}
		docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
	}
}

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
		slices.SortFunc(all, func(x, y escape) int { return cmp.Compare(x.at, y.at) })
		values := make([]float64, len(all))
		for j, e := range all {
			values[j] = e.value
		}
		*column, _, _ = cells.ColumnOf(a.low[i], values)
	}
}

// assemble returns the statistics of the lists of the classes.
func (t *task[I, V]) assemble(ctx context.Context, lists []cellList) (*store.Statistics, []uint32, error) {
	a := newAssembly(lists, t.Terms)
	a.several = t.docs.several
	a.out = &store.Statistics{Classes: t.docs.classes}
	t.setMargins(a)
	err := pool.Run(ctx, t.options.Threads, len(a.ranges), func(_, i int) error {
		a.sumRange(i)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	columns, err := t.order(a)
	if err != nil {
		return nil, nil, err
	}
	a.setTerms(columns)
	err = pool.Run(ctx, t.options.Threads, len(a.ranges), func(_, i int) error {
		a.writeRange(i)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	a.setCells()
	return a.out, t.nameTerms(a.out, columns), nil
}

// order returns the columns that have a document in the order of the statistics.
func (t *task[I, V]) order(a *assembly) ([]uint32, error) {
	next, terms := a.firstPlaces()
	columns := make([]uint32, terms)
	err := t.byName(func(at uint32) {
		if df := a.totals[at].df; df > 0 {
			columns[next[df]] = at
			next[df]++
		}
	})
	return columns, err
}

// nameTerms sets the names of the terms. It returns the caller's columns of them, which
// it puts in place of those of the task.
func (t *task[I, V]) nameTerms(s *store.Statistics, columns []uint32) []uint32 {
	for i, at := range columns {
		columns[i] = t.column(at)
	}
	o := *t.options
	s.Terms = store.NewDictionary(len(columns), func(id int) string { return o.name(columns[id]) })
	return columns
}

// setMargins sets the totals of the documents and of their tokens.
func (t *task[I, V]) setMargins(a *assembly) {
	d, s, k := t.docs, a.out, len(t.docs.classes)
	s.Documents = float64(d.n)
	s.ClassDocs, s.ClassTokens = make([]float64, k), make([]float64, k)
	for doc := range d.n {
		if d.start[doc] < d.start[doc+1] {
			s.Labelled++
		}
	}
	for _, class := range d.of {
		s.ClassDocs[class]++
	}
	for class := range k {
		s.ClassTokens[class] = float64(a.lists[class].tokens)
		if !d.several {
			s.Tokens += s.ClassTokens[class]
		}
	}
	s.Tokens += float64(a.lists[k].tokens)
}
