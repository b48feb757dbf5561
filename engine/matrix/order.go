package matrix

import (
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// This file puts columns into the order of the bytes of their names.

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
	names := store.NewDictionary(t.terms, name)
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
