package main

import "github.com/termsift/termsift/engine/bestterms"

// An overlap has the sizes of the intersection and the union of two sets.
type overlap struct{ both, either int }

func overlapOf(a, b []bestterms.Term) overlap {
	in := make(map[string]bool, len(a))
	for _, t := range a {
		in[t.Term] = true
	}
	both := 0
	for _, t := range b {
		if in[t.Term] {
			both++
		}
	}
	return overlap{both, len(a) + len(b) - both}
}

func (o overlap) equal() bool { return o.both == o.either }

// jaccard is 1 for two empty sets, which are equal.
func (o overlap) jaccard() float64 {
	if o.either == 0 {
		return 1
	}
	return float64(o.both) / float64(o.either)
}
