package corpus

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file cuts statistics by their terms, and joins the parts.

// MostParts is the largest number of parts that [Statistics.Split] makes.
const MostParts = 1 << 16

// Split cuts statistics into n parts by the terms: part i has those whose xxh3-64 modulo n is
// i, with the margins and classes of the whole, so that a measure gives a term of the part the
// value that it has in the whole. So machines can share the terms of a corpus among them, each
// adding up ([Statistics.Add]) the same part of every shard. [JoinParts] is the inverse. The
// Provenance of a part says which it is. Sums of weights are dropped.
func (s *Statistics) Split(n int) ([]*Statistics, error) {
	switch {
	case n < 1 || n > MostParts:
		return nil, usage.Errorf("statistics are split into 1 to %d parts, not %d", MostParts, n)
	case s.provenance.Part != nil:
		return nil, usage.Errorf("the statistics are %s already: split the whole", s.provenance.Part)
	case n == 1:
		return []*Statistics{s}, nil
	}
	terms := make([][]int, n)
	for t := range s.Terms() {
		i := xxh3.HashString(s.counts.Terms.Term(t)) % uint64(n)
		terms[i] = append(terms[i], t)
	}
	parts := make([]*Statistics, n)
	for i := range parts {
		from := make([]place, len(terms[i]))
		for j, t := range terms[i] {
			from[j] = place{s.counts, t}
		}
		parts[i] = &Statistics{counts: gathered(s.counts, from), provenance: s.provenance}
		parts[i].provenance.Part = &table.Part{Numbers: []int{i}, Of: n}
	}
	return parts, nil
}

// A place is a term by its number in statistics.
type place struct {
	in   *table.Table
	term int
}

func (p place) name() string { return p.in.Terms.Term(p.term) }

// before compares two places by the order of terms: by document frequency, then by bytes.
func (p place) before(o place) int {
	if c := cmp.Compare(o.in.DF[o.term], p.in.DF[p.term]); c != 0 {
		return c
	}
	return cmp.Compare(p.name(), o.name())
}

// gathered returns the statistics of terms, which are in order, with the margins of like.
func gathered(like *table.Table, terms []place) *table.Table {
	out := &table.Table{Classes: like.Classes, Pruned: like.Pruned, Missing: like.Missing}
	cells := 0
	for _, p := range terms {
		cells += p.in.Start[p.term+1] - p.in.Start[p.term]
	}
	out.Reserve(len(terms), cells)
	out.Margins = like.Margins
	for _, p := range terms {
		out.AppendTerms(&p.in.Cells, p.term, p.term+1)
	}
	out.W = nil
	out.Terms = table.NamedBy(len(terms), func(i int) string { return terms[i].name() })
	return out
}

// JoinParts joins parts of the same statistics, which [Statistics.Split] has made: all of
// them, in any order, make the whole again, to the byte; some make a part of several numbers.
// Parts that have a number twice, or are not of the same statistics, are an
// [table.ErrParts].
func JoinParts(parts ...*Statistics) (*Statistics, error) {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil, usage.Errorf("no parts, or nil statistics, were given")
	}
	first := parts[0]
	if len(parts) == 1 {
		return first, nil
	}
	records := make([]table.Provenance, len(parts))
	n := 0
	for i, p := range parts {
		records[i] = p.provenance
		n += p.Terms()
		if !sameMargins(first.counts, p.counts) {
			return nil, fmt.Errorf("%w: %s and %s have other totals: they are not of the same statistics", table.ErrParts, first.provenance.Part, p.provenance.Part)
		}
	}
	joined, err := table.JoinPartRecords(records)
	if err != nil {
		return nil, err
	}
	terms := make([]place, 0, n)
	for _, p := range parts {
		for t := range p.Terms() {
			terms = append(terms, place{p.counts, t})
		}
	}
	slices.SortFunc(terms, place.before)
	return &Statistics{counts: gathered(first.counts, terms), provenance: joined}, nil
}

// sameMargins reports whether two parts have the same totals and classes.
func sameMargins(a, b *table.Table) bool {
	return a.Pruned == b.Pruned && a.Missing == b.Missing && a.Margins.Same(&b.Margins) && slices.Equal(a.Classes, b.Classes)
}
