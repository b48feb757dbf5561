package gather

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file assembles the lists of classes, each in the order of the terms. Terms are taken in
// ranges, so that their totals stay in the cache while all lists are gone through.

// classLists are lists of classes with the ranges of terms that they are cut into.
type classLists struct {
	lists   []List       // by class, and of the class behind the last
	several bool         // the list behind the last has all documents, not those without a class
	ranges  []pool.Range // of terms
	places  [][]int      // by range, and the end: the first cell of each list in it
}

// rangeTerms is the number of terms whose totals stay in a first-level cache.
const rangeTerms = 1 << 11

// newClassLists cuts the terms into ranges. There are the fewer the more lists there are,
// so that a list has several cells in a range.
func newClassLists(lists []List, terms int) *classLists {
	r := &classLists{lists: lists}
	n := 0
	for i := range lists {
		n += len(lists[i].at)
	}
	most := max(1, min((terms+rangeTerms-1)/rangeTerms, n/(8*len(lists))))
	size := max(1, (terms+most-1)/most)
	for from := 0; from < terms; from += size {
		r.ranges = append(r.ranges, pool.Range{From: from, To: min(from+size, terms)})
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

// sum adds up the terms of a range.
func (r *classLists) sum(totals []total, i int) {
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

// addTo adds the cells [from, to) to the totals of their terms; each counts as so many.
func (l *List) addTo(totals []total, from, to int, cell uint32) {
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
func (l *List) largeFrom(i int) []largeCell {
	if i == len(l.at) {
		return nil
	}
	at, _ := slices.BinarySearchFunc(l.large, l.at[i], func(c largeCell, at uint32) int { return cmp.Compare(c.at, at) })
	return l.large[at:]
}

// writeList writes the cells [from, to) of the list of a class.
func (w *writer) writeList(l *List, class uint32, from, to int) {
	a := w.a
	totals, classes, docs, sums, squares := a.totals, &a.out.Class, a.low[0], a.low[1], a.low[2]
	large := l.largeFrom(from)
	for i := from; i < to; i++ {
		t, number := &totals[l.at[i]], l.number[i]
		at := t.cf
		t.cf++
		classes.Set(int(at), class)
		if (number+oneMore)&tooMuch != 0 {
			var cell largeCell
			cell, large = l.counts(i, large)
			w.writeLarge(int(at), cell)
			continue
		}
		docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
	}
}

// OfLists returns an assembly of the lists of classes and of the class behind the last, see
// [Documents.ByClass], for so many terms. out has the margins of documents; those of tokens are set.
func OfLists(ctx context.Context, threads int, lists []List, terms int, several bool, out *table.Cells) (*Assembly, error) {
	r := newClassLists(lists, terms)
	r.several = several
	a := &Assembly{ranges: len(r.ranges), totals: make([]total, terms), out: out}
	last := len(lists) - 1
	out.ClassTokens = make([]float64, last)
	for class := range lists[:last] {
		out.ClassTokens[class] = float64(lists[class].tokens)
		if !several {
			out.Tokens += out.ClassTokens[class]
		}
	}
	out.Tokens += float64(lists[last].tokens)
	a.write = func(w *writer, i int) {
		for class := range lists[:last] {
			w.writeList(&lists[class], uint32(class), r.places[i][class], r.places[i+1][class])
		}
	}
	err := pool.Run(ctx, threads, a.ranges, func(_, i int) error {
		r.sum(a.totals, i)
		return nil
	})
	return a, err
}
