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
	there, err := corpus.Rows(c, func(r *postings.Rows) error {
		features, err := t.featuresOfRows(ctx, c, r, threads)
		if err == nil {
			g, err = features.elements(ctx, c.Documents(), threads)
		}
		return err
	})
	if there || err != nil {
		return g, err
	}
	return t.elementsOfLists(ctx, c, threads)
}

// elementsOfLists reads the posting lists of the features twice, in their order, and no others. Goroutines read
// ranges of the features, which take eight bytes a document each: there are no more than make half of the elements'
// memory.
func (t *Transformer) elementsOfLists(ctx context.Context, c *corpus.Corpus, threads int) (*documentElements, error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	terms, err := t.termNumbers(ctx, c, threads, x.Run)
	if err != nil {
		return nil, err
	}
	df := func(feature int) int64 {
		if terms[feature] < 0 {
			return 0
		}
		return int64(c.DF(terms[feature]))
	}
	total, documents := int64(0), c.Documents()
	for feature := range terms {
		total += df(feature)
	}
	most := max(min(int64(pool.Threads(threads)), total/int64(2*max(documents, 1))), 1)
	parts := pool.Split(len(terms), total/most+1, 1, df)
	next := make([][]uint64, len(parts)) // by part and document: the number of elements, then the place of the next one
	each := func(f func(feature int, next []uint64, p *postings.List) error) error {
		return x.Run(ctx, threads, len(parts), func(_, part int) error {
			var p postings.List
			return x.Each(ctx, parts[part].To-parts[part].From, func(i int) error {
				if feature := parts[part].From + i; terms[feature] >= 0 {
					return f(feature, next[part], &p)
				}
				return nil
			})
		})
	}
	for i := range next {
		next[i] = make([]uint64, documents)
	}
	err = each(func(feature int, next []uint64, p *postings.List) error {
		if err := x.ReadDocs(terms[feature], p); err != nil {
			return err
		}
		for _, d := range p.Docs {
			next[d]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	g := &documentElements{start: make([]uint64, documents+1), words: make([]uint64, total)}
	if x.Real() {
		g.values = make([]float64, total)
	}
	at := uint64(0)
	for d := range documents {
		g.start[d] = at
		for _, places := range next {
			places[d], at = at, at+places[d]
		}
	}
	g.start[documents] = at
	return g, each(func(feature int, next []uint64, p *postings.List) error {
		if err := x.Read(terms[feature], p); err != nil {
			return err
		}
		word, words, tf := uint64(feature)<<32, g.words, p.TF[:len(p.Docs)]
		for i, d := range p.Docs {
			at := next[d]
			next[d] = at + 1
			words[at] = word | uint64(uint32(tf[i]))
			if g.values != nil {
				g.values[at] = tf[i]
			}
		}
		return nil
	})
}

// rowFeatures has the features of the terms of rows. Goroutines may share it.
type rowFeatures struct {
	rows     *postings.Rows
	of       []uint32 // by term of the rows: its feature, from 0, or notSelected
	features int
}

const notSelected = 1<<32 - 1

func (t *Transformer) featuresOfRows(ctx context.Context, c *corpus.Corpus, r *postings.Rows, threads int) (*rowFeatures, error) {
	terms, err := t.termNumbers(ctx, c, threads, pool.Run)
	if err != nil {
		return nil, err
	}
	f := &rowFeatures{rows: r, of: slices.Repeat([]uint32{notSelected}, r.Width()), features: len(terms)}
	for feature, term := range terms {
		if term >= 0 {
			f.of[r.Number(term)] = uint32(feature)
		}
	}
	return f, nil
}

// A rowReader reads the elements of documents on one goroutine.
type rowReader struct {
	*rowFeatures
	order *featureOrder
	own   []uint32 // features of the last document
}

func (f *rowFeatures) reader() *rowReader {
	return &rowReader{rowFeatures: f, order: newFeatureOrder(f.features)}
}

// read appends the features of a document, ascending, to dst; their counts are in order.places.
func (r *rowReader) read(dst []uint32, doc uint32) []uint32 {
	terms, counts := r.rows.Document(int(doc))
	counts = counts[:len(terms)]
	for i, t := range terms {
		if f := r.of[t]; f != notSelected {
			r.order.mark(f, counts[i])
		}
	}
	return r.order.appendMarked(dst)
}

// appendDocument appends the elements of a document.
func (r *rowReader) appendDocument(dst []element, doc uint32) []element {
	r.own = r.read(r.own[:0], doc)
	for _, f := range r.own {
		dst = append(dst, element{f, float64(r.order.places[f])})
	}
	return dst
}

// elements makes the elements of all documents. Goroutines make those of ranges of the documents.
func (f *rowFeatures) elements(ctx context.Context, documents, threads int) (*documentElements, error) {
	g := &documentElements{start: make([]uint64, documents+1)}
	parts := pool.Split(documents, int64(documents/pool.Threads(threads)+1), 1, func(int) int64 { return 1 })
	words := make([][]uint64, len(parts))
	err := pool.Run(ctx, threads, len(parts), func(_, i int) error {
		r := f.reader()
		for d := parts[i].From; d < parts[i].To; d++ {
			if d%documentsAtOnce == 0 && ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			if d+1 < parts[i].To {
				f.rows.Prefetch(d + 1)
			}
			r.own = r.read(r.own[:0], uint32(d))
			for _, feature := range r.own {
				words[i] = append(words[i], uint64(feature)<<32|uint64(r.order.places[feature]))
			}
			g.start[d+1] = uint64(len(r.own))
		}
		return nil
	})
	for d := range documents {
		g.start[d+1] += g.start[d]
	}
	if g.words = slices.Concat(words...); len(words) == 1 {
		g.words = words[0]
	}
	return g, err
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
