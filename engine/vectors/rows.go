package vectors

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file takes the elements of the documents from the rows of a corpus, one document after the
// other, so that no posting lists are needed.

// rowFeatures has the features of the terms of rows. Goroutines may share it.
type rowFeatures struct {
	rows     *postings.Rows
	of       []uint32 // by term of the rows: its feature, from 0, or notSelected
	features int
	elements int // of all documents
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
			f.elements += c.DF(term)
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

// A rowGatherer makes the elements of all documents from rows.
type rowGatherer struct {
	*rowFeatures
	start []uint64 // as that of documentElements
	words []uint32 // as those of packedCounts
}

// elementsOfRows makes the elements of all documents of c, whose rows are given.
func (t *Transformer) elementsOfRows(ctx context.Context, c *corpus.Corpus, r *postings.Rows, threads int) (*documentElements, error) {
	f, err := t.featuresOfRows(ctx, c, r, threads)
	if err != nil {
		return nil, err
	}
	g := &rowGatherer{rowFeatures: f, start: make([]uint64, c.Documents()+1), words: make([]uint32, f.elements)}
	g.start[c.Documents()] = uint64(f.elements)
	large, err := g.gather(ctx, threads)
	return &documentElements{start: g.start, elements: &packedCounts{words: g.words, large: large}}, err
}

// gather makes the elements. On several threads the elements of each part of the documents are
// counted first, for its first place.
func (g *rowGatherer) gather(ctx context.Context, threads int) ([]largeCount, error) {
	n := len(g.start) - 1
	parts := pool.Split(n, int64(n/pool.Threads(threads)+1), 1, func(int) int64 { return 1 })
	places := make([]uint64, len(parts))
	if len(parts) > 1 {
		err := pool.Run(ctx, threads, len(parts)-1, func(_, i int) (err error) {
			places[i+1], err = g.count(ctx, parts[i])
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range places[1:] {
		places[i+1] += places[i]
	}
	large := make([][]largeCount, len(parts))
	err := pool.Run(ctx, threads, len(parts), func(_, i int) (err error) {
		large[i], err = g.fill(ctx, parts[i], places[i])
		return err
	})
	var all []largeCount
	for _, own := range large {
		all = append(all, own...)
	}
	return all, err
}

// count returns the number of elements of some documents.
func (g *rowGatherer) count(ctx context.Context, docs pool.Range) (n uint64, err error) {
	for d := docs.From; d < docs.To; d++ {
		if d%documentsAtOnce == 0 && ctx.Err() != nil {
			return 0, usage.Cause(ctx)
		}
		terms, _ := g.rows.Document(d)
		for _, t := range terms {
			if g.of[t] != notSelected {
				n++
			}
		}
	}
	return n, nil
}

// fill makes the elements of some documents, the first of which is to have this place.
func (g *rowGatherer) fill(ctx context.Context, docs pool.Range, place uint64) (large []largeCount, err error) {
	r := g.reader()
	for d := docs.From; d < docs.To; d++ {
		if d%documentsAtOnce == 0 && ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		if d+1 < docs.To {
			g.rows.Prefetch(d + 1)
		}
		g.start[d] = place
		own := r.read(g.words[place:place], uint32(d))
		for i, f := range own {
			count := r.order.places[f]
			if count >= escaped {
				large = append(large, largeCount{place + uint64(i), count})
				count = escaped
			}
			own[i] = f<<countBits | count
		}
		place += uint64(len(own))
	}
	return large, nil
}

// plainElements stores elements as they are, for real values.
type plainElements struct {
	index    *postings.Index
	postings postings.List
	elements []element
}

func (l *plainElements) addTerm(next []uint64, index uint32, term int) error {
	p := &l.postings
	if err := l.index.Read(term, p); err != nil {
		return err
	}
	for i, d := range p.Docs {
		l.elements[next[d]] = element{index, p.TF[i]}
		next[d]++
	}
	return nil
}

func (l *plainElements) share() elementList {
	return &plainElements{index: l.index, elements: l.elements}
}

func (l *plainElements) join([]elementList) {}

func (l *plainElements) appendRange(dst []element, from, to uint64) []element {
	return append(dst, l.elements[from:to]...)
}

// packedCounts stores an element in four bytes: the index and, in the lowest byte, the
// count, or escaped for a larger one. Writing goes to as many places in turn as there are
// documents, so that size decides: 1.3 million elements take 23 ms in sixteen bytes each,
// 15 in eight and 12 in four, reading them again included.
type packedCounts struct {
	index    *postings.Index
	postings postings.List
	counts   []uint32
	words    []uint32
	large    []largeCount // in the order of their places once joined
}

const (
	countBits      = 8
	escaped        = 1<<countBits - 1
	maxPackedTerms = 1 << (32 - countBits)
)

// A largeCount is a count of 255 or more.
type largeCount struct {
	place uint64 // in words
	count uint32
}

func (l *packedCounts) addTerm(next []uint64, index uint32, term int) (err error) {
	if err = l.index.ReadDocs(term, &l.postings); err != nil {
		return err
	}
	if l.counts, err = l.index.AppendCounts(l.counts[:0], term); err != nil {
		return err
	}
	counts := l.counts[:len(l.postings.Docs)]
	for i, d := range l.postings.Docs {
		at, count := next[d], counts[i]
		next[d] = at + 1
		if count >= escaped {
			l.large = append(l.large, largeCount{at, count})
			count = escaped
		}
		l.words[at] = index<<countBits | count
	}
	return nil
}

func (l *packedCounts) share() elementList { return &packedCounts{index: l.index, words: l.words} }

func (l *packedCounts) join(lists []elementList) {
	for _, list := range lists {
		l.large = append(l.large, list.(*packedCounts).large...)
	}
	sort.Slice(l.large, func(i, j int) bool { return l.large[i].place < l.large[j].place }) // few: smaller code than SortFunc
}

func (l *packedCounts) appendRange(dst []element, from, to uint64) []element {
	for i, word := range l.words[from:to] {
		count := word % (1 << countBits)
		if count == escaped {
			place, _ := slices.BinarySearchFunc(l.large, from+uint64(i), func(c largeCount, at uint64) int { return cmp.Compare(c.place, at) })
			count = l.large[place].count
		}
		dst = append(dst, element{word >> countBits, float64(count)})
	}
	return dst
}
