package engine

import "math"

// reducedCounts are the terms of the documents of D_F, where these alone count for the
// negative terms.
type reducedCounts struct {
	counts []kindCounts // by term
	terms  []uint32     // that the documents have
}

// secondOfReduced is step 2 with the counts of D_F.
func (s *bestSearch) secondOfReduced(out *ClassTerms, kept []uint32) error {
	s.kinds.restore(s.terms)
	own, err := s.recount(kept)
	if err != nil {
		return err
	}
	s.turn(true, len(kept), len(kept)-own)
	s.lack()
	if err := s.negative(out, kept); err != nil {
		return err
	}
	s.kinds.restore(s.reduced.terms)
	for _, t := range s.reduced.terms {
		s.reduced.counts[t] = kindCounts{}
	}
	s.reduced.terms = s.reduced.terms[:0]
	return nil
}

// recount counts documents, and says how many of them are in the class.
func (s *bestSearch) recount(docs []uint32) (own int, err error) {
	r := s.reduced
	for i, d := range docs {
		if err := s.stopped(i); err != nil {
			return 0, err
		}
		inside := uint32(s.own[d>>6]>>(d&63)) & 1
		own += int(inside)
		for _, t := range s.f.rows.Terms(int(d)) {
			c := &r.counts[t]
			if c.df == 0 {
				r.terms = append(r.terms, t)
			}
			c.in += inside
			c.df++
		}
	}
	for _, t := range r.terms {
		s.kinds.assign(t, r.counts[t])
	}
	return own, nil
}

// lack makes the terms that were not counted no terms to choose: all of them are of
// the kinds of the whole corpus.
func (s *bestSearch) lack() {
	for kind := range s.f.dfs {
		s.kinds.values[kind] = math.Inf(-1)
		s.kinds.known = append(s.kinds.known, uint32(kind))
	}
}
