package compare

import "slices"

// This file compares the best terms of two lists, as sets and by rank.

// topTerms has the best terms of a list, down to the largest depth.
type topTerms struct {
	terms []uint32 // best first
	rank  []uint32 // by term, from 1; 0 for all other terms
}

// newTopTerms returns the list of the best of a number of terms.
func newTopTerms(best []int, terms int) topTerms {
	f := topTerms{terms: make([]uint32, len(best)), rank: make([]uint32, terms)}
	for i, t := range best {
		f.terms[i] = uint32(t)
		f.rank[t] = uint32(i + 1)
	}
	return f
}

// repeatedTerm returns a term that the list has twice, -1 if there is none.
func (f *topTerms) repeatedTerm() int {
	for i, t := range f.terms {
		if f.rank[t] != uint32(i+1) {
			return int(t)
		}
	}
	return -1
}

// isAmong reports whether a term is among the k best.
func (f *topTerms) isAmong(t uint32, k int) bool { return f.rank[t] != 0 && int(f.rank[t]) <= k }

// An overlapCounter computes overlaps on one goroutine.
type overlapCounter struct {
	shared []int // by depth: terms among as many best of both lists
}

// overlaps returns the overlaps of two lists at depths, which ascend.
func (o *overlapCounter) overlaps(a, b *topTerms, depths []int, p float64) []Overlap {
	o.countShared(a, b, depths[len(depths)-1])
	out := make([]Overlap, len(depths))
	for i, k := range depths {
		short, long := min(k, len(a.terms)), min(k, len(b.terms))
		if short > long {
			short, long = long, short
		}
		shared := o.shared[k]
		out[i] = Overlap{
			K: k, Shared: shared, Jaccard: float64(shared) / float64(short+long-shared), RBO: rbo(o.shared, short, long, p),
		}
	}
	return out
}

// countShared sets shared. A term is shared from the deeper of its two ranks on.
func (o *overlapCounter) countShared(a, b *topTerms, deepest int) {
	o.shared = slices.Grow(o.shared[:0], deepest+1)[:deepest+1]
	clear(o.shared)
	for i, t := range a.terms[:min(deepest, len(a.terms))] {
		if there := int(b.rank[t]); there != 0 && there <= deepest {
			o.shared[max(i+1, there)]++
		}
	}
	for d := 1; d <= deepest; d++ {
		o.shared[d] += o.shared[d-1]
	}
}

// rbo returns the rank-biased overlap of lists of the lengths short and long,
// extrapolated. With X_d shared terms at depth d the agreement there is
//
//	A_d = X_d/d                                down to short
//	A_d = X_d/d + X_short·(d-short)/(short·d)  from there to long
//
// since the shorter list is supposed to go on with the same agreement, and
//
//	RBO = (1-p)·Σ_{d=1..long} A_d·p^(d-1) + A_long·p^long
//
// It is summed from the end, r = A_d + p(r - A_d), so that equal lists give exactly 1 and
// lists that share nothing exactly 0.
func rbo(shared []int, short, long int, p float64) float64 {
	r, atShort := 0.0, float64(shared[short])
	for d := long; d > 0; d-- {
		agreement := float64(shared[d]) / float64(d)
		if d > short {
			agreement += float64(atShort*float64(d-short)) / float64(float64(short)*float64(d))
		}
		if d == long {
			r = agreement
		}
		r = agreement + float64(p*(r-agreement))
	}
	return r
}
