package bestterms

import "math"

// This file finds the best term of one document, the inner loop of the algorithm.

// noTerm stands for the number of a term where there is none.
const noTerm = math.MaxUint32

// bestTerm returns the best of the terms of a document, noTerm if all are -Inf. Nearly
// all terms fail the first comparison; a value that was not computed yet passes it, for
// NaN is not less. Equal values are decided at once; if a value differs from the largest
// by no more than the tolerance, bestAtLeast goes through the terms again.
func (s *search) bestTerm(terms []uint32) uint32 {
	of, values := s.pairs.ofTerm, s.pairs.values
	best, largest, floor, near := uint32(noTerm), math.Inf(-1), -math.MaxFloat64, false
	for _, t := range terms {
		v := values[of[t]]
		if v < floor {
			continue
		}
		if v != v {
			if v = s.computeValue(of[t]); v < floor {
				continue
			}
		}
		switch {
		case v > largest:
			floor = lowestTie(v)
			near = best != noTerm && largest >= floor
			best, largest = t, v
		case v < largest:
			near = true
		case s.precedes(t, best):
			best = t
		}
	}
	if near {
		return s.bestAtLeast(terms, floor)
	}
	return best
}

// tieTolerance is the relative difference up to which two values count as equal, for
// rounding may have made it.
const tieTolerance = 4e-12

// lowestTie returns the least value that counts as equal to the largest value v.
func lowestTie(v float64) float64 {
	if v > math.MaxFloat64 {
		return v
	}
	return v - float64(tieTolerance*math.Abs(v))
}

// bestAtLeast returns the term that precedes all others whose value is at least floor.
func (s *search) bestAtLeast(terms []uint32, floor float64) uint32 {
	best := uint32(noTerm)
	for _, t := range terms {
		if s.pairs.values[s.pairs.ofTerm[t]] >= floor && (best == noTerm || s.precedes(t, best)) {
			best = t
		}
	}
	return best
}

// precedes reports whether t is better than u, whose value is equal: it has more
// documents on the side or, at the same number, comes first by its bytes. Terms of equal
// df are numbered in the order of their bytes, so that these are rarely read.
func (s *search) precedes(t, u uint32) bool {
	if x, y := s.documentsOnSide(s.pairs.ofTerm[t]), s.documentsOnSide(s.pairs.ofTerm[u]); x != y {
		return x > y
	}
	if s.forward.df[t] == s.forward.df[u] {
		return t < u
	}
	return s.forward.corpus.Term(int(t)) < s.forward.corpus.Term(int(u))
}

// documentsOnSide returns the number of documents on the current side with a term that
// has this count pair.
func (s *search) documentsOnSide(pair uint32) uint32 {
	c := s.pairs.counts[pair]
	if s.complement {
		return c.df - c.inside
	}
	return c.inside
}

// computeValue computes and keeps the value of a count pair.
func (s *search) computeValue(pair uint32) float64 {
	v := s.scorer.value(uint64(s.documentsOnSide(pair)), uint64(s.pairs.counts[pair].df))
	s.pairs.values[pair] = v
	s.pairs.computed = append(s.pairs.computed, pair)
	return v
}
