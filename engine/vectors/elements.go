package vectors

import (
	"context"
	"maps"
	"math/bits"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file turns the posting lists of the selected terms into the elements of the
// documents: an element is a feature with its frequency in a document.

// documentElements has the elements of all documents: those of document d are
// [start[d], start[d+1]), ascending by index.
type documentElements struct {
	start    []uint64 // documents+1
	elements elementList
}

// An elementList stores elements by their places. The two kinds are in rows.go.
type elementList interface {
	// addTerm stores an element for every document with a term: at the place
	// next[document], to which it adds 1. index is the number of the feature.
	addTerm(next []uint64, index uint32, term int) error
	// share returns a list with the same places, to which another goroutine adds terms.
	share() elementList
	// join takes what lists that share the places have beside them. It must be called once
	// all terms were added.
	join(lists []elementList)
	// appendRange appends the elements at the places [from, to).
	appendRange(dst []element, from, to uint64) []element
}

// newElementList returns a list of n elements of terms selected terms: packed if the values
// are counts and the number of a term fits beside one.
func newElementList(x *postings.Index, terms int, n uint64) elementList {
	if x.Real() || terms > maxPackedTerms {
		return &plainElements{index: x, elements: make([]element, n)}
	}
	return &packedCounts{index: x, words: make([]uint32, n)}
}

// appendDocument appends the elements of a document.
func (g *documentElements) appendDocument(dst []element, doc uint32) []element {
	return g.elements.appendRange(dst, g.start[doc], g.start[doc+1])
}

// An elementReader reads the elements of documents on one goroutine.
type elementReader interface {
	// appendDocument appends the elements of a document, ascending by index.
	appendDocument(dst []element, doc uint32) []element
}

// eachElements calls f with what makes readers of the elements of all documents of c, each for one
// goroutine: of its rows as long as it has any, which takes no memory.
func (t *Transformer) eachElements(ctx context.Context, c *corpus.Corpus, threads int, f func(reader func() elementReader) error) error {
	if err := t.checkAnalysis(c); err != nil {
		return err
	}
	there, err := corpus.Rows(c, func(r *postings.Rows) error {
		features, err := t.featuresOfRows(ctx, c, r, threads)
		if err != nil {
			return err
		}
		return f(func() elementReader { return features.reader() })
	})
	if there || err != nil {
		return err
	}
	g, err := t.elementsOfLists(ctx, c, threads)
	if err != nil {
		return err
	}
	return f(func() elementReader { return g })
}

// gatherElements makes the elements of all documents of c, from its rows as long as it has any.
func (t *Transformer) gatherElements(ctx context.Context, c *corpus.Corpus, threads int) (g *documentElements, err error) {
	if len(t.selection.Features) <= maxPackedTerms {
		there, err := corpus.Rows(c, func(r *postings.Rows) error {
			g, err = t.elementsOfRows(ctx, c, r, threads)
			return err
		})
		if there || err != nil {
			return g, err
		}
	}
	return t.elementsOfLists(ctx, c, threads)
}

// elementsOfLists reads the posting lists of the features twice, in their order, and no others.
func (t *Transformer) elementsOfLists(ctx context.Context, c *corpus.Corpus, threads int) (*documentElements, error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	terms, err := t.termNumbers(ctx, c, threads, x.Run)
	if err != nil {
		return nil, err
	}
	parts := cutFeatures(c, terms, pool.Threads(threads))
	err = eachPart(ctx, x, threads, len(parts), func(i int) error { return parts[i].count(ctx, x, terms) })
	if err != nil {
		return nil, err
	}
	g := &documentElements{start: placeParts(parts, c.Documents())}
	g.elements = newElementList(x, len(terms), g.start[c.Documents()])
	lists := make([]elementList, len(parts))
	err = eachPart(ctx, x, threads, len(parts), func(i int) error {
		lists[i] = g.elements.share()
		return parts[i].each(ctx, x, terms, func(feature, term int) error { return lists[i].addTerm(parts[i].next, uint32(feature), term) })
	})
	if err != nil {
		return nil, err
	}
	g.elements.join(lists)
	return g, nil
}

// eachPart calls f for parts of the features of an index, on several threads.
func eachPart(ctx context.Context, x *postings.Index, threads, parts int, f func(part int) error) error {
	return x.Run(ctx, threads, parts, func(_, part int) error { return f(part) })
}

// A featurePart is a range of the features that one goroutine reads.
type featurePart struct {
	from, to int
	next     []uint64 // by document: the number of the part's elements, then the place of the next one
}

// cutFeatures cuts the features into at most so many parts with about equal numbers of elements.
// A part takes eight bytes a document: there are no more parts than make half of the elements'
// memory.
func cutFeatures(c *corpus.Corpus, terms []int, most int) []featurePart {
	ends, total := make([]int, len(terms)), 0
	for feature, term := range terms {
		if term >= 0 {
			total += c.DF(term)
		}
		ends[feature] = total
	}
	documents := c.Documents()
	most = max(min(most, total/(4*max(documents, 1))), 1)
	parts := make([]featurePart, most)
	for i := range parts {
		p := &parts[i]
		if i > 0 {
			p.from = parts[i-1].to
		}
		p.to, _ = slices.BinarySearch(ends, total/most*(i+1))
		p.next = make([]uint64, documents)
	}
	parts[most-1].to = len(terms)
	return parts
}

// each calls f for the features of the part that the index has. terms has the number of each
// feature's term, -1 where it lacks it.
func (p *featurePart) each(ctx context.Context, x *postings.Index, terms []int, f func(feature, term int) error) error {
	return x.Each(ctx, p.to-p.from, func(i int) error {
		if feature := p.from + i; terms[feature] >= 0 {
			return f(feature, terms[feature])
		}
		return nil
	})
}

// count counts the elements of each document.
func (p *featurePart) count(ctx context.Context, x *postings.Index, terms []int) error {
	var postings postings.List
	return p.each(ctx, x, terms, func(_, term int) error {
		if err := x.ReadDocs(term, &postings); err != nil {
			return err
		}
		for _, d := range postings.Docs {
			p.next[d]++
		}
		return nil
	})
}

// placeParts gives each part its places among the elements of each document, in the order of the
// parts, and returns where the elements of each document begin.
func placeParts(parts []featurePart, documents int) []uint64 {
	start := make([]uint64, documents+1)
	at := uint64(0)
	for d := range documents {
		start[d] = at
		for i := range parts {
			next := &parts[i].next[d]
			*next, at = at, at+*next
		}
	}
	start[documents] = at
	return start
}

// A runner is [pool.Run] or [postings.Index.Run].
type runner func(ctx context.Context, threads, n int, f func(worker, i int) error) error

// lookupTerms is the number of terms that a goroutine looks up at a time, and findFeatures that of features.
const (
	lookupTerms  = 1 << 13
	findFeatures = 1 << 10
)

// termNumbers returns the corpus's number of every feature's term, -1 where it lacks it. If the terms of the corpus
// are not in order, it goes through all of them: to look the features up would sort them. run runs work that reads
// names.
func (t *Transformer) termNumbers(ctx context.Context, c *corpus.Corpus, threads int, run runner) ([]int, error) {
	terms := make([]int, len(t.selection.Features))
	for i := range terms {
		terms[i] = -1
	}
	names := slices.Sorted(maps.Keys(t.feature))
	if !corpus.Find(c, nil, nil) {
		return terms, run(ctx, threads, (c.Terms()+lookupTerms-1)/lookupTerms, func(_, chunk int) error {
			from := chunk * lookupTerms
			for term := from; term < min(from+lookupTerms, c.Terms()); term++ {
				if i, ok := t.feature[c.Term(term)]; ok {
					terms[i] = term
				}
			}
			return nil
		})
	}
	return terms, run(ctx, threads, (len(names)+findFeatures-1)/findFeatures, func(_, chunk int) error {
		own := names[chunk*findFeatures : min((chunk+1)*findFeatures, len(names))]
		corpus.Find(c, own, func(i, term int) { terms[t.feature[own[i]]] = term })
		return nil
	})
}

// A featureOrder puts the elements of one document after another in the order of their features. It marks
// each feature in a set, and goes through the set: sorting took 20 ns an element of 20 Newsgroups,
// of which a document has 71, a seventh of the time of transforming its text.
type featureOrder struct {
	places []uint32 // by feature, if it is in the set: its number, such as the place of its element
	set    []uint64 // a bit a feature
	filled []uint64 // a bit a word of set: whether it is not 0
	marked []uint32 // scratch memory
	// Elements whose feature the document has already. There are none in a text, and errors
	// of others tell of them.
	repeated []element
}

// newFeatureOrder returns an order of so many features.
func newFeatureOrder(features int) *featureOrder {
	words := (features + 63) / 64
	return &featureOrder{places: make([]uint32, features), set: make([]uint64, words), filled: make([]uint64, (words+63)/64)}
}

// mark puts a feature with a number into the set.
func (o *featureOrder) mark(feature, number uint32) {
	o.set[feature/64] |= 1 << (feature % 64)
	o.filled[feature/(64*64)] |= 1 << (feature / 64 % 64)
	o.places[feature] = number
}

// appendMarked appends the features of the set, ascending, and empties it. Their numbers stay in
// o.places.
func (o *featureOrder) appendMarked(dst []uint32) []uint32 {
	for i, words := range o.filled {
		for ; words != 0; words &= words - 1 {
			at := i*64 + bits.TrailingZeros64(words)
			for set := o.set[at]; set != 0; set &= set - 1 {
				dst = append(dst, uint32(at*64+bits.TrailingZeros64(set)))
			}
			o.set[at] = 0
		}
		o.filled[i] = 0
	}
	return dst
}

// appendOrdered appends the elements of a document in order, those of one feature in the order in which they are given.
func (o *featureOrder) appendOrdered(dst, elements []element) []element {
	dst, first := slices.Grow(dst, len(elements)), len(dst)
	o.repeated = o.repeated[:0]
	for place, e := range elements {
		if o.set[e.index/64]>>(e.index%64)&1 != 0 {
			o.repeated = append(o.repeated, e)
			continue
		}
		o.mark(e.index, uint32(place))
	}
	o.marked = o.appendMarked(o.marked[:0])
	for _, feature := range o.marked {
		dst = append(dst, elements[o.places[feature]])
	}
	if len(o.repeated) > 0 {
		dst = append(dst, o.repeated...)
		own := dst[first:]
		sort.SliceStable(own, func(i, j int) bool { return own[i].index < own[j].index }) // rare: smaller code than SortStableFunc
	}
	return dst
}
