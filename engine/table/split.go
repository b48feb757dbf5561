package table

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/usage"
)

// This file cuts statistics by their terms, and joins the parts.

// MostParts is the largest number of parts that [Table.Split] makes.
const MostParts = 1 << 16

// Split cuts statistics into n parts by the terms: part i has those whose xxh3-64 modulo n is
// i, with the margins and classes of the whole, so that a measure gives a term of the part the
// value that it has in the whole. So machines can share the terms of a corpus among them, each
// adding up ([Table.Add]) the same part of every shard. [JoinParts] is the inverse. The
// Provenance of a part says which it is. Sums of weights are dropped.
func (t *Table) Split(n int) ([]*Table, error) {
	switch {
	case n < 1 || n > MostParts:
		return nil, usage.Errorf("statistics are split into 1 to %d parts, not %d", MostParts, n)
	case t.provenance.Part != nil:
		return nil, usage.Errorf("the statistics are %s already: split the whole", t.provenance.Part)
	case n == 1:
		return []*Table{t}, nil
	}
	t = t.Stored()
	terms := make([][]int, n)
	for term := range t.Cells.Terms() {
		i := xxh3.HashString(t.Names.Term(term)) % uint64(n)
		terms[i] = append(terms[i], term)
	}
	parts := make([]*Table, n)
	for i := range parts {
		from := make([]place, len(terms[i]))
		for j, term := range terms[i] {
			from[j] = place{t, term}
		}
		part := gathered(t, from)
		part.provenance.Part = &Part{Numbers: []int{i}, Of: n}
		var err error
		if parts[i], err = part.OfClasses(); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// A place is a term by its number in statistics.
type place struct {
	in   *Table
	term int
}

func (p place) name() string { return p.in.Names.Term(p.term) }

// before compares two places by the order of terms: by document frequency, then by bytes.
func (p place) before(o place) int {
	if c := cmp.Compare(o.in.Cells.DF[o.term], p.in.Cells.DF[p.term]); c != 0 {
		return c
	}
	return cmp.Compare(p.name(), o.name())
}

// gathered returns the statistics of terms, which are in order, with the margins and the record of like.
func gathered(like *Table, terms []place) *Table {
	out := &Table{ClassNames: like.ClassNames, Pruned: like.Pruned, Missing: like.Missing, provenance: like.provenance}
	cells := 0
	for _, p := range terms {
		cells += p.in.Cells.Start[p.term+1] - p.in.Cells.Start[p.term]
	}
	out.Cells.Reserve(len(terms), cells)
	out.Cells.Margins = like.Cells.Margins
	for _, p := range terms {
		out.Cells.AppendTerms(&p.in.Cells, p.term, p.term+1)
	}
	out.Cells.W = nil
	out.Names = NamedBy(len(terms), func(i int) string { return terms[i].name() })
	return out
}

// JoinParts joins parts of the same statistics, which [Table.Split] has made: all of
// them, in any order, make the whole again, to the byte; some make a part of several numbers.
// Parts that have a number twice, or are not of the same statistics, are an
// [ErrParts].
func JoinParts(parts ...*Table) (*Table, error) {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil, usage.Errorf("no parts, or nil statistics, were given")
	}
	first := parts[0]
	if len(parts) == 1 {
		return first, nil
	}
	records := make([]Provenance, len(parts))
	n := 0
	for i, p := range parts {
		records[i] = p.provenance
		n += p.Cells.Terms()
		if !sameMargins(first, p) {
			return nil, fmt.Errorf("%w: %s and %s have other totals: they are not of the same statistics", ErrParts, first.provenance.Part, p.provenance.Part)
		}
	}
	joined, err := JoinPartRecords(records)
	if err != nil {
		return nil, err
	}
	terms := make([]place, 0, n)
	for _, p := range parts {
		for t := range p.Cells.Terms() {
			terms = append(terms, place{p.Stored(), t})
		}
	}
	slices.SortFunc(terms, place.before)
	whole := gathered(first.Stored(), terms)
	whole.provenance = joined
	return whole.OfClasses()
}

// sameMargins reports whether two parts have the same totals and classes.
func sameMargins(a, b *Table) bool {
	a, b = a.Stored(), b.Stored()
	return a.Pruned == b.Pruned && a.Missing == b.Missing && a.Cells.Margins.Same(&b.Cells.Margins) && slices.Equal(a.ClassNames, b.ClassNames)
}
