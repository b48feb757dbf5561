package keyness

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// A Side describes one of the two corpora.
type Side struct {
	Documents int // empty ones included
	Terms     int
	Tokens    int // occurrences of all terms
}

// A side is one of the two corpora with its counts.
type side struct {
	Side
	counts *store.Statistics
	index  *store.Index
	parts  *lengths // nil until a dispersion is asked for
}

// newSide counts a corpus, which the errors call name.
func newSide(ctx context.Context, c *corpus.Corpus, name string, threads int) (*side, error) {
	if c.Index().Real() {
		return nil, fmt.Errorf("the %s: %w: its values are real numbers, and keyness compares counts: index the text, or counts", name, usage.ErrData)
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: threads})
	if err != nil {
		return nil, err
	}
	s := &side{counts: stats.Counts(), index: c.Index()}
	tokens := s.counts.Tokens
	switch {
	case tokens == 0:
		return nil, fmt.Errorf("the %s: %w: none of its %d documents has a term", name, usage.ErrData, c.Documents())
	case tokens > min(mostTokens, math.MaxInt):
		return nil, fmt.Errorf("the %s: %w: it has %v tokens, and keyness counts to %v", name, usage.ErrData, tokens, min(mostTokens, float64(math.MaxInt)))
	}
	s.Side = Side{Documents: c.Documents(), Terms: c.Terms(), Tokens: int(tokens)}
	return s, nil
}

// mostTokens is the number up to which products of two counts and their sums are exact
// where they need to be.
const mostTokens = 1 << 52

// frequency returns the occurrences of a term by its number, 0 for -1.
func (s *side) frequency(term int32) float64 {
	if term < 0 {
		return 0
	}
	return s.counts.CF.At(int(term), float64(s.counts.DF[term]))
}

// documents returns the number of documents with a term, 0 for -1.
func (s *side) documents(term int32) int {
	if term < 0 {
		return 0
	}
	return int(s.counts.DF[term])
}

// disperse returns the dispersion of a term.
func (s *side) disperse(ctx context.Context, term int32) (d Dispersion, err error) {
	if s.parts == nil {
		if s.parts, err = newLengths(ctx, s.index); err != nil {
			return d, err
		}
	}
	var p store.Postings
	if term < 0 {
		return s.parts.dispersion(&p), nil
	}
	err = s.index.Guard(func() error { return s.index.Read(int(term), &p) })
	if err != nil {
		return Dispersion{math.NaN(), math.NaN(), math.NaN()}, err
	}
	return s.parts.dispersion(&p), nil
}

// A pair is a term by its numbers in the target and the reference, -1 where it is absent.
type pair struct{ target, reference int32 }

// join returns the terms of both dictionaries, by their bytes.
func join(target, reference *store.Dictionary) []pair {
	a, b := target.Sorted(), reference.Sorted()
	pairs := make([]pair, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		s, t := target.Term(int(a[0])), reference.Term(int(b[0]))
		switch {
		case s < t:
			pairs = append(pairs, pair{int32(a[0]), -1})
			a = a[1:]
		case s > t:
			pairs = append(pairs, pair{-1, int32(b[0])})
			b = b[1:]
		default:
			pairs = append(pairs, pair{int32(a[0]), int32(b[0])})
			a, b = a[1:], b[1:]
		}
	}
	for _, t := range a {
		pairs = append(pairs, pair{int32(t), -1})
	}
	for _, t := range b {
		pairs = append(pairs, pair{-1, int32(t)})
	}
	return pairs
}
