package resample

import (
	"iter"
	"sort"

	"github.com/termsift/termsift/engine/draw"
	"github.com/termsift/termsift/engine/rank"
)

// Permutations are the p-values of all terms that [Permute] gives. They are immutable and
// safe for concurrent use.
type Permutations struct {
	*rank.Ranking           // by the labels as they are
	B             int       // number of permutations
	Largest       []float64 // of each permutation the largest value of all terms; ascending

	least   []float64 // by term: the least value that reaches the observed one
	reached []uint32  // by term: permutations in which the value was reached
	seed    uint64
	docs    int
}

// A PermutedEntry is a term with its value v and its p-values.
type PermutedEntry struct {
	rank.Entry
	// P is (1 + #{b: v_b >= v})/(B + 1), where v_b is the term's value in permutation b:
	// the share of permutations, that of the labels as they are included, in which it
	// reaches v.
	P float64
	// PMax is the same with the largest value of all terms in permutation b for v_b
	// (Westfall & Young 1993, single-step maxT): the probability that any term at all
	// reaches v if none has to do with the labels. To keep the terms with PMax up to a
	// level bounds the probability of a single wrong one by that level.
	PMax float64
}

// Order returns permutation b of [0, B): document d had the labels of document
// Order(b)[d].
func (p *Permutations) Order(b int) []uint32 { return draw.Order(p.docs, p.seed, uint64(b)) }

// Best yields the k best terms, best first; all terms if there are fewer.
func (p *Permutations) Best(k int) iter.Seq[PermutedEntry] {
	return func(yield func(PermutedEntry) bool) {
		entry := p.Entries()
		for i, t := range rank.TopK(p.Values(), min(max(k, 0), p.Len())) {
			e := p.entryOf(t, entry)
			e.Rank = i + 1
			if !yield(e) {
				return
			}
		}
	}
}

// All yields every term in the order of its bytes.
func (p *Permutations) All() iter.Seq[PermutedEntry] {
	return func(yield func(PermutedEntry) bool) {
		entry := p.Entries()
		for _, t := range p.Statistics().Names.Sorted() {
			if !yield(p.entryOf(int(t), entry)) {
				return
			}
		}
	}
}

// entryOf returns the entry of term t; entry gives its part from the ranking.
func (p *Permutations) entryOf(t int, entry func(t int) rank.Entry) PermutedEntry {
	reached := p.B - sort.SearchFloat64s(p.Largest, p.least[t])
	share := func(hits int) float64 { return float64(1+hits) / float64(p.B+1) }
	return PermutedEntry{Entry: entry(t), P: share(int(p.reached[t])), PMax: share(reached)}
}
