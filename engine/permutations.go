package engine

import (
	"iter"
	"slices"
	"sort"
)

// Permutations are the p-values of all terms by permuted labels, see
// [Corpus.Permute]. They are immutable and safe for concurrent use.
type Permutations struct {
	Measure, Combine string
	Class            string // of values for a class
	B                int    // permutations
	Warnings         []string

	ranking *Ranking // of the labels as they are
	least   []float64
	hits    []uint32
	largest []float64 // of every permutation the largest value of all terms; ascending
	seed    uint64
	docs    int
}

// A PermutedEntry is a term with its value and what permutations say of it.
type PermutedEntry struct {
	Entry
	// P is (1 + #{b: v_b >= v})/(B + 1): how often a term that has nothing to do with
	// the labels reaches its own value, the labels as they are among the cases.
	P float64
	// PMax is the same of the largest value of all terms in every permutation, in the
	// place of v_b (Westfall & Young 1993, single-step maxT): the chance that any term
	// at all reaches v where none has to do with the labels. Keeping the terms with PMax
	// up to a level bounds the chance of a single mistake by it.
	PMax float64
}

// Ranking gives the values of the labels as they are.
func (p *Permutations) Ranking() *Ranking { return p.ranking }

// Largest lists the largest value of every permutation, ascending. The slice must not
// be modified.
func (p *Permutations) Largest() []float64 { return p.largest }

// Order makes permutation b of [0, B) again: document d had the labels of document
// Order(b)[d].
func (p *Permutations) Order(b int) []uint32 { return shuffled(p.docs, p.seed, uint64(b)) }

// Top gives the k best terms, best first; all of them when there are fewer.
func (p *Permutations) Top(k int) []PermutedEntry { return slices.Collect(p.Best(k)) }

// Best yields what Top gives.
func (p *Permutations) Best(k int) iter.Seq[PermutedEntry] {
	return func(yield func(PermutedEntry) bool) {
		for i, t := range topK(p.ranking.values, min(max(k, 0), p.ranking.Len())) {
			e := p.at(t)
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
		for _, t := range p.ranking.of.terms.Sorted() {
			if !yield(p.at(int(t))) {
				return
			}
		}
	}
}

func (p *Permutations) at(t int) PermutedEntry {
	reached := p.B - sort.SearchFloat64s(p.largest, p.least[t])
	share := func(hits int) float64 { return float64(1+hits) / float64(p.B+1) }
	return PermutedEntry{Entry: p.ranking.at(t), P: share(int(p.hits[t])), PMax: share(reached)}
}
