package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/bitmap"
)

// A Source is a corpus in the order in which it was read: the input of [Build].
// Postings of a document are the pairs (Terms[i], value) for i in
// [DocStart[d], DocStart[d+1]), each term once.
type Source struct {
	IDs        []string
	Classes    []string // in any order
	LabelStart []uint32 // documents+1
	Labels     []uint32 // numbers into Classes, each once a document
	DocStart   []uint64 // documents+1
	Terms      []uint32
	Counts     []uint32  // one a posting, or nil when
	Values     []float64 // the values are real
	Names      []string  // of the terms
}

// BuildOptions bound the terms by document frequency: a value below 1 is a
// share of the documents, from 1 on a number of them, 0 no bound.
type BuildOptions struct {
	MinDF, MaxDF float64
	Meta         json.RawMessage
}

// maxPostings keeps every offset of the build in reach of its types.
const maxPostings = 1 << 40

// Build makes the index of a corpus. Its time is dominated by one counting sort
// of the postings.
func Build(ctx context.Context, src Source, opt BuildOptions) (*Index, error) {
	if uint64(len(src.IDs)) > math.MaxUint32-1 || uint64(len(src.Terms)) > maxPostings {
		return nil, fmt.Errorf("store: %d documents with %d postings are more than an index holds", len(src.IDs), len(src.Terms))
	}
	b := builder{src: src, x: &Index{Meta: opt.Meta}}
	b.orderClasses()
	docs := b.orderDocuments()
	kept := b.orderTerms(opt)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	b.transpose(docs, kept)
	return b.x, nil
}

type builder struct {
	src   Source
	x     *Index
	class []uint32 // class number of the source -> of the index
	rank  []uint32 // term number of the source -> of the index, or dropped
}

const dropped = math.MaxUint32

// Term makes the source a dictionary for comparing keys.
func (b *builder) Term(id int) string { return b.src.Names[id] }

// orderClasses numbers the classes by the bytes of their labels.
func (b *builder) orderClasses() {
	order := make([]uint32, len(b.src.Classes))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return cmp.Compare(b.src.Classes[i], b.src.Classes[j]) })
	b.class = make([]uint32, len(order))
	for rank, old := range order {
		b.class[old] = uint32(rank)
		b.x.Classes = append(b.x.Classes, b.src.Classes[old])
	}
}

// orderDocuments numbers the documents class-major and fills their columns.
func (b *builder) orderDocuments() []uint32 {
	n := len(b.src.IDs)
	labels := make([]uint32, len(b.src.Labels))
	first := make([]uint32, n)
	for d := range n {
		from, to := b.src.LabelStart[d], b.src.LabelStart[d+1]
		for i := from; i < to; i++ {
			labels[i] = b.class[b.src.Labels[i]]
		}
		slices.Sort(labels[from:to])
		first[d] = uint32(len(b.src.Classes)) // unlabelled: behind the last class
		if from < to {
			first[d] = labels[from]
		}
	}
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(i, j uint32) int { return cmp.Compare(first[i], first[j]) })

	x := b.x
	x.input = order
	x.ids = dictionaryOf(n, func(i int) string { return b.src.IDs[order[i]] })
	x.labelStart = make([]uint32, 1, n+1)
	for _, d := range order {
		own := labels[b.src.LabelStart[d]:b.src.LabelStart[d+1]]
		x.labels = append(x.labels, own...)
		x.labelStart = append(x.labelStart, uint32(len(x.labels)))
		x.multi = x.multi || len(own) > 1
	}
	return order
}

// orderTerms numbers the terms within the bounds and fills the dictionary.
func (b *builder) orderTerms(opt BuildOptions) []uint32 {
	df := make([]uint32, len(b.src.Names))
	for _, t := range b.src.Terms {
		df[t]++
	}
	low, high := bounds(opt, len(b.src.IDs))
	byDF := make([]termKeyDF, 0, len(df))
	for t, n := range df {
		if n == 0 {
			continue
		}
		if n < low || n > high {
			b.x.Pruned = true
			continue
		}
		byDF = append(byDF, termKeyDF{n, newTermKey(b.src.Names[t], uint32(t))})
	}
	sortByDF(byDF, b)
	b.rank = make([]uint32, len(df))
	for t := range b.rank {
		b.rank[t] = dropped
	}
	kept := make([]uint32, len(byDF))
	for rank, k := range byDF {
		b.rank[k.id] = uint32(rank)
		kept[rank] = k.df
	}
	b.x.Terms = dictionaryOf(len(byDF), func(i int) string { return b.src.Names[byDF[i].id] })
	return kept
}

type termKeyDF struct {
	df uint32
	termKey
}

// sortByDF puts terms into store order: a counting sort by df, then the terms of
// each df by their bytes.
func sortByDF(keys []termKeyDF, terms termer) {
	most := uint32(0)
	for _, k := range keys {
		most = max(most, k.df)
	}
	next := make([]int, most+2) // next[most-df]: the place of the next term of this df
	for _, k := range keys {
		next[most-k.df+1]++
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	sorted := make([]termKeyDF, len(keys))
	for _, k := range keys {
		sorted[next[most-k.df]] = k
		next[most-k.df]++
	}
	copy(keys, sorted)
	for from := 0; from < len(keys); {
		to := next[most-keys[from].df]
		slices.SortFunc(keys[from:to], func(i, j termKeyDF) int { return i.compare(j.termKey, terms) })
		from = to
	}
}

// bounds turns the options into document frequencies, both inclusive.
func bounds(opt BuildOptions, n int) (low, high uint32) {
	limit := func(v float64) float64 {
		if v < 1 {
			return v * float64(n)
		}
		return v
	}
	low, high = uint32(min(math.Ceil(limit(opt.MinDF)), math.MaxUint32)), math.MaxUint32
	if opt.MaxDF > 0 {
		high = uint32(min(math.Floor(limit(opt.MaxDF)), math.MaxUint32))
	}
	return low, high
}

// transpose turns the documents' terms into the terms' documents: a counting
// sort whose passes over the documents in class-major order leave every list
// ascending.
func (b *builder) transpose(order, df []uint32) {
	x := b.x
	x.df = df
	x.start = make([]uint64, len(df)+1)
	for t, n := range df {
		x.start[t+1] = x.start[t] + uint64(n)
	}
	total := x.start[len(df)]
	docs := make([]uint32, total)
	next := slices.Clone(x.start[:len(df)])
	if b.src.Values != nil {
		values := make([]float64, total)
		scatter(b, order, next, docs, b.src.Values, values)
		x.tf = realColumn(values)
	} else {
		counts := make([]uint32, total)
		scatter(b, order, next, docs, b.src.Counts, counts)
		x.tf.counts = make([]uint8, 0, total)
		for _, v := range counts {
			x.tf.appendCount(v)
		}
	}
	b.encodeLists(docs)
}

// scatter puts every posting at the next free place of its term.
func scatter[T any](b *builder, order []uint32, next []uint64, docs []uint32, from, to []T) {
	for doc, d := range order {
		for i := b.src.DocStart[d]; i < b.src.DocStart[d+1]; i++ {
			t := b.rank[b.src.Terms[i]]
			if t == dropped {
				continue
			}
			at := next[t]
			next[t]++
			docs[at] = uint32(doc)
			to[at] = from[i]
		}
	}
}

// denseBytes estimates the bitmaps of the long lists: two bytes a posting and
// a header, which is right where there is one container a term.
func denseBytes(df []uint32, bound uint32) int {
	bytes := 0
	for _, n := range df {
		if n < bound {
			break
		}
		bytes += 2*int(n) + 24
	}
	return bytes
}

// encodeLists keeps long lists as Roaring bitmaps and short ones as they are.
func (b *builder) encodeLists(docs []uint32) {
	x := b.x
	x.denseAt = []uint64{0}
	bound := longList(x.Documents())
	x.dense = make([]byte, 0, denseBytes(x.df, bound))
	for t, n := range x.df {
		if n < bound {
			break
		}
		x.dense = bitmap.Append(x.dense, docs[x.start[t]:x.start[t+1]])
		for len(x.dense)%8 != 0 {
			x.dense = append(x.dense, 0)
		}
		x.denseAt = append(x.denseAt, uint64(len(x.dense)))
	}
	x.flat = slices.Clone(docs[x.start[x.numDense()]:])
}
