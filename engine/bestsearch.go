package engine

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/store"
)

// A bestSearch is the memory of one worker of Best Terms: numbers of terms, bits of
// documents. Whatever a class changes in them is listed and taken back, so that
// nothing is a table of terms by classes, and a class costs what it meets.
type bestSearch struct {
	ctx        context.Context // of the call that the search belongs to
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

func newBestSearch(ctx context.Context, f *Forward, o *BestTermsOptions) *bestSearch {
	terms, documents := len(f.df), f.rows.Documents()
	s := &bestSearch{
		ctx: ctx, f: f, o: o, scorer: newBestScorer(o.Function, o.RSD), kinds: newKinds(f), in: make([]uint32, terms), terms: make([]uint32, 0, terms+1),
		own: make([]uint64, documents/64+1), kept: make([]uint64, documents/64+1), picked: make([]uint64, terms/64+1),
	}
	if o.Counts == CountsReduced {
		s.reduced = &reducedCounts{counts: make([]kindCounts, terms)}
	}
	return s
}

// class runs the algorithm for one class. After an error the search is of no use
// any more.
func (s *bestSearch) class(class int) (ClassTerms, error) {
	members, total := s.f.members(class), s.f.rows.Documents()
	out := ClassTerms{Class: s.f.corpus.Classes()[class], Documents: len(members), Kept: roaring.New()}
	if err := s.begin(members); err != nil {
		return out, err
	}

	s.turn(false, total, len(members))
	positive, err := s.each(members, nil)
	if err != nil {
		return out, err
	}
	out.Positive = s.describe(positive)

	kept, err := s.union(positive)
	if err != nil {
		return out, err
	}
	out.Kept.AddMany(kept)
	out.KeptDocuments = len(kept)
	if s.reduced == nil {
		s.turn(true, total, total-len(members))
		err = s.negative(&out, kept)
	} else if len(kept) > 0 {
		err = s.secondOfReduced(&out, kept)
	}

	out.Entries = s.entries
	s.end(members)
	return out, err
}

// A pass over documents looks at the context before each that is a multiple of
// stride: they take less than a millisecond.
const stride = 256

// stopped is why the i-th step of a pass should not be made, or nil.
func (s *bestSearch) stopped(i int) error {
	if i%stride == 0 && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// begin counts the class. Whether a term is a new one nobody can foresee: it is
// written behind the others in any case, and counted if it is, which needs no branch.
// With one, choosing on the set S took a sixth longer.
func (s *bestSearch) begin(members []uint32) error {
	in, terms, n := s.in, s.terms[:cap(s.terms)], 0
	for i, d := range members {
		if err := s.stopped(i); err != nil {
			return err
		}
		s.own[d>>6] |= 1 << (d & 63)
		for _, t := range s.f.rows.Terms(int(d)) {
			terms[n] = t
			if in[t] == 0 {
				n++
			}
			in[t]++
		}
	}
	s.terms = terms[:n]
	for _, t := range s.terms {
		s.kinds.assign(t, kindCounts{in[t], s.f.df[t]})
	}
	return nil
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
func (s *bestSearch) negative(out *ClassTerms, kept []uint32) error {
	if s.o.Scope == ScopeAll {
		kept = make([]uint32, s.f.rows.Documents())
		for d := range kept {
			kept[d] = uint32(d)
		}
	}
	negative, err := s.each(kept, s.own)
	if err == nil {
		out.Negative = s.describe(negative)
	}
	return err
}

// each lists the best terms of the documents that are not among the others.
func (s *bestSearch) each(docs []uint32, others []uint64) (found []uint32, err error) {
	for i, d := range docs {
		if err := s.stopped(i); err != nil {
			return nil, err
		}
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
	return found, nil
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
func (s *bestSearch) union(terms []uint32) ([]uint32, error) {
	for _, t := range terms {
		if s.ctx.Err() != nil { // a list may be long
			return nil, context.Cause(s.ctx)
		}
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
	return docs, nil
}
