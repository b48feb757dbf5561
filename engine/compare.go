package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// Comparing says how [Compare] and [CompareLists] compare. The zero value compares at
// the depths of the papers' tables, with the whole order of the terms.
type Comparing struct {
	// K are the depths: the K best terms of each list are compared as sets, and as
	// lists by RBO. nil means 10, 100, 1000 and 10000, as far as there are so many
	// terms. A depth beyond the terms takes all of them, with a warning.
	K []int
	// P in (0, 1) is the persistence of RBO, the chance that a reader of the lists
	// goes on to the next rank; 0 is 0.9, which gives the ten first 86 % of the weight.
	P float64
	// OverlapsOnly leaves out Kendall's tau, for which all terms are put in order.
	OverlapsOnly bool
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// defaultDepths are those of the OCFS paper's tables.
var defaultDepths = []int{10, 100, 1000, 10_000}

// A Comparison says how much rankings, or lists of terms, agree. It is immutable and
// safe for concurrent use. Lists are numbered from 0 in the order they were given.
type Comparison struct {
	// K are the depths that were compared, ascending, P the persistence of RBO.
	K []int
	P float64
	// Pairs are 0 with 1, 0 with 2, ..., 1 with 2 and so on.
	Pairs    []ComparedPair
	Warnings []string

	fronts []front
	term   func(t int) string
}

// A ComparedPair is the agreement of two lists, A before B.
type ComparedPair struct {
	A, B int
	// Tau is Kendall's tau-b in [-1, 1] over all terms of the two; those that one list
	// does not have are tied behind its others. It is 0 where a list has all of them
	// tied, and NaN where it was not asked for.
	Tau float64
	At  []Overlap // by depth
}

// An Overlap is the agreement of the best K terms of two lists.
type Overlap struct {
	K      int
	Shared int // terms that both have
	// Jaccard is Shared over the terms that either has.
	Jaccard float64
	// RBO in [0, 1] is rank-biased overlap, extrapolated from depth K (Webber, Moffat
	// and Zobel, ACM TOIS 28(4), 2010, equation 32).
	RBO float64
}

// A ListedTerm is a term and its rank, from 1.
type ListedTerm struct {
	Term string
	Rank int
}

func (o Comparing) validate(lists int) error {
	if lists < 2 {
		return usage("a comparison needs two lists of terms at least, not %d", lists)
	}
	for _, k := range o.K {
		if k <= 0 {
			return usage("k must be positive, not %d", k)
		}
	}
	if o.P != 0 && !(0 < o.P && o.P < 1) {
		return usage("p of RBO must be above 0 and below 1, not %v", o.P)
	}
	return nil
}

// Compare tells how much rankings of the same terms agree. Ties are ranked as in
// [Ranking] for the best terms; for tau, terms of equal value are tied, and undefined
// values are equal and last.
func Compare(ctx context.Context, o Comparing, rankings ...*Ranking) (*Comparison, error) {
	if err := o.validate(len(rankings)); err != nil {
		return nil, err
	}
	of := rankings[0].of.terms
	for i, r := range rankings {
		if !sameTerms(r.of.terms, of) {
			return nil, usage("rankings 1 and %d rank the terms of different corpora: compare their features as lists", i+1)
		}
	}
	c := o.comparison(len(rankings), of.Len(), of.Term)
	depth := c.K[len(c.K)-1]
	err := pool.Run(ctx, o.Threads, len(rankings), func(_, i int) error {
		c.fronts[i] = newFront(topK(rankings[i].values, depth), of.Len())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.compare(ctx, o, func(ctx context.Context) (tauOf, error) {
		all, err := groupRankings(ctx, o.Threads, rankings)
		if err != nil {
			return nil, err
		}
		c.warnTied(all, rankings)
		return func(counter *tauCounter, a, b int) float64 { return counter.tau(all, a, b) }, nil
	})
}

// sameTerms says that terms have the same numbers.
func sameTerms(a, b *store.Dictionary) bool {
	if a == b {
		return true
	}
	if a.Len() != b.Len() {
		return false
	}
	for t := range a.Len() {
		if a.Term(t) != b.Term(t) {
			return false
		}
	}
	return true
}

// CompareLists is [Compare] for lists of terms, best first: the features of
// selections, or what another method chose. They may differ in length; a depth takes
// no more of a list than there is.
func CompareLists(ctx context.Context, o Comparing, lists ...[]string) (*Comparison, error) {
	if err := o.validate(len(lists)); err != nil {
		return nil, err
	}
	var terms []string
	numbers := map[string]int{}
	numbered := make([][]int, len(lists))
	longest := 0
	for i, list := range lists {
		if len(list) == 0 {
			return nil, usage("list %d is empty", i+1)
		}
		longest = max(longest, len(list))
		for _, term := range list {
			t, ok := numbers[term]
			if !ok {
				t = len(terms)
				numbers[term] = t
				terms = append(terms, term)
			}
			numbered[i] = append(numbered[i], t)
		}
	}
	c := o.comparison(len(lists), longest, func(t int) string { return terms[t] })
	for i, list := range numbered {
		c.fronts[i] = newFront(list, len(terms))
		if t := c.fronts[i].repeated(); t >= 0 {
			return nil, usage("list %d has the term %q twice", i+1, cut(terms[t]))
		}
	}
	return c.compare(ctx, o, func(context.Context) (tauOf, error) {
		return func(counter *tauCounter, a, b int) float64 {
			return counter.tau(groupFronts(&c.fronts[a], &c.fronts[b]), 0, 1)
		}, nil
	})
}

// comparison makes one of so many lists, with the depths among so many terms.
func (o Comparing) comparison(lists, terms int, term func(int) string) *Comparison {
	c := &Comparison{P: o.P, fronts: make([]front, lists), term: term}
	if c.P == 0 {
		c.P = .9
	}
	c.K = slices.Sorted(slices.Values(o.K))
	if len(o.K) == 0 {
		c.K = slices.DeleteFunc(slices.Clone(defaultDepths), func(k int) bool { return k > terms })
	}
	for i, k := range c.K {
		if k > terms {
			c.Warnings = append(c.Warnings, fmt.Sprintf("k = %d is more than the %d terms: all of them are compared", k, terms))
			c.K[i] = terms
		}
	}
	if c.K = slices.Compact(c.K); len(c.K) == 0 {
		c.K = []int{terms}
	}
	for a := range lists {
		for b := a + 1; b < lists; b++ {
			c.Pairs = append(c.Pairs, ComparedPair{A: a, B: b})
		}
	}
	return c
}

// tauOf computes the tau of two lists with the memory of a worker.
type tauOf func(counter *tauCounter, a, b int) float64

// compare fills the pairs.
func (c *Comparison) compare(ctx context.Context, o Comparing, prepare func(context.Context) (tauOf, error)) (*Comparison, error) {
	err := pool.Stage(ctx, "compare", func(ctx context.Context) (err error) {
		tau := tauOf(func(*tauCounter, int, int) float64 { return math.NaN() })
		if !o.OverlapsOnly {
			if tau, err = prepare(ctx); err != nil {
				return err
			}
		}
		overlaps := make([]overlapper, pool.Threads(o.Threads))
		counters := make([]tauCounter, len(overlaps))
		return pool.Run(ctx, o.Threads, len(c.Pairs), func(worker, i int) error {
			p := &c.Pairs[i]
			p.At = overlaps[worker].compare(&c.fronts[p.A], &c.fronts[p.B], c.K, c.P)
			p.Tau = tau(&counters[worker], p.A, p.B)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// warnTied tells of rankings that have no order.
func (c *Comparison) warnTied(all *grouped, rankings []*Ranking) {
	for i, r := range rankings {
		if all.lists[i].groups() == 1 && all.terms > 1 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("all terms have the same value by %s, %s: its tau with any other is 0", r.Measure, r.Combine))
		}
	}
}

// Pair gives the agreement of two different lists, in whichever order.
func (c *Comparison) Pair(a, b int) ComparedPair {
	i := slices.IndexFunc(c.Pairs, func(p ComparedPair) bool { return p.A == min(a, b) && p.B == max(a, b) })
	return c.Pairs[i]
}

// Size is the number of terms among the k best of a list: k, or what a shorter list
// has. k is at most the largest depth.
func (c *Comparison) Size(k, list int) int { return min(max(k, 0), len(c.fronts[list].terms)) }

// Only lists the terms among the k best of a list that none of the others has among
// its k best, best first; without others, that no other list has. k is at most the
// largest depth.
func (c *Comparison) Only(k, list int, others ...int) (terms []ListedTerm) {
	if len(others) == 0 {
		for i := range c.fronts {
			if i != list {
				others = append(others, i)
			}
		}
	}
	for i, t := range c.fronts[list].terms[:c.Size(k, list)] {
		if !slices.ContainsFunc(others, func(o int) bool { return c.fronts[o].has(t, k) }) {
			terms = append(terms, ListedTerm{c.term(int(t)), i + 1})
		}
	}
	return terms
}
