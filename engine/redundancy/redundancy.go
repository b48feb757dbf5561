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
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
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

// greedy is the state of a selection.
type greedy struct {
	by         *criterion
	u          *universe
	i          *information
	candidates []candidate // by their limits, descending, then by term
	relevance  []int64     // by term

	chosen     []*set
	relevances wide // ΣI(s;C) of the chosen

	postings postings.List
	meetings int
}

// begin looks at every term alone, by its cells, and gives the candidates their first bounds.
func (g *greedy) begin(cells *table.Cells, candidates []int) {
	n := g.u.x.Terms.Len()
	g.relevance = make([]int64, n)
	most := make([]int64, n)
	cells.Tiles(&table.Tile{}, 0, n, false, func(t *table.Tile) {
		for i := range t.DF {
			from, to := t.Range(i)
			f := g.i.count(g.u, to-from, func(k int) (uint32, int) { return t.Class[from+k], int(t.A[from+k]) })
			g.relevance[t.First+i], most[t.First+i] = g.i.relevance(&f), g.i.most(&f)
		}
	})
	g.candidates = make([]candidate, 0, len(candidates))
	for _, t := range candidates {
		c := candidate{term: uint32(t)}
		g.by.begin(&c, g.relevance[t], most[t])
		g.candidates = append(g.candidates, c)
	}
	// By their bounds, descending, then by term.
	sort.Slice(g.candidates, func(i, j int) bool { // smaller code than SortFunc
		a, b := &g.candidates[i], &g.candidates[j]
		return a.limit > b.limit || a.limit == b.limit && a.term < b.term
	})
}

// A choice is a chosen term with the value that the criterion gave it then, in nats.
// The value of the first is I(f;C).
type choice struct {
	term  int
	value float64
}

// choose takes the best candidate k times. What is chosen for a smaller k comes first.
func (g *greedy) choose(ctx context.Context, k int) ([]choice, error) {
	choices := make([]choice, 0, k)
	take := func(c *candidate, value float64) {
		choices = append(choices, choice{int(c.term), value})
		g.take(c)
	}
	if k > 0 {
		c := g.first()
		take(c, g.i.nats(whole(g.relevance[c.term])))
	}
	for m := 1; m < k; m++ {
		if ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		c, value, err := g.next(ctx, m)
		if err != nil {
			return nil, err
		}
		take(c, g.value(value, m))
	}
	return choices, nil
}

// first is the candidate of the largest relevance.
func (g *greedy) first() *candidate {
	best := &g.candidates[0]
	for i := range g.candidates {
		c := &g.candidates[i]
		v, most := g.relevance[c.term], g.relevance[best.term]
		if v > most || v == most && c.term < best.term {
			best = c
		}
	}
	return best
}

// next finds the candidate of the largest value beside the m terms chosen. Candidates
// meet them only as long as their bounds are above the best value so far, and none
// does behind the first whose limit is below it.
func (g *greedy) next(ctx context.Context, m int) (best *candidate, value wide, err error) {
	times := int64(1)
	if g.by.total {
		times = int64(m)
	}
	for i := range g.candidates {
		c := &g.candidates[i]
		if c.met == taken {
			continue
		}
		if best != nil && (wide{}).plusProduct(times, c.limit).less(value) {
			break
		}
		bound := c.bound(m)
		for best == nil || value.less(bound) || bound == value && c.term < best.term {
			if int(c.met) == m {
				best, value = c, bound
				break
			}
			if err := g.meet(ctx, c); err != nil {
				return nil, wide{}, err
			}
			bound = c.bound(m)
		}
	}
	return best, value, nil
}

// checkMeetings is how many meetings go by without a look at the context: some
// microseconds, or a millisecond where there are millions of documents.
const checkMeetings = 32

// meet has a candidate meet the next chosen term.
func (g *greedy) meet(ctx context.Context, c *candidate) error {
	if g.meetings++; g.meetings%checkMeetings == 0 && ctx.Err() != nil {
		return usage.Cause(ctx)
	}
	f := g.setOf(c)
	if s := g.chosen[c.met]; g.by.classes {
		g.by.meet(c, g.i.conditional(g.u, f, s))
	} else {
		g.by.meet(c, g.i.mutual(f, s))
	}
	c.met++
	return nil
}

// setOf gives the set of a candidate, which is made when first needed.
func (g *greedy) setOf(c *candidate) *set {
	if c.set == nil {
		c.set = g.u.load(g.i, int(c.term), &g.postings)
	}
	return c.set
}

// take adds a candidate to the chosen terms.
func (g *greedy) take(c *candidate) {
	s := g.setOf(c)
	s.index(g.u, chosenBits)
	g.chosen = append(g.chosen, s)
	g.relevances = g.relevances.plus(g.relevance[c.term])
	c.met, c.set = taken, nil
}

// value is the criterion's value in nats.
func (g *greedy) value(v wide, m int) float64 {
	if g.by.joint {
		v = v.add(g.relevances)
	}
	if g.by.mean {
		return g.i.nats(v) / float64(m)
	}
	return g.i.nats(v)
}
