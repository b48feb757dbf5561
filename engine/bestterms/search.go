package bestterms

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// A forward index lists the terms of each document, and the documents of each class. It takes 4
// bytes a posting.
type forward struct {
	corpus  *corpus.Corpus
	rows    *postings.Forward
	df      []uint32   // by term
	members [][]uint32 // by class: its documents, ascending
}

// newForward makes the forward index of c, in time for about two passes over the postings.
func newForward(ctx context.Context, c *corpus.Corpus) (*forward, error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	f := &forward{corpus: c, df: make([]uint32, c.Terms())}
	err = pool.Stage(ctx, "forward", func(ctx context.Context) (err error) {
		f.rows, err = x.Forward(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	for t := range f.df {
		f.df[t] = uint32(c.DF(t))
	}
	f.members = make([][]uint32, len(c.Classes()))
	for d := range c.Documents() {
		for _, class := range c.Labels(d) {
			f.members[class] = append(f.members[class], uint32(d))
		}
	}
	return f, nil
}

// A search chooses the terms of one class after another on one goroutine. Its slices by
// term and by document are zero between two classes: what a class sets is listed and
// cleared, so that there is no table of terms by classes, and a class takes time for the
// terms and documents that it reads, not for all of the corpus.
type search struct {
	ctx        context.Context // of the call of Choose
	forward    *forward
	options    *Options
	scorer     *scorer
	complement bool // the current side is the complement of the class
	entries    int64

	// By term: the documents of the class with it, and all with it, of those that are counted;
	// the value of the term for the current side, NaN if it is not computed.
	inside, df []uint32
	values     []float64
	computed   []uint32 // terms whose values are
	// Values of rare terms by the documents of the side with the term, and all with it, likewise.
	rare [rareDF][rareDF]float64

	inClass    []uint32 // by term: documents of the class with it
	classTerms []uint32 // terms that documents of the class have
	memberBits []uint64 // by document: set if it is in the class
	keptBits   []uint64 // by document: set if it has a term of F+
	keptWords  []uint32 // places of the words of keptBits that are not 0
	pickedBits []uint64 // by term: set if it is the best of a document already
	postings   postings.List

	// Counts of the terms in the kept documents (D_F), and the terms that these have; only if
	// Options.Counts is CountsReduced.
	keptInside, keptDF []uint32
	keptTerms          []uint32
}

// newSearch returns a search over f; o must be valid.
func newSearch(ctx context.Context, f *forward, o *Options) *search {
	terms, documents := len(f.df), f.rows.Documents()
	s := &search{
		ctx: ctx, forward: f, options: o, scorer: newScorer(o.Function, o.RSD),
		values:     slices.Repeat([]float64{math.NaN()}, terms),
		inClass:    make([]uint32, terms),
		memberBits: make([]uint64, documents/64+1), keptBits: make([]uint64, documents/64+1), pickedBits: make([]uint64, terms/64+1),
	}
	if o.Counts == CountsReduced {
		s.keptInside, s.keptDF = make([]uint32, terms), make([]uint32, terms)
	}
	return s
}

// chooseForClass runs the algorithm for one class, given by its number. After an error
// the search must not be used again.
func (s *search) chooseForClass(class int) (ClassTerms, error) {
	f := s.forward
	members, total := f.members[class], f.rows.Documents()
	out := ClassTerms{Class: s.forward.corpus.Classes()[class], Documents: len(members), Kept: roaring.New()}
	if err := s.countClass(members); err != nil {
		return out, err
	}

	s.startSide(false, total, len(members), s.inClass, f.df)
	positive, err := s.bestOfDocuments(members, nil)
	if err != nil {
		return out, err
	}
	out.Positive = s.describeTerms(positive)

	kept, err := s.documentsWithAny(positive)
	if err != nil {
		return out, err
	}
	out.Kept.AddMany(kept)
	out.KeptDocuments = len(kept)
	if s.keptDF == nil {
		s.startSide(true, total, total-len(members), s.inClass, f.df)
		out.Negative, err = s.negative(kept)
	} else if len(kept) > 0 {
		out.Negative, err = s.negativeReduced(kept)
	}

	out.Entries = s.entries
	s.clearClass(members)
	return out, err
}

// checkEvery is the number of documents between two looks at the context. They take
// less than a millisecond.
const checkEvery = 256

// checkContext returns the cause of a cancelled context if i is a multiple of checkEvery.
func (s *search) checkContext(i int) error {
	if i%checkEvery == 0 && s.ctx.Err() != nil {
		return usage.Cause(s.ctx)
	}
	return nil
}

// countClass marks the documents of the class and counts their terms.
func (s *search) countClass(members []uint32) error {
	for i, d := range members {
		if err := s.checkContext(i); err != nil {
			return err
		}
		s.memberBits[d>>6] |= 1 << (d & 63)
		for _, t := range s.forward.rows.Terms(int(d)) {
			if s.inClass[t] == 0 {
				s.classTerms = append(s.classTerms, t)
			}
			s.inClass[t]++
		}
	}
	return nil
}

// clearClass clears what the class has set.
func (s *search) clearClass(members []uint32) {
	for _, t := range s.classTerms {
		s.inClass[t] = 0
	}
	for _, d := range members {
		s.memberBits[d>>6] = 0
	}
	for _, w := range s.keptWords {
		s.keptBits[w] = 0
	}
	s.classTerms, s.keptWords, s.entries = s.classTerms[:0], s.keptWords[:0], 0
}

// startSide prepares the scores of one side of the class: size of total documents, which
// are those of the class or, if complement, all others. inside and df are the counts of the terms.
func (s *search) startSide(complement bool, total, size int, inside, df []uint32) {
	s.complement, s.inside, s.df = complement, inside, df
	for _, t := range s.computed {
		s.values[t] = math.NaN()
	}
	s.computed = s.computed[:0]
	for inside := range s.rare {
		for df := range s.rare[inside] {
			s.rare[inside][df] = math.NaN()
		}
	}
	s.scorer.startSide(s.options.P, s.options.Rule, total, size)
}

// negative is step 2 of the algorithm: it returns the best terms of the documents
// outside the class, of those in kept or, with ScopeAll, of all.
func (s *search) negative(kept []uint32) ([]Term, error) {
	if s.options.Scope == ScopeAll {
		kept = make([]uint32, s.forward.rows.Documents())
		for d := range kept {
			kept[d] = uint32(d)
		}
	}
	terms, err := s.bestOfDocuments(kept, s.memberBits)
	if err != nil {
		return nil, err
	}
	return s.describeTerms(terms), nil
}

// bestOfDocuments lists the best term of each document in docs whose bit in excluded is
// not set, each term once. excluded may be nil.
func (s *search) bestOfDocuments(docs []uint32, excluded []uint64) (found []uint32, err error) {
	for i, d := range docs {
		if err := s.checkContext(i); err != nil {
			return nil, err
		}
		if excluded != nil && excluded[d>>6]>>(d&63)&1 == 1 {
			continue
		}
		terms := s.forward.rows.Terms(int(d))
		s.entries += int64(len(terms))
		t := s.bestTerm(terms)
		if t != noTerm && s.pickedBits[t>>6]>>(t&63)&1 == 0 {
			s.pickedBits[t>>6] |= 1 << (t & 63)
			found = append(found, t)
		}
	}
	for _, t := range found {
		s.pickedBits[t>>6] = 0
	}
	return found, nil
}

// describeTerms returns the terms with their values and counts, ordered by value and df,
// both descending, then by bytes.
func (s *search) describeTerms(terms []uint32) []Term {
	ranked := make([]rank.Candidate, len(terms))
	for i, t := range terms {
		ranked[i] = rank.NewCandidate(int(t), s.values[t])
	}
	slices.SortFunc(ranked, rank.Order)
	found := make([]Term, len(terms))
	for i, c := range ranked {
		t := c.ID
		a, df := int(s.inClass[t]), int(s.forward.df[t])
		found[i] = Term{Term: s.forward.corpus.Term(int(t)), Score: s.values[t], DF: df, A: a, B: df - a}
	}
	return found
}

// documentsWithAny lists the documents that have one of the terms, ascending. It sets
// their bits in keptBits, which clearClass clears.
func (s *search) documentsWithAny(terms []uint32) ([]uint32, error) {
	for _, t := range terms {
		if s.ctx.Err() != nil { // a list may be long
			return nil, usage.Cause(s.ctx)
		}
		if err := s.forward.corpus.Index().ReadDocs(int(t), &s.postings); err != nil {
			return nil, err
		}
		for _, d := range s.postings.Docs {
			word := &s.keptBits[d>>6]
			if *word == 0 {
				s.keptWords = append(s.keptWords, d>>6)
			}
			*word |= 1 << (d & 63)
		}
	}
	slices.Sort(s.keptWords)
	var docs []uint32
	for _, w := range s.keptWords {
		for word := s.keptBits[w]; word != 0; word &= word - 1 {
			docs = append(docs, w<<6+uint32(bits.TrailingZeros64(word)))
		}
	}
	return docs, nil
}

// negativeReduced is step 2 of the algorithm with the counts of the kept documents.
func (s *search) negativeReduced(kept []uint32) (terms []Term, err error) {
	own := 0
	for i, d := range kept {
		if err := s.checkContext(i); err != nil {
			return nil, err
		}
		inside := uint32(s.memberBits[d>>6]>>(d&63)) & 1
		own += int(inside)
		for _, t := range s.forward.rows.Terms(int(d)) {
			if s.keptDF[t] == 0 {
				s.keptTerms = append(s.keptTerms, t)
			}
			s.keptInside[t] += inside
			s.keptDF[t]++
		}
	}
	s.startSide(true, len(kept), len(kept)-own, s.keptInside, s.keptDF)
	if terms, err = s.negative(kept); err != nil {
		return nil, err
	}
	for _, t := range s.keptTerms {
		s.keptInside[t], s.keptDF[t] = 0, 0
	}
	s.keptTerms = s.keptTerms[:0]
	return terms, nil
}

// noTerm stands for the number of a term where there is none.
const noTerm = math.MaxUint32

// bestTerm returns the best of the terms of a document, noTerm if all are -Inf. Nearly
// all terms fail the first comparison; a value that was not computed yet passes it, for
// NaN is not less. Equal values are decided at once; if a value differs from the largest
// by no more than the tolerance, bestAtLeast goes through the terms again.
func (s *search) bestTerm(terms []uint32) uint32 {
	best, largest, floor, near := uint32(noTerm), math.Inf(-1), -math.MaxFloat64, false
	for _, t := range terms {
		v := s.values[t]
		if v < floor {
			continue
		}
		if v != v {
			v = s.value(t)
			s.values[t] = v
			s.computed = append(s.computed, t)
			if v < floor {
				continue
			}
		}
		switch {
		case v > largest:
			if floor = v; v <= math.MaxFloat64 {
				floor = v - float64(tieTolerance*math.Abs(v))
			}
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

// bestAtLeast returns the term that precedes all others whose value is at least floor.
func (s *search) bestAtLeast(terms []uint32, floor float64) uint32 {
	best := uint32(noTerm)
	for _, t := range terms {
		if s.values[t] >= floor && (best == noTerm || s.precedes(t, best)) {
			best = t
		}
	}
	return best
}

// precedes reports whether t is better than u, whose value is equal: it has more
// documents on the side or, at the same number, comes first by its bytes. Terms of equal
// df are numbered in the order of their bytes, so that these are rarely read.
func (s *search) precedes(t, u uint32) bool {
	if x, y := s.documentsOnSide(t), s.documentsOnSide(u); x != y {
		return x > y
	}
	if s.forward.df[t] == s.forward.df[u] {
		return t < u
	}
	return s.forward.corpus.Term(int(t)) < s.forward.corpus.Term(int(u))
}

// rareDF is the number of documents below which terms are rare. Nearly all are, and few have counts of
// their own.
const rareDF = 64

// value computes the value of a term, or finds that of a rare one with the same counts.
func (s *search) value(t uint32) float64 {
	inside, df := s.documentsOnSide(t), s.df[t]
	if df >= rareDF {
		return s.scorer.value(uint64(inside), uint64(df))
	}
	v := &s.rare[inside][df]
	if *v != *v {
		*v = s.scorer.value(uint64(inside), uint64(df))
	}
	return *v
}

// documentsOnSide returns the number of documents on the current side with a term.
func (s *search) documentsOnSide(t uint32) uint32 {
	if s.complement {
		return s.df[t] - s.inside[t]
	}
	return s.inside[t]
}

// A scorer computes the values of one function for a side at a time: a class or its complement.
type scorer struct {
	function    string
	measure     score.Measure
	table       score.Table
	total, size uint64 // documents in all, and on the side
	// The least precision of a positive term. It is a fraction of integers, for equality is common
	// (two of eight documents at p = 1/4) and rounding would decide it by chance.
	least       *big.Rat
	nearly      float64 // the same, rounded
	left, right big.Int // scratch numbers
}

// newScorer returns the scorer of a function of Functions; rsd is Options.RSD.
func newScorer(function string, rsd float64) *scorer {
	s := &scorer{function: function}
	if function == "ig" { // ig of one class alone is the expected mutual information
		function = "emi"
	}
	s.measure, _, _ = score.NewRegistry(score.Options{RSD: rsd}).Lookup(function)
	return s
}

// startSide prepares a side of size of total documents. p is the decimal number that it
// prints as: 0.1 is one tenth, not the float64 beside it. total must not be 0.
func (s *scorer) startSide(p float64, rule string, total, size int) {
	s.total, s.size = uint64(total), uint64(size)
	s.table.N, s.table.NC = float64(total), float64(size)
	least, _ := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	if rule != RuleMax { // 1 - (1-p)·(1-size/total)
		one := big.NewRat(1, 1)
		rest := new(big.Rat).Sub(one, least)
		least.Sub(one, rest.Mul(rest, big.NewRat(int64(total-size), int64(total))))
	}
	s.least = least
	s.nearly, _ = least.Float64()
}

// value returns the value of a term that inside documents of the side and df documents in
// all have, in the form of Sebastiani's Table 1, in which df and or are not those of the registry. It
// is -Inf if the term is not positive. A positive one occurs inside and is missing in a document outside.
func (s *scorer) value(inside, df uint64) float64 {
	switch {
	case !s.isPositive(inside, df):
		return math.Inf(-1)
	case s.function == "df":
		return float64(inside) / float64(s.size)
	case s.function == "or":
		outside, without := df-inside, s.size-inside
		return float64(inside*(s.total-df-without)) / float64(outside*without)
	}
	s.table.A, s.table.DF = float64(inside), float64(df)
	return s.measure.Class(&s.table)
}

// isPositive reports whether a term is positive that inside documents of the side and df
// documents in all have, both less than 2^32: P(side|w) > P(side), and P(side|w) is at least the
// precision that the rule demands.
func (s *scorer) isPositive(inside, df uint64) bool {
	if inside*s.total <= df*s.size {
		return false
	}
	if gap := float64(inside) - float64(s.nearly*float64(df)); math.Abs(gap) > 1e-9*float64(df) {
		return gap > 0
	}
	s.left.Mul(s.least.Denom(), s.left.SetUint64(inside))
	return s.left.Cmp(s.right.Mul(s.least.Num(), s.right.SetUint64(df))) >= 0
}
