package engine

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/store"
)

// This file turns the posting lists of the selected terms into the documents'
// elements.

// gathered holds the elements of all documents, those of each behind each other
// and ascending by index.
type gathered struct {
	start []uint64 // documents+1
	list  elementList
}

// An elementList has room for elements, which it takes in any order.
type elementList interface {
	// put sets an element for every document of a term: at next[document], which it
	// moves on.
	put(next []uint64, index uint32, term int) error
	// appendTo appends the elements [from, to).
	appendTo(dst []element, from, to uint64) []element
}

func newElementList(x *store.Index, terms int, n uint64) elementList {
	if x.Real() || terms > mostPacked {
		return &plainElements{x: x, elements: make([]element, n)}
	}
	return &packedCounts{x: x, words: make([]uint32, n)}
}

func (g *gathered) appendTo(dst []element, doc uint32) []element {
	return g.list.appendTo(dst, g.start[doc], g.start[doc+1])
}

// gather passes over the posting lists twice, in the order of the features: what is
// not selected is never read.
func (t *Transformer) gather(ctx context.Context, c *Corpus) (*gathered, error) {
	g := &gathered{start: make([]uint64, c.Documents()+1)}
	terms := t.termsOf(c)
	var p store.Postings
	err := eachTerm(ctx, c, terms, func(_, term int) error {
		if err := c.index.ReadDocs(term, &p); err != nil {
			return err
		}
		for _, d := range p.Docs {
			g.start[d+1]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for d := range c.Documents() {
		g.start[d+1] += g.start[d]
	}
	g.list = newElementList(c.index, len(terms), g.start[c.Documents()])
	next := slices.Clone(g.start)
	return g, eachTerm(ctx, c, terms, func(feature, term int) error { return g.list.put(next, uint32(feature), term) })
}

// eachTerm calls f for the features that the corpus has.
func eachTerm(ctx context.Context, c *Corpus, terms []int, f func(feature, term int) error) error {
	return c.index.Each(ctx, len(terms), func(feature int) error {
		if terms[feature] < 0 {
			return nil
		}
		return f(feature, terms[feature])
	})
}

// termsOf gives the corpus's number of every feature, -1 where it has none. It
// passes over the terms, for looking them up would sort the dictionary.
func (t *Transformer) termsOf(c *Corpus) []int {
	terms := make([]int, len(t.s.Features))
	for i := range terms {
		terms[i] = -1
	}
	for term := range c.Terms() {
		if i, ok := t.rank[c.Term(term)]; ok {
			terms[i] = term
		}
	}
	return terms
}
