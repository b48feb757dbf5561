package gather

import (
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file counts term by term: the places of a counter are classes.

// A Column counts the documents of one term after another. Its counter has a place for each
// class, and one behind the last: for the documents without a class, or for all documents if some
// have several classes.
type Column struct {
	Counter
	several bool
	tokens  []uint64 // by class
}

// NewColumn returns a Column for so many classes.
func NewColumn(classes int, several bool) *Column {
	return &Column{Counter: *NewCounter(classes + 1), several: several, tokens: make([]uint64, classes)}
}

// A Range has the cells of a range of terms, those of a term together.
type Range struct {
	pool.Range
	list List // its places are classes
}

// Columns are what is counted of all terms.
type Columns struct {
	ranges []Range
	totals []total
}

// NewColumns returns room for the cells of ranges of so many terms.
func NewColumns(ranges []pool.Range, terms int) *Columns {
	c := &Columns{ranges: make([]Range, len(ranges)), totals: make([]total, terms)}
	for i, r := range ranges {
		c.ranges[i].Range = r
	}
	return c
}

// End ends a term of range i, which has so many elements, and appends its cells to the range.
// meet is as for [Counter.End].
func (c *Columns) End(of *Column, i, term, elements int, meet func()) {
	met := of.occupied(elements, meet)
	r, sum, large, none := &c.ranges[i], &c.totals[term], of.large, uint32(len(of.tokens))
	for _, at := range met {
		number := of.Number[at]
		of.Number[at] = 0
		cell := largeCell{at: at}
		if number == inList {
			cell, large = large[0], large[1:]
		} else {
			cell.add(number)
		}
		if at == none || !of.several {
			sum.df += uint32(cell.a)
			sum.cf += cell.s
		}
		if at == none {
			continue
		}
		of.tokens[at] += cell.s
		sum.cells++
		r.list.at, r.list.number = append(r.list.at, at), append(r.list.number, number)
		if number == inList {
			r.list.large = append(r.list.large, cell)
		}
	}
	of.large = of.large[:0]
}

// Assembly returns an assembly of the cells that workers, of which some may be nil, have
// counted from so many values. out has the margins of documents; those of tokens are set. exact is
// as for [Exact].
func (c *Columns) Assembly(workers []*Column, values int64, out *table.Cells) (a *Assembly, exact bool) {
	a = &Assembly{ranges: len(c.ranges), totals: c.totals, out: out}
	out.ClassTokens = make([]float64, len(out.ClassDocs))
	var counters []*Counter
	for _, w := range workers {
		if w == nil {
			continue
		}
		counters = append(counters, &w.Counter)
		for class, n := range w.tokens {
			out.ClassTokens[class] += float64(n)
		}
	}
	for i := range a.totals {
		out.Tokens += float64(a.totals[i].cf)
	}
	a.write = func(w *writer, i int) { w.writeColumns(&c.ranges[i]) }
	return a, Exact(counters, values)
}

// writeColumns writes the cells of a range of terms.
func (w *writer) writeColumns(r *Range) {
	a, l := w.a, &r.list
	classes, docs, sums, squares := &a.out.Class, a.low[0], a.low[1], a.low[2]
	large, i := l.large, 0
	for term := r.From; term < r.To; term++ {
		t := &a.totals[term]
		at := t.cf
		for end := i + int(t.cells); i < end; i++ {
			number := l.number[i]
			classes.Set(int(at), l.at[i])
			if (number+oneMore)&tooMuch != 0 {
				var cell largeCell
				cell, large = l.counts(i, large)
				w.writeLarge(int(at), cell)
			} else {
				docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
			}
			at++
		}
	}
}
