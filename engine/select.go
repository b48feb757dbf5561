package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Selecting says which terms to keep. Set exactly one of K, Percentile and
// MinScore.
type Selecting struct {
	Scoring
	// K keeps the K best terms; with PerClass, K for each class.
	K int
	// Percentile keeps this share of the terms, in (0, 100].
	Percentile float64
	// MinScore keeps the terms with at least this value.
	MinScore *float64
	// PerClass ranks by the class values and unites the K best of each class,
	// in the order of the classes.
	PerClass bool
	// RoundRobin ranks by the class values and takes the best of each class in
	// turn until there are K terms (Forman).
	RoundRobin bool
	// Keep are terms that are kept whatever their value, as far as they occur;
	// they come behind the others. Drop are terms that never are.
	Keep, Drop []string
}

// A Selection is an ordered list of terms with what is needed to apply it to
// other data. It is immutable and safe for concurrent use.
type Selection struct {
	Measure    string
	Combine    string
	Features   []Feature
	Documents  int      // of the corpus it was made from: the N of idf
	Classes    []string // in label-byte order: the classes of the output
	Provenance Provenance
	Warnings   []string
}

// A Feature is a selected term.
type Feature struct {
	Rank  int // from 1: the index in the reduced data
	Term  string
	Score float64
	DF    int
	// Class is the class that the term was selected for, with A documents in
	// it and B outside; only of a selection by class.
	Class string
	A, B  int
}

func (o Selecting) check() error {
	set := 0
	for _, on := range []bool{o.K != 0, o.Percentile != 0, o.MinScore != nil} {
		if on {
			set++
		}
	}
	switch {
	case set != 1:
		return usage("say how many terms to select: exactly one of k, percentile and min-score")
	case o.K < 0:
		return usage("k must be positive, not %d", o.K)
	case o.Percentile < 0 || o.Percentile > 100 || math.IsNaN(o.Percentile):
		return usage("the percentile must be above 0 and at most 100, not %v", o.Percentile)
	case o.MinScore != nil && math.IsNaN(*o.MinScore):
		return usage("the least score must be a number")
	case o.PerClass && o.RoundRobin:
		return usage("per-class and round-robin exclude each other")
	case (o.PerClass || o.RoundRobin) && o.K == 0:
		return usage("per-class and round-robin need k")
	}
	return nil
}

// Select scores and selects. It returns [ErrNothingSelected] where no term
// passes, and warns where k is more than there are terms.
func (c *Corpus) Select(ctx context.Context, o Selecting) (*Selection, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Selection{Documents: c.Documents(), Classes: c.Classes(), Provenance: c.provenance}
	choose := s.overall
	if o.PerClass || o.RoundRobin {
		choose = s.byClass
	}
	entries, err := choose(ctx, c, o)
	if err != nil {
		return nil, err
	}
	s.number(entries)
	if o.K > c.Terms() {
		s.Warnings = append(s.Warnings, fmt.Sprintf("k = %d is more than the %d terms: all of them are kept", o.K, c.Terms()))
	}
	if len(s.Features) == 0 {
		return nil, fmt.Errorf("%w: none of the %d terms passes the criterion", ErrNothingSelected, c.Terms())
	}
	return s, nil
}

func (s *Selection) number(entries []Entry) {
	s.Features = make([]Feature, 0, len(entries))
	for i, e := range entries {
		s.Features = append(s.Features, Feature{Rank: i + 1, Term: e.Term, Score: e.Value, DF: e.DF, Class: e.Class, A: e.A, B: e.B})
	}
}

// overall selects by one value a term.
func (s *Selection) overall(ctx context.Context, c *Corpus, o Selecting) ([]Entry, error) {
	rankings, err := c.Rank(ctx, o.Scoring)
	if err != nil {
		return nil, err
	}
	r := rankings[0]
	s.Measure, s.Combine, s.Warnings = r.Measure, r.Combine, r.Warnings
	k := o.K
	switch {
	case o.Percentile > 0:
		k = int(math.Ceil(o.Percentile / 100 * float64(r.Len())))
	case o.MinScore != nil:
		k = r.countFrom(*o.MinScore)
	}
	return apply(r, k, o), nil
}

// countFrom is the number of terms with at least a value.
func (r *Ranking) countFrom(least float64) int {
	n := 0
	for _, v := range r.values {
		if v >= least {
			n++
		}
	}
	return n
}

// apply takes the k best terms without the dropped ones and with the kept ones.
func apply(r *Ranking, k int, o Selecting) []Entry {
	drop := set(o.Drop)
	entries := r.Top(k + len(drop))
	if len(drop) > 0 {
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return drop[e.Term] })
	}
	entries = entries[:min(k, len(entries))]
	if o.MinScore != nil { // the places of dropped terms are not given to worse ones
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return !(e.Value >= *o.MinScore) })
	}
	if len(o.Keep) > 0 {
		return keep(r, entries, o.Keep, drop)
	}
	return entries
}

// keep appends terms that are to be kept, where they are not there yet.
func keep(r *Ranking, entries []Entry, terms []string, drop map[string]bool) []Entry {
	taken := make(map[string]bool, len(entries))
	for _, e := range entries {
		taken[e.Term] = true
	}
	for _, term := range terms {
		if t, ok := r.of.terms.Lookup(term); ok && !taken[term] && !drop[term] {
			entries = append(entries, r.at(t))
			taken[term] = true
		}
	}
	return entries
}

func set(terms []string) map[string]bool {
	m := make(map[string]bool, len(terms))
	for _, t := range terms {
		m[t] = true
	}
	return m
}

// byClass unites the lists of the classes: whole, or one term of each in turn.
func (s *Selection) byClass(ctx context.Context, c *Corpus, o Selecting) ([]Entry, error) {
	stats, err := c.Statistics(ctx, StatisticsOptions{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	lists := make([][]Entry, 0, len(s.Classes))
	for _, class := range s.Classes {
		r, err := stats.RankClass(ctx, class, o.Scoring)
		if err != nil {
			return nil, err
		}
		s.Measure, s.Combine = r.Measure, r.Combine
		if len(lists) == 0 {
			s.Warnings = r.Warnings
		}
		lists = append(lists, apply(r, o.K, o))
	}
	if o.PerClass {
		return unite(slices.Concat(lists...), math.MaxInt), nil
	}
	return unite(interleave(lists), o.K+len(o.Keep)), nil
}

func interleave(lists [][]Entry) []Entry {
	var out []Entry
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lists {
			if i < len(l) {
				out = append(out, l[i])
				more = true
			}
		}
	}
	return out
}

// unite keeps the first entry of each term, up to k of them.
func unite(entries []Entry, k int) []Entry {
	seen := map[string]bool{}
	var out []Entry
	for _, e := range entries {
		if len(out) == k {
			break
		}
		if !seen[e.Term] {
			seen[e.Term] = true
			out = append(out, e)
		}
	}
	return out
}

// Validate reports a request that no data could satisfy.
func (o Selecting) Validate() error {
	if err := o.check(); err != nil {
		return err
	}
	return o.Scoring.Validate()
}
