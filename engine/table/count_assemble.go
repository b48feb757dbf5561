package table

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/pool"
)

// This file makes cells of the lists of classes: it puts each cell in its place in the order of the
// terms. Terms are taken in ranges, so that their totals stay in the cache while all lists are gone
// through.

// A total has what was counted of one term.
type total struct {
	df    uint32 // documents
	cells uint32
	// cf is the number of occurrences; once terms are in order, the place of the next cell.
	cf uint64
}

// An assembly makes cells of the lists of classes. Terms have the numbers in which they were counted.
type assembly struct {
	lists   []list       // by class, and of the class behind the last
	several bool         // the list behind the last has all documents, not those without a class
	ranges  []pool.Range // of terms
	places  [][]int      // by range, and the end: the first cell of each list in it
	totals  []total      // by term

	out     *Cells
	low     [3][]uint8 // A, S and Q, as columns of cells have them
	escaped []escapes  // by range
}

// escapes are what does not fit into the bytes of cells: A, S and Q.
type escapes [3][]escape

// An escape is a number that does not fit into the byte of its cell.
type escape struct {
	at    int
	value float64
}

// df returns the number of documents of each term.
func (a *assembly) df() []uint32 {
	df := make([]uint32, len(a.totals))
	for i := range df {
		df[i] = a.totals[i].df
	}
	return df
}

// finish sets the cells of the terms in this order, which has all that have a document.
func (a *assembly) finish(ctx context.Context, threads int, order []uint32) error {
	if err := a.setTerms(ctx, threads, order); err != nil {
		return err
	}
	err := pool.Run(ctx, threads, len(a.ranges), func(_, i int) error {
		w := &writer{a, &a.escaped[i]}
		for class := range a.lists[:len(a.lists)-1] {
			w.writeList(&a.lists[class], uint32(class), a.places[i][class], a.places[i+1][class])
		}
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
func (a *assembly) setTerms(ctx context.Context, threads int, order []uint32) error {
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
	out.Class = NewClassColumn(next, 0, len(out.ClassDocs))
	for i := range a.low {
		a.low[i] = make([]uint8, next)
	}
	a.escaped = make([]escapes, len(a.ranges))
	return a.eachRange(ctx, threads, order, func(i int, t *total) { t.cf = uint64(start[i]) })
}

// eachRange calls f for the totals in an order, on several threads.
func (a *assembly) eachRange(ctx context.Context, threads int, order []uint32, f func(i int, t *total)) error {
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
	a       *assembly
	escaped *escapes
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
		if over >= Escape {
			over = Escape
			w.escaped[i] = append(w.escaped[i], escape{at, float64(n.value)})
		}
		w.a.low[i][at] = uint8(over)
	}
}

// setCells sets the columns that cells have.
func (a *assembly) setCells(ctx context.Context, threads int) error {
	columns := [...]*Column{&a.out.A, &a.out.S, &a.out.Q}
	err := pool.Run(ctx, threads, len(columns), func(_, i int) error {
		var all []escape
		for _, own := range a.escaped {
			all = append(all, own[i]...)
		}
		sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at }) // few: smaller code than SortFunc
		*columns[i] = Column{low: a.low[i]}
		for _, e := range all {
			columns[i].escape(e.at, e.value)
		}
		return nil
	})
	if a.out.inexactSquares() {
		a.out.centre()
	}
	return err
}

// rangeTerms is the number of terms whose totals stay in a first-level cache.
const rangeTerms = 1 << 11

// cut cuts the terms into ranges. There are the fewer the more lists there are, so that a list
// has several cells in a range.
func (a *assembly) cut() {
	lists, terms := a.lists, len(a.totals)
	n := 0
	for i := range lists {
		n += len(lists[i].at)
	}
	most := max(1, min((terms+rangeTerms-1)/rangeTerms, n/(8*len(lists))))
	size := max(1, (terms+most-1)/most)
	for from := 0; from < terms; from += size {
		a.ranges = append(a.ranges, pool.Range{From: from, To: min(from+size, terms)})
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
}

// sum adds up the terms of a range.
func (a *assembly) sum(i int) {
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

// addTo adds the cells [from, to) to the totals of their terms; each counts as so many.
func (l *list) addTo(totals []total, from, to int, cell uint32) {
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
func (l *list) largeFrom(i int) []largeCell {
	if i == len(l.at) {
		return nil
	}
	at, _ := slices.BinarySearchFunc(l.large, l.at[i], func(c largeCell, at uint32) int { return cmp.Compare(c.at, at) })
	return l.large[at:]
}

// writeList writes the cells [from, to) of the list of a class.
func (w *writer) writeList(l *list, class uint32, from, to int) {
	a := w.a
	totals, classes, docs, sums, squares := a.totals, &a.out.Class, a.low[0], a.low[1], a.low[2]
	large := l.largeFrom(from)
	for i := from; i < to; i++ {
		t, number := &totals[l.at[i]], l.number[i]
		at := t.cf
		t.cf++
		classes.set(int(at), class)
		if (number+oneMore)&tooMuch != 0 {
			var cell largeCell
			cell, large = l.counts(i, large)
			w.writeLarge(int(at), cell)
			continue
		}
		docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
	}
}

// assemble returns an assembly of the lists of classes and of the class behind the last, see
// [Documents.ByClass], for so many terms. out has the margins of documents; those of tokens are set.
func assemble(ctx context.Context, threads int, lists []list, terms int, several bool, out *Cells) (*assembly, error) {
	a := &assembly{lists: lists, several: several, totals: make([]total, terms), out: out}
	a.cut()
	last := len(lists) - 1
	out.ClassTokens = make([]float64, last)
	for class := range lists[:last] {
		out.ClassTokens[class] = float64(lists[class].tokens)
		if !several {
			out.Tokens += out.ClassTokens[class]
		}
	}
	out.Tokens += float64(lists[last].tokens)
	err := pool.Run(ctx, threads, len(a.ranges), func(_, i int) error {
		a.sum(i)
		return nil
	})
	return a, err
}
