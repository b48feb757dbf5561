package vectors

import (
	"context"
	"maps"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file finds the elements of the documents: an element is a feature with its frequency in a document. They
// come from the rows of a corpus as long as it has any, else from the posting lists of the features.

// documentElements has the elements of all documents: those of document d are
// [start[d], start[d+1]), ascending by index. A feature and its count are one number, since writing
// goes to as many places in turn as there are documents.
type documentElements struct {
	start  []uint64  // documents+1
	words  []uint64  // the feature in the upper half, and its count in the lower
	values []float64 // in place of counts, if they are real
}

// appendDocument appends the elements of a document.
func (g *documentElements) appendDocument(dst []element, doc uint32) []element {
	from, to := g.start[doc], g.start[doc+1]
	for i, word := range g.words[from:to] {
		tf := float64(uint32(word))
		if g.values != nil {
			tf = g.values[from+uint64(i)]
		}
		dst = append(dst, element{uint32(word >> 32), tf})
	}
	return dst
}

// An elementReader reads the elements of documents on one goroutine.
type elementReader interface {
	// appendDocument appends the elements of a document, ascending by index.
	appendDocument(dst []element, doc uint32) []element
}

// eachElements calls f with what makes readers of the elements of all documents of c, each for one
// goroutine: of its rows as long as it has any, which takes no memory.
func (t *Transformer) eachElements(ctx context.Context, c *corpus.Corpus, f func(reader func() elementReader) error) error {
	if err := t.checkAnalysis(c); err != nil {
		return err
	}
	there, err := corpus.Rows(c, func(r *postings.Rows) error {
		terms, err := t.termNumbers(ctx, c)
		if err != nil {
			return err
		}
		of := slices.Repeat([]uint32{notSelected}, r.Width())
		for feature, term := range terms {
			if term >= 0 {
				of[r.Number(term)] = uint32(feature)
			}
		}
		return f(func() elementReader { return &rowReader{rows: r, of: of, order: newFeatureOrder(len(terms))} })
	})
	if there || err != nil {
		return err
	}
	g, err := t.elementsOfLists(ctx, c)
	if err != nil {
		return err
	}
	return f(func() elementReader { return g })
}

// gatheredElements returns the elements of all documents, for more than one reading.
func gatheredElements(ctx context.Context, from elementReader, documents int) (*documentElements, error) {
	if g, ok := from.(*documentElements); ok {
		return g, nil
	}
	g := &documentElements{start: make([]uint64, documents+1)}
	var own []element
	for d := range documents {
		if d%documentsAtOnce == 0 && ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		own = from.appendDocument(own[:0], uint32(d))
		for _, e := range own {
			g.words = append(g.words, uint64(e.index)<<32|uint64(e.tf))
		}
		g.start[d+1] = uint64(len(g.words))
	}
	return g, nil
}

// elementsOfLists reads the posting lists of the features twice, in their order, and no others: to count the elements
// of each document, and to put them in their places.
func (t *Transformer) elementsOfLists(ctx context.Context, c *corpus.Corpus) (*documentElements, error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	var terms []int
	err = x.Guard(func() error {
		terms, err = t.termNumbers(ctx, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	var p postings.List
	each := func(read func(term int, p *postings.List) error, f func(feature int)) error {
		return x.Each(ctx, len(terms), func(feature int) error {
			if terms[feature] < 0 {
				return nil
			}
			err := read(terms[feature], &p)
			if err == nil {
				f(feature)
			}
			return err
		})
	}
	g := &documentElements{start: make([]uint64, c.Documents()+1)}
	err = each(x.ReadDocs, func(int) {
		for _, d := range p.Docs {
			g.start[d+1]++
		}
	})
	if err != nil {
		return nil, err
	}
	for d := range c.Documents() {
		g.start[d+1] += g.start[d]
	}
	next, total := slices.Clone(g.start), g.start[c.Documents()]
	g.words = make([]uint64, total)
	if x.Real() {
		g.values = make([]float64, total)
	}
	return g, each(x.Read, func(feature int) {
		word, words, tf := uint64(feature)<<32, g.words, p.TF[:len(p.Docs)]
		for i, d := range p.Docs {
			at := next[d]
			next[d] = at + 1
			words[at] = word | uint64(uint32(tf[i]))
			if g.values != nil {
				g.values[at] = tf[i]
			}
		}
	})
}

const notSelected = 1<<32 - 1

// A rowReader reads the elements of documents from rows, on one goroutine.
type rowReader struct {
	rows  *postings.Rows
	of    []uint32 // by term of the rows: its feature, from 0, or notSelected
	order *featureOrder
}

// appendDocument appends the elements of a document.
func (r *rowReader) appendDocument(dst []element, doc uint32) []element {
	terms, counts := r.rows.Document(int(doc))
	counts = counts[:len(terms)]
	for i, t := range terms {
		if f := r.of[t]; f != notSelected {
			r.order.mark(f, counts[i])
		}
	}
	return r.order.appendMarked(dst)
}

// A featureOrder puts the features of one document after another in order. It marks each in a set of bits, and goes
// through the set, which takes a third of the time of sorting.
type featureOrder struct {
	counts []uint32 // by feature, if it is in the set
	set    []uint64 // a bit a feature
	filled []uint64 // a bit a word of set: whether it is not 0
}

// newFeatureOrder returns an order of so many features.
func newFeatureOrder(features int) *featureOrder {
	words := (features + 63) / 64
	return &featureOrder{make([]uint32, features), make([]uint64, words), make([]uint64, (words+63)/64)}
}

// mark puts a feature into the set, with its count in the document.
func (o *featureOrder) mark(feature, count uint32) {
	o.set[feature/64] |= 1 << (feature % 64)
	o.filled[feature/(64*64)] |= 1 << (feature / 64 % 64)
	o.counts[feature] = count
}

// appendMarked appends the features of the set, ascending, and empties it.
func (o *featureOrder) appendMarked(dst []element) []element {
	for i, words := range o.filled {
		for ; words != 0; words &= words - 1 {
			at := i*64 + bits.TrailingZeros64(words)
			for set := o.set[at]; set != 0; set &= set - 1 {
				feature := uint32(at*64 + bits.TrailingZeros64(set))
				dst = append(dst, element{feature, float64(o.counts[feature])})
			}
			o.set[at] = 0
		}
		o.filled[i] = 0
	}
	return dst
}

// termNumbers returns the corpus's number of every feature's term, -1 where it lacks it. If the terms of the corpus
// are not in order, it goes through all of them: to look the features up would sort them.
func (t *Transformer) termNumbers(ctx context.Context, c *corpus.Corpus) ([]int, error) {
	terms := slices.Repeat([]int{-1}, len(t.selection.Features))
	if corpus.Find(c, nil, nil) {
		names := slices.Sorted(maps.Keys(t.feature))
		corpus.Find(c, names, func(i, term int) { terms[t.feature[names[i]]] = term })
		return terms, nil
	}
	for term := range c.Terms() {
		if term%4096 == 0 && ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		if i, ok := t.feature[c.Term(term)]; ok {
			terms[i] = term
		}
	}
	return terms, nil
}
