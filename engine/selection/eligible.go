package selection

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// A field is the set of terms that a selection may choose from.
type field struct {
	from    rank.Counted // the caller's corpus or statistics
	names   *table.Dictionary
	all     bool  // it has every term; terms is not set, which would take as much memory as the values
	terms   []int // their numbers, ascending
	dropped map[string]bool
}

// fieldOf returns the terms of the statistics, which are those of c, that are in among,
// unless that is nil, and not in drop.
func fieldOf(c rank.Counted, stats *table.Table, among *Selection, drop []string) *field {
	f := &field{from: c, names: stats.Names, all: among == nil && len(drop) == 0, dropped: setOf(drop)}
	if f.all {
		return f
	}
	wanted := map[string]bool{}
	if among != nil {
		for _, feature := range among.Features {
			wanted[feature.Term] = true
		}
	}
	// This goes through all terms, as looking them up would sort the dictionary.
	for t := range f.names.Len() {
		if term := f.names.Term(t); (among == nil || wanted[term]) && !f.dropped[term] {
			f.terms = append(f.terms, t)
		}
	}
	return f
}

func (f *field) len() int {
	if f.all {
		return f.names.Len()
	}
	return len(f.terms)
}

// term returns the number of the term at a place.
func (f *field) term(place int) int {
	if f.all {
		return place
	}
	return f.terms[place]
}

// setOf returns the terms as the keys of a map.
func setOf(terms []string) map[string]bool {
	m := make(map[string]bool, len(terms))
	for _, t := range terms {
		m[t] = true
	}
	return m
}

// candidates are the terms of a field with the values of a ranking. A place is an index of
// a candidate; places are in the order of term numbers.
type candidates struct {
	*field
	r       *rank.Ranking
	values  []float64
	defined int // values that are: no other term is kept for its value
	threads int
}

func newCandidates(r *rank.Ranking, f *field, threads int) *candidates {
	list := &candidates{field: f, r: r, values: r.Values(), threads: threads}
	if !f.all {
		list.values = make([]float64, len(f.terms))
		for i, t := range f.terms {
			list.values[i] = r.Values()[t]
		}
	}
	for _, v := range list.values {
		if !math.IsNaN(v) {
			list.defined++
		}
	}
	return list
}

// best returns the places of the n best candidates, best first, as far as their values are defined.
func (l *candidates) best(n int) []int { return rank.TopK(l.values, min(n, l.defined)) }

// entries returns the entries of the terms at places, in that order.
func (l *candidates) entries(places []int) []rank.Entry {
	out, entry := make([]rank.Entry, len(places)), l.r.Entries()
	for i, p := range places {
		out[i] = entry(l.term(p))
	}
	return out
}

// numbers returns the numbers of the terms at places.
func (l *candidates) numbers(places []int) []int {
	numbers := make([]int, len(places))
	for i, p := range places {
		numbers[i] = l.term(p)
	}
	return numbers
}

// byClass unites the terms that are chosen for each class: all that the criterion keeps
// for it or, with RoundRobin, one term of each class in turn.
func (m *selector) byClass(ctx context.Context) ([]rank.Entry, error) {
	if err := m.out.Provenance.RequireClasses(len(m.out.Classes), "a selection for each class"); len(m.out.Classes) == 0 {
		return nil, err
	}
	lists := make([][]rank.Entry, 0, len(m.out.Classes))
	for _, class := range m.out.Classes {
		r, err := m.by.Class(ctx, m.stats, class)
		if err != nil {
			return nil, err
		}
		list, err := m.choose(ctx, newCandidates(r, m.field, m.By.Threads))
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	if m.RoundRobin {
		return Unite(m.Keep.most, lists), nil
	}
	groups := slices.Collect(slices.Chunk(lists, 1))
	return Unite(math.MaxInt, groups...), nil
}

// Unite returns, of each group of lists, the first entries, then the second ones, and so on:
// each term once, where it comes first, and at most k terms.
func Unite(k int, groups ...[][]rank.Entry) (out []rank.Entry) {
	seen := map[string]bool{}
	for _, lists := range groups {
		longest := 0
		for _, l := range lists {
			longest = max(longest, len(l))
		}
		for i := range longest {
			for _, l := range lists {
				if i < len(l) && !seen[l[i].Term] && len(out) < k {
					seen[l[i].Term] = true
					out = append(out, l[i])
				}
			}
		}
	}
	return out
}
