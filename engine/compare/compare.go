// Package compare tells how much rankings of terms agree.
//
// It takes several rankings of the terms of one corpus ([Rankings]), or several lists of
// terms ([Lists]), and gives a [Comparison]: for every pair Kendall's tau-b and, for the k
// best terms, the number shared, Jaccard's index and rank-biased overlap; and the terms
// that only some of the lists have.
//
// Begin reading with Rankings. Overlaps compare the best terms, and Kendall's tau the whole order.
//
// The package never makes a ranking and never reads a corpus.
package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Options are the options of [Rankings] and [Lists]. The zero value compares at the depths
// of the papers' tables, and the whole order of the terms.
type Options struct {
	// K are the depths: the K best terms of each list are compared as sets, and as lists
	// by RBO. nil means those of 10, 100, 1000 and 10000 for which there are enough terms.
	// A depth beyond the number of terms takes all, with a warning.
	K []int
	// P in (0, 1) is the persistence of RBO, the probability that a reader of the lists
	// goes on to the next rank. 0 is 0.9, which gives the first ten 86 % of the weight.
	P float64
	// OverlapsOnly leaves out Kendall's tau, which needs all terms in order.
	OverlapsOnly bool
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// defaultDepths are the depths of the OCFS paper's tables.
var defaultDepths = []int{10, 100, 1000, 10_000}

// A Comparison tells how much rankings, or lists of terms, agree. It is immutable and safe
// for concurrent use. Lists are numbered from 0 in the order they were given.
type Comparison struct {
	// K are the depths compared, ascending; P is the persistence of RBO.
	K []int
	P float64
	// Pairs are 0 with 1, 0 with 2, ..., 1 with 2 and so on.
	Pairs    []Pair
	Warnings []string

	top      []topTerms         // by list
	termName func(t int) string // by number of the term
}

// A Pair is the agreement of two lists, A before B.
type Pair struct {
	A, B int
	// Tau is Kendall's tau-b in [-1, 1] over all terms of the two lists. Terms that a
	// list does not have are tied behind its others. Tau is 0 if all terms of a list are
	// tied, NaN with Options.OverlapsOnly.
	Tau float64
	At  []Overlap // by depth, as Comparison.K
}

// An Overlap is the agreement of the best K terms of two lists.
type Overlap struct {
	K      int
	Shared int // number of terms that both have
	// Jaccard is Shared divided by the number of terms that either has.
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

// validate returns a [usage.ErrUsage] for options, or a number of lists, that cannot be
// compared.
func (o Options) validate(lists int) error {
	if lists < 2 {
		return usage.Errorf("a comparison needs two lists of terms at least, not %d", lists)
	}
	for _, k := range o.K {
		if k <= 0 {
			return usage.Errorf("k must be positive, not %d", k)
		}
	}
	if o.P != 0 && !(0 < o.P && o.P < 1) {
		return usage.Errorf("p of RBO must be above 0 and below 1, not %v", o.P)
	}
	return nil
}

// Rankings compares rankings of the terms of one corpus. Among the best terms, ties are
// ranked as [rank.Ranking] ranks them. For tau, terms of equal value are tied, and
// undefined values are equal and last. It returns a [usage.ErrUsage] for rankings of
// different terms.
func Rankings(ctx context.Context, o Options, rankings ...*rank.Ranking) (*Comparison, error) {
	if err := o.validate(len(rankings)); err != nil {
		return nil, err
	}
	of := rankings[0].Statistics().Names
	for i, r := range rankings {
		if !sameTerms(r.Statistics().Names, of) {
			return nil, usage.Errorf("rankings 1 and %d rank the terms of different corpora: compare their features as lists", i+1)
		}
	}
	c := o.newComparison(len(rankings), of.Len(), of.Term)
	depth := c.K[len(c.K)-1]
	orders := make([]order, len(rankings))
	err := pool.Run(ctx, o.Threads, len(rankings), func(_, i int) error {
		c.top[i] = newTopTerms(rank.TopK(rankings[i].Values(), depth), of.Len())
		if !o.OverlapsOnly {
			orders[i] = orderOf(rankings[i].Values())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, r := range rankings {
		if orders[i].groups() == 1 && of.Len() > 1 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("all terms have the same value by %s, %s: its tau with any other is 0", r.Measure, r.Combine))
		}
	}
	return c.comparePairs(ctx, o, func(a, b int) float64 { return kendallTau(&orders[a], &orders[b]) })
}

// sameTerms reports whether two dictionaries have the same terms with the same numbers.
func sameTerms(a, b *table.Dictionary) bool {
	return a == b || a.Text() == b.Text() && slices.Equal(a.Offsets(), b.Offsets())
}

// Lists compares lists of terms, best first, such as the features of selections. They may
// differ in length; a depth takes all of a shorter list. It returns a [usage.ErrUsage] for
// a list that is empty or has a term twice.
func Lists(ctx context.Context, o Options, lists ...[]string) (*Comparison, error) {
	if err := o.validate(len(lists)); err != nil {
		return nil, err
	}
	var terms []string
	numbers := map[string]int{}
	numbered := make([][]int, len(lists))
	longest := 0
	for i, list := range lists {
		if len(list) == 0 {
			return nil, usage.Errorf("list %d is empty", i+1)
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
	c := o.newComparison(len(lists), longest, func(t int) string { return terms[t] })
	for i, list := range numbered {
		c.top[i] = newTopTerms(list, len(terms))
		for at, t := range list {
			if c.top[i].rank[t] != uint32(at+1) {
				return nil, usage.Errorf("list %d has the term %q twice", i+1, usage.Cut(terms[t]))
			}
		}
	}
	return c.comparePairs(ctx, o, func(a, b int) float64 {
		ofA, ofB := ordersOf(&c.top[a], &c.top[b])
		return kendallTau(&ofA, &ofB)
	})
}

// newComparison returns a Comparison with the pairs of lists, not yet compared, and the
// depths for a number of terms.
func (o Options) newComparison(lists, terms int, term func(int) string) *Comparison {
	c := &Comparison{P: o.P, top: make([]topTerms, lists), termName: term}
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
			c.Pairs = append(c.Pairs, Pair{A: a, B: b})
		}
	}
	return c
}

// comparePairs sets At and Tau of all pairs; tau returns that of two lists.
func (c *Comparison) comparePairs(ctx context.Context, o Options, tau func(a, b int) float64) (*Comparison, error) {
	err := pool.Stage(ctx, "compare", func(ctx context.Context) error {
		return pool.Run(ctx, o.Threads, len(c.Pairs), func(_, i int) error {
			p := &c.Pairs[i]
			p.At = overlaps(&c.top[p.A], &c.top[p.B], c.K, c.P)
			if p.Tau = math.NaN(); !o.OverlapsOnly {
				p.Tau = tau(p.A, p.B)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Pair returns the agreement of two different lists, given in either order.
func (c *Comparison) Pair(a, b int) Pair {
	i := slices.IndexFunc(c.Pairs, func(p Pair) bool { return p.A == min(a, b) && p.B == max(a, b) })
	return c.Pairs[i]
}

// Size returns the number of terms among the k best of a list: k, or fewer if the list is
// shorter. k must be at most the largest depth.
func (c *Comparison) Size(k, list int) int { return min(max(k, 0), len(c.top[list].terms)) }

// Only returns the terms among the k best of a list that none of the others has among its
// k best, best first. Without others it means all other lists. k must be at most the
// largest depth.
func (c *Comparison) Only(k, list int, others ...int) (terms []ListedTerm) {
	if len(others) == 0 {
		for i := range c.top {
			if i != list {
				others = append(others, i)
			}
		}
	}
	for i, t := range c.top[list].terms[:c.Size(k, list)] {
		shared := slices.ContainsFunc(others, func(o int) bool { return c.top[o].rank[t] != 0 && int(c.top[o].rank[t]) <= k })
		if !shared {
			terms = append(terms, ListedTerm{c.termName(int(t)), i + 1})
		}
	}
	return terms
}

// topTerms has the best terms of a list, down to the largest depth.
type topTerms struct {
	terms []uint32 // best first
	rank  []uint32 // by term, from 1; 0 for all other terms
}

// newTopTerms returns the list of the best of a number of terms.
func newTopTerms(best []int, terms int) topTerms {
	f := topTerms{terms: make([]uint32, len(best)), rank: make([]uint32, terms)}
	for i, t := range best {
		f.terms[i] = uint32(t)
		f.rank[t] = uint32(i + 1)
	}
	return f
}

// overlaps returns the overlaps of two lists at depths, which ascend.
func overlaps(a, b *topTerms, depths []int, p float64) []Overlap {
	deepest := depths[len(depths)-1]
	shared := make([]int, deepest+1) // by depth: terms among as many best of both lists
	for i, t := range a.terms[:min(deepest, len(a.terms))] {
		if there := int(b.rank[t]); there != 0 && there <= deepest {
			shared[max(i+1, there)]++ // from the deeper of its two ranks on
		}
	}
	for d := 1; d <= deepest; d++ {
		shared[d] += shared[d-1]
	}
	out := make([]Overlap, len(depths))
	for i, k := range depths {
		short, long := min(k, len(a.terms)), min(k, len(b.terms))
		if short > long {
			short, long = long, short
		}
		n := shared[k]
		out[i] = Overlap{K: k, Shared: n, Jaccard: float64(n) / float64(short+long-n), RBO: rbo(shared, short, long, p)}
	}
	return out
}

// rbo returns the rank-biased overlap of lists of the lengths short and long,
// extrapolated. With X_d shared terms at depth d the agreement there is
//
//	A_d = X_d/d                                down to short
//	A_d = X_d/d + X_short·(d-short)/(short·d)  from there to long
//
// since the shorter list is supposed to go on with the same agreement, and
//
//	RBO = (1-p)·Σ_{d=1..long} A_d·p^(d-1) + A_long·p^long
//
// It is summed from the end, r = A_d + p(r - A_d), so that equal lists give exactly 1 and
// lists that share nothing exactly 0.
func rbo(shared []int, short, long int, p float64) float64 {
	r, atShort := 0.0, float64(shared[short])
	for d := long; d > 0; d-- {
		agreement := float64(shared[d]) / float64(d)
		if d > short {
			agreement += float64(atShort*float64(d-short)) / float64(float64(short)*float64(d))
		}
		if d == long {
			r = agreement
		}
		r = agreement + float64(p*(r-agreement))
	}
	return r
}

// Kendall's tau-b is computed by Knight's algorithm (JASA 61, 1966).

// An order has the terms of a list in groups of equal value, best first.
type order struct {
	groupOf   []uint32 // by term: its group; 0 is the best
	terms     []uint32 // group by group
	start     []uint32 // by group: its first place in terms; and the end
	tiedPairs int64    // number of pairs of terms of equal value
}

// groups returns the number of groups.
func (o *order) groups() int { return len(o.start) - 1 }

// pairsOf returns the number of pairs among n terms.
func pairsOf(n int) int64 { return int64(n) * int64(n-1) / 2 }

// orderOf returns the order of terms by their values.
func orderOf(values []float64) order {
	terms := make([]rank.Candidate, len(values))
	for t, v := range values {
		terms[t] = rank.NewCandidate(t, v)
	}
	table.SortDescending(terms, make([]rank.Candidate, len(terms)))
	return newOrder(terms)
}

// newOrder returns the order of terms that are sorted by their keys.
func newOrder(terms []rank.Candidate) order {
	o := order{groupOf: make([]uint32, len(terms)), terms: make([]uint32, len(terms))}
	for i, c := range terms {
		if i == 0 || c.Key != terms[i-1].Key {
			o.start = append(o.start, uint32(i))
		}
		o.terms[i], o.groupOf[c.ID] = c.ID, uint32(len(o.start)-1)
	}
	o.start = append(o.start, uint32(len(terms)))
	for g := range o.groups() {
		o.tiedPairs += pairsOf(int(o.start[g+1] - o.start[g]))
	}
	return o
}

// ordersOf numbers the terms of two lists, and returns the order of each list. Terms that a list
// does not have are its last group.
func ordersOf(a, b *topTerms) (ofA, ofB order) {
	terms := slices.Clone(a.terms)
	inB := make([]rank.Candidate, 0, len(a.terms)+len(b.terms))
	for i, t := range b.terms {
		n := int(a.rank[t]) - 1
		if n < 0 {
			n = len(terms)
			terms = append(terms, t)
		}
		inB = append(inB, rank.Candidate{Key: uint64(len(b.terms) - i), ID: uint32(n)})
	}
	inA := make([]rank.Candidate, len(terms))
	for n, t := range terms {
		inA[n] = rank.Candidate{Key: uint64(max(len(a.terms)-n, 0)), ID: uint32(n)}
		if b.rank[t] == 0 {
			inB = append(inB, rank.Candidate{Key: 0, ID: uint32(n)})
		}
	}
	return newOrder(inA), newOrder(inB)
}

// kendallTau returns (concordant - discordant)/√((pairs - tied in a)(pairs - tied in b)), 0 if
// all terms of one are tied.
func kendallTau(a, b *order) float64 {
	pairs := pairsOf(len(a.terms))
	untiedA, untiedB := pairs-a.tiedPairs, pairs-b.tiedPairs
	if untiedA == 0 || untiedB == 0 {
		return 0
	}
	// The groups of b, of the terms as a has them, those of a group of a as b has them: the terms in the order of b are put
	// each at the next place of its group in a.
	groups, next := make([]uint32, len(a.terms)), slices.Clone(a.start)
	for _, t := range b.terms {
		at := &next[a.groupOf[t]]
		groups[*at] = b.groupOf[t]
		*at++
	}
	untied := pairs - a.tiedPairs - b.tiedPairs + a.tiedToo(groups)
	difference := untied - 2*discordant(groups)
	return float64(difference) / math.Sqrt(float64(untiedA)*float64(untiedB)) // exactly 1 for equal rankings
}

// tiedToo returns the number of pairs of terms that are tied, and also in another order that has these groups.
func (o *order) tiedToo(groups []uint32) (pairs int64) {
	for g := range o.groups() {
		tied := 0
		for i := o.start[g]; i < o.start[g+1]; i++ {
			if i > o.start[g] && groups[i] != groups[i-1] {
				tied = 0
			}
			pairs += int64(tied)
			tied++
		}
	}
	return pairs
}

// discordant returns the number of pairs of terms that the order of these groups has the other way
// round, by a merge sort.
func discordant(from []uint32) (pairs int64) {
	to := make([]uint32, len(from))
	for width := 1; width < len(from); width *= 2 {
		for i := 0; i < len(from); i += 2 * width {
			mid, end := min(i+width, len(from)), min(i+2*width, len(from))
			pairs += mergeRuns(to[i:end], from[i:mid], from[mid:end])
		}
		from, to = to, from
	}
	return pairs
}

// mergeRuns merges two sorted runs and returns the number of pairs, one of each, that were in
// the other order: an element of the right run passes all that is left of the left one.
func mergeRuns(to, left, right []uint32) (pairs int64) {
	n := 0
	for len(left) > 0 && len(right) > 0 {
		if right[0] < left[0] {
			pairs += int64(len(left))
			to[n], right = right[0], right[1:]
		} else {
			to[n], left = left[0], left[1:]
		}
		n++
	}
	n += copy(to[n:], left)
	copy(to[n:], right)
	return pairs
}
