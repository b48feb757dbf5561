package keyness

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Side describes one of the two corpora.
type Side struct {
	Documents int // empty ones included; 0 of a list that does not tell them
	Terms     int
	Tokens    int // occurrences of all terms
	// Words are the occurrences of the shortest terms: of n-grams of one word and more, those of
	// words; of other corpora all Tokens. Rates per million divide by them.
	Words int
}

// A side is one of the two corpora with its counts.
type side struct {
	Side
	counts *table.Table
	index  *postings.Index // nil if only statistics were given
	parts  *lengths        // nil until a dispersion is asked for

	fromList bool // it is a [FrequencyList]
	noRanges bool // the documents with a term are not known
}

// newSides counts two corpora and checks that they can be compared.
func newSides(ctx context.Context, target, reference rank.Counted, threads int) (sides [2]*side, err error) {
	var stats [2]*table.Table
	for i, c := range []rank.Counted{target, reference} {
		list, isList := c.(*FrequencyList)
		switch {
		case c == nil, isList && list == nil:
			return sides, usage.Errorf("a nil corpus was given")
		case isList:
			of := list.side
			sides[i] = &of
			continue
		}
		if stats[i], err = c.Statistics(ctx, corpus.CountOptions{Threads: threads}); err != nil {
			return sides, err
		}
	}
	if err := checkTables(stats); err != nil {
		return sides, err
	}
	for i, c := range []rank.Counted{target, reference} {
		if stats[i] == nil {
			continue
		}
		if sides[i], err = newSide(c, stats[i], sideNames[i]); err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// checkTables checks that two tables can be compared, or one, beside a frequency list.
func checkTables(stats [2]*table.Table) error {
	if stats[0] != nil && stats[1] != nil {
		return table.Comparable(stats[0], stats[1])
	}
	for i, t := range stats {
		if t == nil {
			continue
		}
		if err := t.Whole(sideNames[i]); err != nil {
			return err
		}
	}
	return nil
}

// sideNames are what errors and warnings call the corpora.
var sideNames = [2]string{"target", "reference"}

// newSide returns the side of c and its statistics, which the errors call name.
func newSide(c rank.Counted, stats *table.Table, name string) (*side, error) {
	s := &side{counts: stats}
	if whole, ok := c.(*corpus.Corpus); ok {
		s.index = whole.Index()
	}
	if stats.Real() || s.index != nil && s.index.Real() {
		return nil, fmt.Errorf("the %s: %w: its values are real numbers, and keyness compares counts: index the text, or counts", name, usage.ErrData)
	}
	tokens := s.counts.Cells.Tokens
	switch {
	case tokens == 0:
		return nil, fmt.Errorf("the %s: %w: none of its %d documents has a term", name, usage.ErrData, stats.Documents())
	case tokens > min(mostTokens, math.MaxInt):
		return nil, fmt.Errorf("the %s: %w: it has %v tokens, and keyness counts to %v", name, usage.ErrData, tokens, min(mostTokens, float64(math.MaxInt)))
	}
	s.Side = Side{Documents: stats.Documents(), Terms: stats.Cells.Terms(), Tokens: int(tokens)}
	s.Words = shortest(s.counts.Names, stats.Provenance().Analysis, s.Tokens, func(t int) int { return int(s.frequency(int32(t))) })
	return s, nil
}

// shortest returns the occurrences of the shortest of the n-grams that an option asked for, such as
// "1-3"; else all. Their words have one space between.
func shortest(names *table.Dictionary, o analysis.Options, all int, occurrences func(term int) int) int {
	least, _, several := strings.Cut(o.NGrams, "-")
	n, err := strconv.Atoi(least)
	if !several || err != nil {
		return all
	}
	length := func(term string) int { return strings.Count(term, " ") + 1 }
	if o.Tokens == "char" || o.Tokens == "char_wb" {
		length = utf8.RuneCountInString
	}
	words := 0
	for t := range names.Len() {
		if length(names.Term(t)) <= n { // a short word of char_wb is less
			words += occurrences(t)
		}
	}
	return words
}

// mostTokens is the number up to which products of two counts and their sums are exact
// where they need to be.
const mostTokens = 1 << 52

// frequency returns the occurrences of a term by its number, 0 for -1.
func (s *side) frequency(term int32) float64 {
	if term < 0 {
		return 0
	}
	return s.counts.Cells.CF.At(int(term), float64(s.counts.Cells.DF[term]))
}

// documents returns the number of documents with a term, 0 for -1.
func (s *side) documents(term int32) int {
	if term < 0 {
		return 0
	}
	return int(s.counts.Cells.DF[term])
}

// disperse returns the dispersion of a term, which is undefined in statistics.
func (s *side) disperse(ctx context.Context, term int32) (d Dispersion, err error) {
	if s.index == nil {
		return undefined, nil
	}
	if err := s.measure(ctx); err != nil {
		return d, err
	}
	var p postings.List
	if term < 0 {
		return s.parts.dispersion(&p), nil
	}
	err = s.index.Guard(func() error {
		if err := s.index.Read(int(term), &p); err != nil {
			return err
		}
		d = s.parts.dispersion(&p)
		return nil
	})
	return d, err
}

// A pair is a term by its numbers in the target and the reference, -1 where it is absent.
type pair struct{ target, reference int32 }

// join returns the terms of both dictionaries, by their bytes.
func join(target, reference *table.Dictionary) []pair {
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
