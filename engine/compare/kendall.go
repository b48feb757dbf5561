package compare

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// This file computes Kendall's tau-b by Knight's algorithm (JASA 61, 1966).

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

// A tauCounter computes tau on one goroutine.
type tauCounter struct {
	next   []uint32 // by group of the first order: the place of its next term
	groups []uint32 // in the second order, of the terms as the first has them, those of a group as the second has them
	merged []uint32 // scratch memory
}

// kendallTau returns (concordant - discordant)/√((pairs - tied in a)(pairs - tied in b)), 0 if
// all terms of one are tied.
func (c *tauCounter) kendallTau(a, b *order) float64 {
	pairs := pairsOf(len(a.terms))
	untiedA, untiedB := pairs-a.tiedPairs, pairs-b.tiedPairs
	if untiedA == 0 || untiedB == 0 {
		return 0
	}
	c.orderGroups(a, b)
	untied := pairs - a.tiedPairs - b.tiedPairs + c.tiedInBoth(a)
	difference := untied - 2*c.discordant()
	return float64(difference) / math.Sqrt(float64(untiedA)*float64(untiedB)) // exactly 1 for equal rankings
}

// orderGroups sets groups: it takes the terms in the order of b, and puts each at the next place
// of its group in a.
func (c *tauCounter) orderGroups(a, b *order) {
	c.next = append(c.next[:0], a.start...)
	c.groups = slices.Grow(c.groups[:0], len(a.terms))[:len(a.terms)]
	for _, t := range b.terms {
		at := &c.next[a.groupOf[t]]
		c.groups[*at] = b.groupOf[t]
		*at++
	}
}

// tiedInBoth returns the number of pairs of terms that are tied in both orders.
func (c *tauCounter) tiedInBoth(a *order) (pairs int64) {
	for g := range a.groups() {
		tied := 0
		for i := a.start[g]; i < a.start[g+1]; i++ {
			if i > a.start[g] && c.groups[i] != c.groups[i-1] {
				tied = 0
			}
			pairs += int64(tied)
			tied++
		}
	}
	return pairs
}

// discordant returns the number of pairs of terms that the second order has the other way
// round, by a merge sort of groups.
func (c *tauCounter) discordant() (pairs int64) {
	from := c.groups
	to := slices.Grow(c.merged[:0], len(from))[:len(from)]
	for width := 1; width < len(from); width *= 2 {
		for i := 0; i < len(from); i += 2 * width {
			mid, end := min(i+width, len(from)), min(i+2*width, len(from))
			pairs += mergeRuns(to[i:end], from[i:mid], from[mid:end])
		}
		from, to = to, from
	}
	c.groups, c.merged = from, to
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
