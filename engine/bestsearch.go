package engine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/store"
)

// A bestSearch is the memory of one worker of Best Terms: numbers of terms, bits of
// documents. Whatever a class changes in them is listed and taken back, so that
// nothing is a table of terms by classes, and a class costs what it meets.
type bestSearch struct {
	f          *Forward
	o          *BestTermsOptions
	scorer     *bestScorer
	complement bool // the side at hand is not the class but the others
	kinds      kinds
	entries    int64

	in       []uint32 // by term: documents of the class
	terms    []uint32 // that it has
	own      []uint64 // a bit a document: those of the class
	kept     []uint64 // likewise: those with a term of F+
	words    []uint32 // words of kept that are not 0
	picked   []uint64 // a bit a term
	postings store.Postings

	reduced *reducedCounts // nil where the training set counts
}

func newBestSearch(f *Forward, o *BestTermsOptions) *bestSearch {
	terms, documents := len(f.df), f.rows.Documents()
	s := &bestSearch{
		f: f, o: o, scorer: newBestScorer(o.Function, o.RSD), kinds: newKinds(f), in: make([]uint32, terms),
		own: make([]uint64, documents/64+1), kept: make([]uint64, documents/64+1), picked: make([]uint64, terms/64+1),
	}
	if o.Counts == CountsReduced {
		s.reduced = &reducedCounts{counts: make([]kindCounts, terms)}
	}
	return s
}

// class runs the algorithm for one class.
func (s *bestSearch) class(class int) ClassTerms {
	members, total := s.f.members(class), s.f.rows.Documents()
	s.begin(members)
	out := ClassTerms{Class: s.f.corpus.Classes()[class], Documents: len(members), Kept: roaring.New()}

	s.turn(false, total, len(members))
	positive := s.each(members, nil)
	out.Positive = s.describe(positive)

	kept := s.union(positive)
	out.Kept.AddMany(kept)
	if s.reduced == nil {
		s.turn(true, total, total-len(members))
		s.negative(&out, kept)
	} else if len(kept) > 0 {
		s.secondOfReduced(&out, kept)
	}

	out.Entries = s.entries
	s.end(members)
	return out
}

// begin counts the class.
func (s *bestSearch) begin(members []uint32) {
	in := s.in
	for _, d := range members {
		s.own[d>>6] |= 1 << (d & 63)
		for _, t := range s.f.rows.Terms(int(d)) {
			if in[t] == 0 {
				s.terms = append(s.terms, t)
			}
			in[t]++
		}
	}
	for _, t := range s.terms {
		s.kinds.assign(t, kindCounts{in[t], s.f.df[t]})
	}
}

// end takes back what the class has changed.
func (s *bestSearch) end(members []uint32) {
	s.kinds.restore(s.terms)
	for _, t := range s.terms {
		s.in[t] = 0
	}
	for _, d := range members {
		s.own[d>>6] = 0
	}
	for _, w := range s.words {
		s.kept[w] = 0
	}
	s.terms, s.words, s.entries = s.terms[:0], s.words[:0], 0
}

// turn begins with a side of so many documents among all.
func (s *bestSearch) turn(complement bool, total, size int) {
	s.complement = complement
	s.kinds.forget()
	s.scorer.turn(newHalf(s.o, total, size))
}

// negative is step 2.
func (s *bestSearch) negative(out *ClassTerms, kept []uint32) {
	if s.o.Scope == ScopeAll {
		kept = make([]uint32, s.f.rows.Documents())
		for d := range kept {
			kept[d] = uint32(d)
		}
	}
	out.Negative = s.describe(s.each(kept, s.own))
}

// each lists the best terms of the documents that are not among the others.
func (s *bestSearch) each(docs []uint32, others []uint64) (found []uint32) {
	for _, d := range docs {
		if others != nil && others[d>>6]>>(d&63)&1 == 1 {
			continue
		}
		terms := s.f.rows.Terms(int(d))
		s.entries += int64(len(terms))
		t := s.best(terms)
		if t != none && s.picked[t>>6]>>(t&63)&1 == 0 {
			s.picked[t>>6] |= 1 << (t & 63)
			found = append(found, t)
		}
	}
	for _, t := range found {
		s.picked[t>>6] = 0
	}
	return found
}

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

// describe orders terms by value, df and bytes, and says what is known of them.
func (s *bestSearch) describe(terms []uint32) []BestTerm {
	out := make([]BestTerm, len(terms))
	for i, t := range terms {
		a, df := int(s.in[t]), int(s.f.df[t])
		out[i] = BestTerm{Term: s.f.corpus.Term(int(t)), Score: s.kinds.values[s.kinds.of[t]], DF: df, A: a, B: df - a}
	}
	slices.SortFunc(out, func(x, y BestTerm) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.DF, x.DF), cmp.Compare(x.Term, y.Term))
	})
	return out
}

// union lists the documents of the posting lists of terms, ascending. They stay
// marked in kept.
func (s *bestSearch) union(terms []uint32) []uint32 {
	for _, t := range terms {
		s.f.corpus.index.ReadDocs(int(t), &s.postings)
		for _, d := range s.postings.Docs {
			word := &s.kept[d>>6]
			if *word == 0 {
				s.words = append(s.words, d>>6)
			}
			*word |= 1 << (d & 63)
		}
	}
	slices.Sort(s.words)
	var docs []uint32
	for _, w := range s.words {
		for word := s.kept[w]; word != 0; word &= word - 1 {
			docs = append(docs, w<<6+uint32(bits.TrailingZeros64(word)))
		}
	}
	return docs
}
