package matrix

import (
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file puts columns into the order of the bytes of their names.

// order returns the columns that have a document in the order of the statistics.
func (t *task) order(df []uint32) ([]uint32, error) {
	next, terms := firstPlaces(df)
	columns := make([]uint32, terms)
	err := t.byName(func(at uint32) {
		if n := df[at]; n > 0 {
			columns[next[n]] = at
			next[n]++
		}
	})
	return columns, err
}

// firstPlaces returns, by df, the place of the first column of that df, the largest df
// first, and the number of columns that have a document.
func firstPlaces(df []uint32) (place []int, terms int) {
	most := uint32(0)
	for _, n := range df {
		most = max(most, n)
	}
	place = make([]int, int(most)+1)
	for _, n := range df {
		place[n]++
	}
	for n := len(place) - 1; n > 0; n-- {
		place[n], terms = terms, terms+place[n]
	}
	return place, terms
}

// nameTerms sets the names of the terms. It returns the caller's columns of them, which
// it puts in place of those of the task.
func (t *task) nameTerms(s *table.Table, columns []uint32) []uint32 {
	for i, at := range columns {
		columns[i] = t.column(at)
	}
	o := *t.options
	s.Names = table.NamedBy(len(columns), func(id int) string { return o.name(columns[id]) })
	return columns
}

// A decimal goes through the numbers below n in the order of the bytes of their decimals: 0
// 1 10 100 11 12 2.
type decimal struct{ at, n uint64 }

// next goes to the next number.
func (d *decimal) next() {
	switch {
	case d.at == 0:
		d.at = 1
		return
	case d.at*10 < d.n:
		d.at *= 10
		return
	case d.at+1 >= d.n: // the last of its length
		d.at /= 10
	}
	d.at++
	for d.at%10 == 0 {
		d.at /= 10
	}
}

// byName calls f for the columns in the order of their names. It returns an error if two
// names are the same.
func (t *task) byName(f func(column uint32)) error {
	if t.options.Terms == nil && t.columns == nil {
		d := decimal{n: uint64(t.terms)}
		for range t.terms {
			f(uint32(d.at))
			d.next()
		}
		return nil
	}
	name := func(at int) string { return t.options.name(t.column(uint32(at))) }
	names := table.NamedBy(t.terms, name)
	last := ""
	for i, at := range names.Sorted() {
		own := name(int(at))
		if i > 0 && own == last {
			return usage.Errorf("matrix: Options.Terms has %q twice; names must differ", usage.Cut(own))
		}
		last = own
		f(at)
	}
	return nil
}
