package methods

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
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// The criteria of [Redundancy].
const (
	MRMR = "mrmr"
	JMI  = "jmi"
	CMIM = "cmim"
)

// Criteria lists the names of the criteria.
func Criteria() []string { return []string{MRMR, JMI, CMIM} }

// A Redundancy chooses terms one after the other, each for what it tells about
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
// its bytes. The zero value is mrmr.
type Redundancy struct {
	Label     string // the name of the method in results; "" is the criterion
	Criterion string // MRMR, JMI or CMIM; "" is MRMR
	// Among are the terms to choose from, those that do not occur left out; nil means
	// all. Drop are terms that are not chosen.
	Among, Drop []string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Name returns the Label, or the criterion.
func (m Redundancy) Name() string { return cmp.Or(m.Label, m.Criterion, MRMR) }

// Validate returns an error for options that are wrong whatever the data.
func (m Redundancy) Validate() error {
	if known := Criteria(); m.Criterion != "" && !slices.Contains(known, m.Criterion) {
		return usage.Unknown("criterion", m.Criterion, known)
	}
	return nil
}

// Select chooses k terms, or all terms if k is 0.
//
// The score of a feature is its value when it was chosen. The terms for a smaller k
// are the first of these, and the bits are the same for any number of threads. It
// returns [selection.ErrNothingSelected] where no term is left.
//
// Beside 8 bytes a pair and 64 a candidate it takes memory for the terms that it looks
// at closely: at most 12 bytes a posting for candidates, 256 for chosen terms.
func (m Redundancy) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	k, err := sizeOf(m, c, k)
	if err != nil {
		return nil, err
	}
	g := &greedy{criterion: cmp.Or(m.Criterion, MRMR)}
	if err := c.RequireClasses(g.criterion); err != nil {
		return nil, err
	}
	hasTerm := func(term string) bool {
		_, ok := c.Lookup(term)
		return ok
	}
	drop := table.Spelled(c.Provenance().Analysis, m.Drop, hasTerm)
	terms := m.termsOf(c, drop)
	if len(terms) == 0 {
		return nil, fmt.Errorf("%w: no term is left to choose from", selection.ErrNothingSelected)
	}
	s := &selection.Selection{
		Measure: rank.Measure(g.criterion), Combine: "greedy", Documents: c.Documents(), Classes: c.Classes(), Provenance: c.Provenance(),
	}
	err = pool.Stage(ctx, "redundancy", func(ctx context.Context) error {
		t, err := c.Statistics(ctx, corpus.CountOptions{Threads: m.Threads})
		if err != nil {
			return err
		}
		x, err := corpus.Lists(ctx, c)
		if err != nil {
			return err
		}
		g.u = newUniverse(x)
		g.begin(&t.Cells, terms)
		return x.Guard(func() (err error) {
			s.Features, err = g.choose(ctx, c, min(k, len(terms)))
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	s.Stages = []selection.Stage{{
		Measure: s.Measure, Combine: s.Combine, Criterion: fmt.Sprintf("k %d", k), Candidates: len(terms), Terms: len(s.Features),
	}}
	if len(s.Classes) == 1 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("there is one class only (%s): no term tells anything about it", s.Classes[0]))
	}
	s.Warnings = append(s.Warnings, selection.UnknownNames("to drop", drop, hasTerm)...)
	if k > len(terms) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("k = %d is more than the %d terms: all of them are kept", k, len(terms)))
	}
	return s, nil
}

// termsOf gives the numbers of the terms to choose from, ascending.
func (m Redundancy) termsOf(c *corpus.Corpus, drop []string) (terms []int) {
	if m.Among == nil {
		for t := range c.Terms() {
			terms = append(terms, t)
		}
	}
	for _, term := range m.Among {
		if t, ok := c.Lookup(term); ok {
			terms = append(terms, t)
		}
	}
	dropped := make(map[int]bool, len(drop))
	for _, term := range drop {
		if t, ok := c.Lookup(term); ok {
			dropped[t] = true
		}
	}
	slices.Sort(terms)
	return slices.DeleteFunc(slices.Compact(terms), func(t int) bool { return dropped[t] })
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

// greedy is the state of a selection.
type greedy struct {
	criterion  string
	u          *universe
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
			f := g.u.count(to-from, func(k int) (uint32, int) { return t.Class[from+k], int(t.A[from+k]) })
			g.relevance[t.First+i], most[t.First+i] = g.u.relevance(&f), g.u.most(&f)
		}
	})
	g.candidates = make([]candidate, 0, len(candidates))
	for _, t := range candidates {
		c := candidate{term: uint32(t)}
		switch relevance, most := g.relevance[t], most[t]; g.criterion {
		case MRMR: // m·I(f;C) - ΣI(f;s). I(f;s) >= 0, so some of the sum bound it.
			c.slope, c.limit = relevance, relevance
		case JMI: // ΣI(f,s;C) - ΣI(s;C) = ΣI(f;C|s). A term that was not met may give H(f).
			c.slope, c.limit = most, most
		default: // min I(f;C|s): the least so far bounds it.
			c.base, c.limit = whole(most), most
		}
		g.candidates = append(g.candidates, c)
	}
	// By their bounds, descending, then by term.
	sort.Slice(g.candidates, func(i, j int) bool { // smaller code than SortFunc
		a, b := &g.candidates[i], &g.candidates[j]
		return a.limit > b.limit || a.limit == b.limit && a.term < b.term
	})
}

// choose takes the best candidate k times. What is chosen for a smaller k comes first. A feature has the value that the
// criterion gave it then, in nats; the first one has I(f;C).
func (g *greedy) choose(ctx context.Context, of *corpus.Corpus, k int) ([]selection.Feature, error) {
	features := make([]selection.Feature, 0, k)
	for m := range k {
		c, value, err := g.next(ctx, m)
		if err != nil {
			return nil, err
		}
		s := g.setOf(c)
		s.index(g.u, chosenBits)
		g.chosen = append(g.chosen, s)
		t := int(c.term)
		features = append(features, selection.Feature{Rank: m + 1, Term: of.Term(t), Score: g.value(value, m), DF: of.DF(t)})
		g.relevances = g.relevances.plus(g.relevance[t])
		c.met, c.set = taken, nil
	}
	return features, nil
}

// next finds the candidate of the largest value beside the m terms chosen, the first one by its relevance. Candidates
// meet them only as long as their bounds are above the best value so far, and none
// does behind the first whose limit is below it.
func (g *greedy) next(ctx context.Context, m int) (best *candidate, value wide, err error) {
	if ctx.Err() != nil {
		return nil, wide{}, usage.Cause(ctx)
	}
	if m == 0 {
		for i := range g.candidates {
			c := &g.candidates[i]
			v := whole(g.relevance[c.term])
			if best == nil || value.less(v) || v == value && c.term < best.term {
				best, value = c, v
			}
		}
		return best, value, nil
	}
	times := int64(m)
	if g.criterion == CMIM { // whose values are no sums over the chosen terms
		times = 1
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
	f, s := g.setOf(c), g.chosen[c.met]
	switch g.criterion {
	case MRMR:
		c.base = c.base.plus(-g.u.mutual(f, s))
	case JMI:
		c.base = c.base.plus(g.u.conditional(f, s) - c.slope)
	default:
		if v := whole(g.u.conditional(f, s)); v.less(c.base) {
			c.base = v
		}
	}
	c.met++
	return nil
}

// setOf gives the set of a candidate, which is made when first needed.
func (g *greedy) setOf(c *candidate) *set {
	if c.set == nil {
		c.set = g.u.load(int(c.term), &g.postings)
	}
	return c.set
}

// value is the criterion's value in nats.
func (g *greedy) value(v wide, m int) float64 {
	if g.criterion == JMI {
		v = v.add(g.relevances)
	}
	if g.criterion == MRMR {
		return g.u.nats(v) / float64(max(1, m))
	}
	return g.u.nats(v)
}
