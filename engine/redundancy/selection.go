// Package redundancy chooses terms one after the other, each for what it tells about
// the class beside those that were chosen before. Of a term only its occurrence
// counts.
//
// The joint distribution is over (document, label) pairs: a document of two labels
// counts twice, an unlabelled one not at all. Values are sums of whole numbers, which
// nothing rounds while they are compared; equal ones go by the number of the term.
package redundancy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Options say which terms [Select] chooses.
type Options struct {
	// Criterion is MRMR, JMI or CMIM; "" is MRMR.
	Criterion string
	// K terms are chosen; all where there are fewer.
	K int
	// Among are the terms to choose from, those that do not occur left out; nil means
	// all. Drop are terms that are not chosen.
	Among, Drop []string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Validate reports a request that no data could satisfy.
func (o Options) Validate() error {
	if known := Names(); o.Criterion != "" && !slices.Contains(known, o.Criterion) {
		return usage.Unknown("criterion", o.Criterion, known)
	}
	if o.K <= 0 {
		return usage.Errorf("k must be positive, not %d", o.K)
	}
	return nil
}

// Select chooses k terms one after the other, each for what it tells about
// the class beside the set S of those chosen before. Of a term only its occurrence
// counts. The first is the term f of the largest mutual information I(f;C); then
//
//	mrmr  I(f;C) - (1/|S|) Σ_s I(f;s)   Peng, Long & Ding 2005
//	jmi   Σ_s I(f,s;C)                  Yang & Moody 1999
//	cmim  min_s I(f;C|s)                Fleuret 2004
//
// is the largest, in nats. The distribution is over (document, label) pairs: a
// document of two labels counts twice, one without labels not at all. Values are sums
// of n ln n over counts in fixed point, compared exactly, so that equal counts give
// equal values; of equal terms that of more documents comes first, then the first by
// its bytes.
//
// The score of a feature is its value when it was chosen. The terms for a smaller k
// are the first of these, and the bits are the same for any number of threads. It
// returns [selection.ErrNothingSelected] where no term is left.
//
// Beside 8 bytes a pair and 64 a candidate it takes memory for the terms that it looks
// at closely: at most 12 bytes a posting for candidates, 256 for chosen terms.
func Select(ctx context.Context, c *corpus.Corpus, o Options) (*selection.Selection, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Criterion = cmp.Or(o.Criterion, MRMR)
	if err := c.RequireClasses(string(o.Criterion)); err != nil {
		return nil, err
	}
	terms := candidatesOf(c, o)
	if len(terms) == 0 {
		return nil, fmt.Errorf("%w: no term is left to choose from", selection.ErrNothingSelected)
	}
	var choices []choice
	err := pool.Stage(ctx, "redundancy", func(ctx context.Context) error {
		s, err := c.Statistics(ctx, corpus.CountOptions{Threads: o.Threads})
		if err != nil {
			return err
		}
		x, err := corpus.Lists(ctx, c)
		if err != nil {
			return err
		}
		u := newUniverse(x)
		entropy := score.NewFixedEntropy(u.size())
		g := &greedy{by: criterionOf(o.Criterion), u: u, i: &information{entropy: entropy.Of, bits: entropy.Bits, pairs: u.size()}}
		g.begin(&s.Cells, terms)
		return x.Guard(func() (err error) {
			choices, err = g.choose(ctx, min(o.K, len(terms)))
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return newSelection(c, o, choices, len(terms)), nil
}

// newSelection makes a selection of the choices among so many candidates.
func newSelection(c *corpus.Corpus, o Options, choices []choice, candidates int) *selection.Selection {
	s := &selection.Selection{
		Measure: rank.Measure(o.Criterion), Combine: "greedy", Features: make([]selection.Feature, 0, len(choices)),
		Documents: c.Documents(), Classes: c.Classes(), Provenance: c.Provenance(),
	}
	for i, x := range choices {
		s.Features = append(s.Features, selection.Feature{Rank: i + 1, Term: c.Term(x.term), Score: x.value, DF: c.DF(x.term)})
	}
	s.Stages = []selection.Stage{{
		Measure: s.Measure, Combine: s.Combine, Criterion: fmt.Sprintf("k %d", o.K), Candidates: candidates, Terms: len(s.Features),
	}}
	if len(s.Classes) == 1 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("there is one class only (%s): no term tells anything about it", s.Classes[0]))
	}
	s.Warnings = append(s.Warnings, selection.UnknownNames("to drop", spelledDrop(c, o), hasTerm(c))...)
	if o.K > candidates {
		s.Warnings = append(s.Warnings, fmt.Sprintf("k = %d is more than the %d terms: all of them are kept", o.K, candidates))
	}
	return s
}

// spelledDrop returns the terms that o.Drop means.
func spelledDrop(c *corpus.Corpus, o Options) []string {
	return table.Spelled(c.Provenance().Analysis, o.Drop, hasTerm(c))
}

func hasTerm(c *corpus.Corpus) func(string) bool {
	return func(term string) bool {
		_, ok := c.Lookup(term)
		return ok
	}
}

// candidatesOf gives the numbers of the terms to choose from, ascending.
func candidatesOf(c *corpus.Corpus, o Options) (terms []int) {
	drop := make(map[string]bool, len(o.Drop))
	for _, term := range spelledDrop(c, o) {
		drop[term] = true
	}
	if o.Among == nil {
		for t := range c.Terms() {
			terms = append(terms, t)
		}
	}
	for _, term := range o.Among {
		if t, ok := c.Lookup(term); ok {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if len(drop) == 0 {
		return terms
	}
	return slices.DeleteFunc(terms, func(t int) bool { return drop[c.Term(t)] })
}

// A candidate is a term with a bound of its value that needs only some of the chosen
// terms. Beside m of them the bound is base + m·slope, and is the value once the
// candidate has met all m.
type candidate struct {
	base  wide
	slope int64
	limit int64  // of the bounds, or where values are totals of the mth part of them
	met   uint32 // chosen terms, in their order; or taken
	term  uint32
	set   *set // nil until it meets one
}

// taken marks a candidate that was chosen.
const taken = 1<<32 - 1

// bound is at least the value that the candidate has beside m chosen terms.
func (c *candidate) bound(m int) wide { return c.base.plusProduct(int64(m), c.slope) }

// A criterion is what terms are chosen by, from the second on. The first is always
// the one of the largest I(f;C).
type criterion struct {
	// begin gives a candidate its bound, by I(f;C) and what is at least H(f).
	begin func(c *candidate, relevance, most int64)
	// meet takes in what the next chosen term gives: I(f;C|s) if classes, else I(f;s).
	meet    func(c *candidate, v int64)
	classes bool
	// total says that values are sums over the chosen terms s; joint that ΣI(s;C) is to
	// be added, and mean that their number divides the result.
	total, joint, mean bool
}

// The criteria, see [Select].
const (
	MRMR = "mrmr"
	JMI  = "jmi"
	CMIM = "cmim"
)

// Names lists the names of the criteria.
func Names() []string { return []string{MRMR, JMI, CMIM} }

// criterionOf finds a criterion; nil where there is none of that name.
func criterionOf(name string) *criterion {
	switch name {
	case MRMR:
		// m·I(f;C) - ΣI(f;s). I(f;s) >= 0, so some of the sum bound it.
		return &criterion{
			total: true, mean: true,
			begin: func(c *candidate, relevance, _ int64) { c.slope, c.limit = relevance, relevance },
			meet:  func(c *candidate, v int64) { c.base = c.base.plus(-v) },
		}
	case JMI:
		// ΣI(f,s;C) - ΣI(s;C) = ΣI(f;C|s). A term that was not met may give H(f).
		return &criterion{
			total: true, joint: true, classes: true,
			begin: func(c *candidate, _, most int64) { c.slope, c.limit = most, most },
			meet:  func(c *candidate, v int64) { c.base = c.base.plus(v - c.slope) },
		}
	case CMIM:
		// min I(f;C|s): the least so far bounds it.
		return &criterion{
			classes: true,
			begin:   func(c *candidate, _, most int64) { c.base, c.limit = whole(most), most },
			meet: func(c *candidate, v int64) {
				if w := whole(v); w.less(c.base) {
					c.base = w
				}
			},
		}
	}
	return nil
}
