package matrix

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// This file assembles the lists of classes that rows give, each in the order of columns.
// Columns are taken in ranges, so that their totals stay in the cache while all lists are
// gone through.

// rowLists are lists of classes with the ranges of columns that they are cut into.
type rowLists struct {
	lists   []cellList // by class, and of the class behind the last
	several bool       // the list behind the last has all documents, not those without a class
	ranges  []pool.Range
	places  [][]int // by range, and the end: the first cell of each list in it
}

// rangeColumns is the number of columns whose totals stay in a first-level cache.
const rangeColumns = 1 << 11

// newRowLists cuts the columns into ranges. There are the fewer the more lists there are,
// so that a list has several cells in a range.
func newRowLists(lists []cellList, columns int) *rowLists {
	r := &rowLists{lists: lists}
	n := 0
	for i := range lists {
		n += len(lists[i].at)
	}
	most := max(1, min((columns+rangeColumns-1)/rangeColumns, n/(8*len(lists))))
	size := max(1, (columns+most-1)/most)
	for from := 0; from < columns; from += size {
		r.ranges = append(r.ranges, pool.Range{From: from, To: min(from+size, columns)})
	}
	r.places = make([][]int, len(r.ranges)+1)
	for i := range r.places {
		r.places[i] = make([]int, len(lists))
	}
	for class := range lists {
		at := lists[class].at
		for i := range r.ranges {
			from := r.places[i][class]
			n, _ := slices.BinarySearch(at[from:], uint32(r.ranges[i].To))
			r.places[i+1][class] = from + n
		}
	}
	return r
}

// sum adds up the columns of a range.
func (r *rowLists) sum(totals []total, i int) {
	for class := range r.lists {
		l := &r.lists[class]
		from, to := r.places[i][class], r.places[i+1][class]
		switch {
		case class == len(r.lists)-1:
			l.addTo(totals, from, to, 0)
		case r.several:
			for _, at := range l.at[from:to] {
				totals[at].cells++
			}
		default:
			l.addTo(totals, from, to, 1)
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

// writeList writes the cells [from, to) of the list of a class.
func (w *cellWriter) writeList(l *cellList, class uint32, from, to int) {
	a := w.a
	totals, classes, docs, sums, squares := a.totals, a.out.Class, a.low[0], a.low[1], a.low[2]
	large := l.largeFrom(from)
	for i := from; i < to; i++ {
		t, number := &totals[l.at[i]], l.number[i]
		at := t.cf
		t.cf++
		classes[at] = class
		if (number+oneMore)&tooMuch != 0 {
			var cell largeCell
			cell, large = l.counts(i, large)
			w.writeLarge(int(at), cell)
			continue
		}
		docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
	}
}

// assembled returns an assembly of the lists whose totals and margins are set.
func (t *task) assembled(ctx context.Context, lists []cellList) (*assembly, error) {
	r := newRowLists(lists, t.terms)
	r.several = t.docs.Several
	a := &assembly{ranges: len(r.ranges), totals: make([]total, t.terms), out: t.margins()}
	last := len(lists) - 1
	for class := range lists[:last] {
		a.out.ClassTokens[class] = float64(lists[class].tokens)
		if !r.several {
			a.out.Tokens += a.out.ClassTokens[class]
		}
	}
	a.out.Tokens += float64(lists[last].tokens)
	a.write = func(w *cellWriter, i int) {
		for class := range lists[:last] {
			w.writeList(&lists[class], uint32(class), r.places[i][class], r.places[i+1][class])
		}
	}
	err := pool.Run(ctx, t.options.Threads, a.ranges, func(_, i int) error {
		r.sum(a.totals, i)
		return nil
	})
	return a, err
}
