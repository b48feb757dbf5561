package engine

import "context"

// A field is the terms of a corpus that a selection may choose.
type field struct {
	corpus  *Corpus
	terms   []int // their numbers, ascending, where they are not all
	all     bool
	dropped map[string]bool
}

// fieldOf leaves out the terms that are not among those of a selection, and those to
// drop.
func (c *Corpus) fieldOf(among *Selection, drop []string) *field {
	f := &field{corpus: c, all: among == nil && len(drop) == 0, dropped: set(drop)}
	if f.all {
		return f
	}
	wanted := map[string]bool{}
	if among != nil {
		for _, feature := range among.Features {
			wanted[feature.Term] = true
		}
	}
	// A pass over the terms: to look them up would sort the dictionary.
	for t := range c.Terms() {
		if term := c.Term(t); (among == nil || wanted[term]) && !f.dropped[term] {
			f.terms = append(f.terms, t)
		}
	}
	return f
}

func set(terms []string) map[string]bool {
	m := make(map[string]bool, len(terms))
	for _, t := range terms {
		m[t] = true
	}
	return m
}

func (f *field) len() int {
	if f.all {
		return f.corpus.Terms()
	}
	return len(f.terms)
}

// candidates are the terms of a field with the values of a ranking. Places among them
// are in the order of the terms' numbers.
type candidates struct {
	*field
	r       *Ranking
	values  []float64
	threads int
}

func newCandidates(r *Ranking, f *field, threads int) *candidates {
	list := &candidates{field: f, r: r, values: r.values, threads: threads}
	if !f.all {
		list.values = make([]float64, len(f.terms))
		for i, t := range f.terms {
			list.values[i] = r.values[t]
		}
	}
	return list
}

// term is the number of the term at a place.
func (l *candidates) term(place int) int {
	if l.all {
		return place
	}
	return l.terms[place]
}

// best gives the places of the n best.
func (l *candidates) best(n int) []int { return topK(l.values, min(n, len(l.values))) }

// entries are those of places in rank order.
func (l *candidates) entries(places []int) []Entry {
	out := make([]Entry, len(places))
	for i, p := range places {
		out[i] = l.r.at(l.term(p))
		out[i].Rank = i + 1
	}
	return out
}

// lnP gives ln p of every candidate.
func (l *candidates) lnP(ctx context.Context) ([]float64, error) {
	lnp := make([]float64, len(l.values))
	err := eachTest(ctx, len(lnp), l.threads, func(i int) { lnp[i] = l.r.lnP(l.term(i)) })
	return lnp, err
}
