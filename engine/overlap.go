package engine

import "slices"

// This file compares the best terms of two lists, as sets and by rank.

// A front is the beginning of a list: its best terms, and the place of each.
type front struct {
	terms []uint32 // best first
	place []uint32 // by term, from 1; 0 for terms behind the front
}

func newFront(best []int, terms int) front {
	f := front{terms: make([]uint32, len(best)), place: make([]uint32, terms)}
	for i, t := range best {
		f.terms[i] = uint32(t)
		f.place[t] = uint32(i + 1)
	}
	return f
}

// repeated gives a term that stands there twice; -1 if there is none.
func (f *front) repeated() int {
	for i, t := range f.terms {
		if f.place[t] != uint32(i+1) {
			return int(t)
		}
	}
	return -1
}

// has says that a term is among the k best.
func (f *front) has(t uint32, k int) bool { return f.place[t] != 0 && int(f.place[t]) <= k }

// An overlapper has the memory of one worker.
type overlapper struct {
	shared []int // by depth: terms that both lists have down to there
}

// compare compares at depths that ascend.
func (o *overlapper) compare(a, b *front, depths []int, p float64) []Overlap {
	o.count(a, b, depths[len(depths)-1])
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

// count fills shared: a term is shared from the deeper of its two places on.
func (o *overlapper) count(a, b *front, deepest int) {
	o.shared = slices.Grow(o.shared[:0], deepest+1)[:deepest+1]
	clear(o.shared)
	for i, t := range a.terms[:min(deepest, len(a.terms))] {
		if there := int(b.place[t]); there != 0 && there <= deepest {
			o.shared[max(i+1, there)]++
		}
	}
	for d := 1; d <= deepest; d++ {
		o.shared[d] += o.shared[d-1]
	}
}

// rbo is rank-biased overlap of lists that end at short and long, extrapolated. With
// X_d shared terms at depth d the agreement there is
//
//	A_d = X_d/d                                down to short
//	A_d = X_d/d + X_short·(d-short)/(short·d)  from there to long
//
// since the shorter list is taken to go on as it was, and
//
//	RBO = (1-p)·Σ_{d=1..long} A_d·p^(d-1) + A_long·p^long
//
// It is summed from the end, r = A_d + p(r - A_d), so that lists that are the same
// give 1, and those that share nothing 0.
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
