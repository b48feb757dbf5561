package bestterms

import "math"

// keptCounts has the counts of the terms in the kept documents (D_F), which the negative
// terms are chosen by if Options.Counts is CountsReduced.
type keptCounts struct {
	byTerm []countPair
	terms  []uint32 // terms that a kept document has
}

// chooseNegativeReduced is step 2 of the algorithm with the counts of the kept documents.
func (s *search) chooseNegativeReduced(out *ClassTerms, kept []uint32) error {
	s.pairs.restorePairs(s.classTerms)
	own, err := s.countKept(kept)
	if err != nil {
		return err
	}
	s.startSide(true, len(kept), len(kept)-own)
	s.excludeUncounted()
	if err := s.chooseNegative(out, kept); err != nil {
		return err
	}
	s.pairs.restorePairs(s.keptCounts.terms)
	for _, t := range s.keptCounts.terms {
		s.keptCounts.byTerm[t] = countPair{}
	}
	s.keptCounts.terms = s.keptCounts.terms[:0]
	return nil
}

// countKept counts the terms of docs, and returns how many of docs are in the class.
func (s *search) countKept(docs []uint32) (own int, err error) {
	r := s.keptCounts
	for i, d := range docs {
		if err := s.checkContext(i); err != nil {
			return 0, err
		}
		inside := uint32(s.memberBits[d>>6]>>(d&63)) & 1
		own += int(inside)
		for _, t := range s.forward.rows.Terms(int(d)) {
			c := &r.byTerm[t]
			if c.df == 0 {
				r.terms = append(r.terms, t)
			}
			c.inside += inside
			c.df++
		}
	}
	for _, t := range r.terms {
		s.pairs.assignPair(t, r.byTerm[t])
	}
	return own, nil
}

// excludeUncounted gives -Inf to every term without a counted document. These are the
// terms that still have the pair of their df in the whole corpus.
func (s *search) excludeUncounted() {
	for pair := range s.forward.groupDF {
		s.pairs.values[pair] = math.Inf(-1)
		s.pairs.computed = append(s.pairs.computed, uint32(pair))
	}
}
