package engine

import "math"

// This file finds the best term of one document, the inner loop of Best Terms.

// none is the number of no term.
const none = math.MaxUint32

// best is the best term of a document. Nearly all terms fail the first comparison,
// which those of unknown value pass because NaN is not less. Equal values are decided at
// once; where different ones are near each other, the document is gone through again
// with the largest.
func (s *bestSearch) best(terms []uint32) uint32 {
	of, values := s.kinds.of, s.kinds.values
	best, largest, floor, near := uint32(none), math.Inf(-1), -math.MaxFloat64, false
	for _, t := range terms {
		v := values[of[t]]
		if v < floor {
			continue
		}
		if v != v {
			if v = s.meet(of[t]); v < floor {
				continue
			}
		}
		switch {
		case v > largest:
			floor = floorOf(v)
			near = best != none && largest >= floor
			best, largest = t, v
		case v < largest:
			near = true
		case s.before(t, best):
			best = t
		}
	}
	if near {
		return s.among(terms, floor)
	}
	return best
}

// bestTolerance is the relative difference that values may owe to rounding.
const bestTolerance = 4e-12

// floorOf is the least value that counts as equal to the largest.
func floorOf(v float64) float64 {
	if v > math.MaxFloat64 {
		return v
	}
	return v - float64(bestTolerance*math.Abs(v))
}

// among is the first of the terms of at least a value.
func (s *bestSearch) among(terms []uint32, floor float64) uint32 {
	best := uint32(none)
	for _, t := range terms {
		if s.kinds.values[s.kinds.of[t]] >= floor && (best == none || s.before(t, best)) {
			best = t
		}
	}
	return best
}

// before orders terms of equal values. Of a kind, and so of the same df in the corpus
// as a rule, the numbers are in the order of the bytes.
func (s *bestSearch) before(t, u uint32) bool {
	if x, y := s.inside(s.kinds.of[t]), s.inside(s.kinds.of[u]); x != y {
		return x > y
	}
	if s.f.df[t] == s.f.df[u] {
		return t < u
	}
	return s.f.corpus.Term(int(t)) < s.f.corpus.Term(int(u))
}

// inside is the number of documents of the side with terms of a kind.
func (s *bestSearch) inside(kind uint32) uint32 {
	c := s.kinds.counts[kind]
	if s.complement {
		return c.df - c.in
	}
	return c.in
}

// meet computes the value of a kind.
func (s *bestSearch) meet(kind uint32) float64 {
	v := s.scorer.value(uint64(s.inside(kind)), uint64(s.kinds.counts[kind].df))
	s.kinds.values[kind] = v
	s.kinds.known = append(s.kinds.known, kind)
	return v
}
