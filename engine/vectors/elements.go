package vectors

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/store"
)

// This file turns the posting lists of the selected terms into the elements of the
// documents: an element is a feature with its frequency in a document.

// documentElements has the elements of all documents: those of document d are
// [start[d], start[d+1]), ascending by index.
type documentElements struct {
	start    []uint64 // documents+1
	elements elementList
}

// An elementList stores elements by their places. The two kinds are in packed.go.
type elementList interface {
	// addTerm stores an element for every document with a term: at the place
	// next[document], to which it adds 1. index is the number of the feature.
	addTerm(next []uint64, index uint32, term int) error
	// appendRange appends the elements at the places [from, to).
	appendRange(dst []element, from, to uint64) []element
}

// newElementList returns a list of n elements of terms selected terms: packed if the values
// are counts and the number of a term fits beside one.
func newElementList(x *store.Index, terms int, n uint64) elementList {
	if x.Real() || terms > maxPackedTerms {
		return &plainElements{index: x, elements: make([]element, n)}
	}
	return &packedCounts{index: x, words: make([]uint32, n)}
}

// appendDocument appends the elements of a document.
func (g *documentElements) appendDocument(dst []element, doc uint32) []element {
	return g.elements.appendRange(dst, g.start[doc], g.start[doc+1])
}

// gatherElements makes the elements of all documents of c. It reads the posting lists of
// the features twice, in their order, and no others.
func (t *Transformer) gatherElements(ctx context.Context, c *corpus.Corpus) (*documentElements, error) {
	g := &documentElements{start: make([]uint64, c.Documents()+1)}
	terms := t.termNumbers(c)
	var p store.Postings
	err := forEachTerm(ctx, c, terms, func(_, term int) error {
		if err := c.Index().ReadDocs(term, &p); err != nil {
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
	g.elements = newElementList(c.Index(), len(terms), g.start[c.Documents()])
	next := slices.Clone(g.start)
	return g, forEachTerm(ctx, c, terms, func(feature, term int) error { return g.elements.addTerm(next, uint32(feature), term) })
}

// forEachTerm calls f for the features that the corpus has. terms has the number of each
// feature's term, -1 where the corpus lacks it.
func forEachTerm(ctx context.Context, c *corpus.Corpus, terms []int, f func(feature, term int) error) error {
	return c.Index().Each(ctx, len(terms), func(feature int) error {
		if terms[feature] < 0 {
			return nil
		}
		return f(feature, terms[feature])
	})
}

// termNumbers returns the corpus's number of every feature's term, -1 where it lacks it.
// It goes through all terms, for looking the features up would sort the dictionary.
func (t *Transformer) termNumbers(c *corpus.Corpus) []int {
	terms := make([]int, len(t.selection.Features))
	for i := range terms {
		terms[i] = -1
	}
	for term := range c.Terms() {
		if i, ok := t.feature[c.Term(term)]; ok {
			terms[i] = term
		}
	}
	return terms
}
