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
	if control := c.Provenance().Control; control != "" {
		return nil, usage.Errorf("%s reads the labels of documents, and those of this corpus are divided by the control %q: count it without --control", o.Criterion, control)
	}
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
		g := &greedy{by: criterionOf(o.Criterion), u: u, i: newInformation(u.size())}
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
