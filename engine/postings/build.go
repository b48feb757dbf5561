package postings

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A Source is a corpus in the order in which it was read: the input of [Build].
type Source struct {
	IDs        []string
	Classes    []string // in any order
	LabelStart []uint32 // documents+1
	Labels     []uint32 // numbers into Classes, each once a document
	Names      []string // of the terms
	// Columns has the postings of all documents, unless Parts is set.
	Columns
	// Parts, if not nil, are used in place of Columns: each has the postings of the
	// documents that follow those of the part before it. Either all parts have Counts
	// or all have Values.
	Parts []Columns
}

// Columns are postings of consecutive documents: those of document d are the pairs
// (Terms[i], value) for i in [DocStart[d], DocStart[d+1]), each term once.
type Columns struct {
	DocStart []uint64 // documents+1
	Terms    []uint32
	Counts   []uint32  // one per posting; nil if the values are real
	Values   []float64 // one per posting; nil if the values are counts
}

// BuildOptions are the options of [Build]. MinDF and MaxDF bound the document frequency
// of the terms that are kept: a value below 1 is a share of the documents, a value of 1
// or more is a number of documents, and 0 sets no bound.
type BuildOptions struct {
	MinDF, MaxDF float64
	Meta         json.RawMessage
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The index does not
	// depend on it.
	Threads int
	// Consume makes Build drop its references to the source's Parts once they have been
	// read, so that their memory can be reused for the rest of the build.
	Consume bool
}

const (
	// maxPostings keeps every offset that the build computes within the range of its
	// type.
	MaxPostings = 1 << 40
	// maxTerms keeps bucket numbers within the 20 bits that termBits leaves for them.
	maxTerms = 1 << 30
	// rangeItems is the number of documents or terms that a worker processes between
	// two checks of the context.
	rangeItems = 1 << 14
)

// Build returns the index of a corpus, with its lists; see [Number] for lists on demand. It
// numbers the documents and the terms, then transposes the postings from documents to terms. Besides the source and the result it
// uses 4 bytes per posting (12 with real values), some 20 bytes per count of 255 or
// more, 50 bytes per term, one count per term for each part of the documents (4 bytes
// per posting at most, see wantedParts) and 4 bytes per document for each worker.
func Build(ctx context.Context, src Source, opt BuildOptions) (*Index, error) {
	b, err := newBuilder(src, opt)
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, b.number, b.transpose); err != nil {
		return nil, err
	}
	return b.x, nil
}

// newBuilder returns the builder of a corpus, or an error if it has more than an index holds.
func newBuilder(src Source, opt BuildOptions) (*builder, error) {
	if src.Parts == nil {
		src.Parts = []Columns{src.Columns}
	}
	postings := uint64(0)
	for _, p := range src.Parts {
		postings += uint64(len(p.Terms))
	}
	if uint64(len(src.IDs)) > math.MaxUint32-1 || postings > MaxPostings || len(src.Names) > maxTerms {
		return nil, fmt.Errorf("postings: %d documents with %d postings of %d terms are more than an index holds", len(src.IDs), postings, len(src.Names))
	}
	return &builder{src: src, postings: postings, isReal: src.Parts[0].Values != nil, opt: opt, threads: pool.Threads(opt.Threads), x: New(Memory{Meta: opt.Meta}, nil, nil)}, nil
}

// run runs steps of the build in a [pool.Stage].
func (b *builder) run(ctx context.Context, steps ...func(context.Context) error) error {
	return pool.Stage(ctx, "build", func(ctx context.Context) error { return pool.InTurn(ctx, steps...) })
}

// number numbers the documents and the terms.
func (b *builder) number(ctx context.Context) error {
	if err := pool.InTurn(ctx, b.orderClasses, b.orderDocuments, b.span, b.countTerms, b.orderTerms); err != nil {
		return err
	}
	b.x.setStarts()
	return nil
}

type builder struct {
	src      Source
	postings uint64
	isReal   bool
	spans    []span // by document of the source
	opt      BuildOptions
	threads  int
	x        *Index
	class    []uint32 // class number of the source -> of the index
	parts    []part   // of the documents
	df       []uint32 // by term number of the source
	terms    []uint32 // term number of the index -> of the source
}

// inRanges calls f for consecutive ranges that cover the items [0, n), on all workers.
func (b *builder) inRanges(ctx context.Context, n int, f func(from, to int)) error {
	return pool.Ranges(ctx, b.threads, n, f)
}

// inOrder is like inRanges on a single worker: the ranges come in ascending order.
func (b *builder) inOrder(ctx context.Context, n int, f func(from, to int)) error {
	return pool.Ranges(ctx, 1, n, f)
}

// orderClasses numbers the classes in the byte order of their labels.
func (b *builder) orderClasses(context.Context) error {
	order := make([]int, len(b.src.Classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(b.src.Classes[i], b.src.Classes[j]) })
	b.class = make([]uint32, len(order))
	for rank, old := range order {
		b.class[old] = uint32(rank)
		b.x.Classes = append(b.x.Classes, b.src.Classes[old])
	}
	return nil
}

// orderDocuments numbers the documents, grouped by class, and fills the per-document
// columns of the index.
func (b *builder) orderDocuments(ctx context.Context) error {
	labels, first, err := b.sortLabels(ctx)
	if err != nil {
		return err
	}
	if err := b.byClass(ctx, first); err != nil {
		return err
	}
	x, start := b.x, b.src.LabelStart
	x.LabelStart = make([]uint32, len(x.Input)+1)
	var multi atomic.Bool
	err = b.inRanges(ctx, len(x.Input), func(from, to int) {
		most := uint32(0)
		for i, d := range x.Input[from:to] {
			n := start[d+1] - start[d]
			x.LabelStart[from+i+1], most = n, max(most, n)
		}
		if most > 1 {
			multi.Store(true)
		}
	})
	if err != nil {
		return err
	}
	x.Multi = multi.Load()
	for i, n := range x.LabelStart[1:] {
		x.LabelStart[i+1] = x.LabelStart[i] + n
	}
	x.LabelOf = make([]uint32, len(labels))
	err = b.inRanges(ctx, len(x.Input), func(from, to int) {
		for i, d := range x.Input[from:to] {
			copy(x.LabelOf[x.LabelStart[from+i]:], labels[start[d]:start[d+1]])
		}
	})
	if err != nil {
		return err
	}
	x.IDs, err = table.MakeDictionary(ctx, b.threads, len(x.Input), nil, func(i int) string { return b.src.IDs[x.Input[i]] })
	return err
}

// sortLabels returns the labels with their class numbers of the index, sorted within
// each document, and the first class of each document; the first class of an unlabelled
// document is the number after the last class.
func (b *builder) sortLabels(ctx context.Context) (labels, first []uint32, err error) {
	labels = make([]uint32, len(b.src.Labels))
	first = make([]uint32, len(b.src.IDs))
	err = b.inRanges(ctx, len(first), func(from, to int) {
		for d := from; d < to; d++ {
			at, end := b.src.LabelStart[d], b.src.LabelStart[d+1]
			own := labels[at:end]
			for i, class := range b.src.Labels[at:end] {
				own[i] = b.class[class]
			}
			slices.Sort(own)
			first[d] = uint32(len(b.class))
			if len(own) > 0 {
				first[d] = own[0]
			}
		}
	})
	return labels, first, err
}

// byClass orders the documents by their first class with a counting sort.
func (b *builder) byClass(ctx context.Context, first []uint32) error {
	next := make([]uint32, len(b.class)+2) // next[class]: place of its next document
	b.x.Input = make([]uint32, len(first))
	err := b.inOrder(ctx, len(first), func(from, to int) {
		for _, class := range first[from:to] {
			next[class+1]++
		}
	})
	if err != nil {
		return err
	}
	for class := range b.class {
		next[class+1] += next[class]
	}
	return b.inOrder(ctx, len(first), func(from, to int) {
		for d := from; d < to; d++ {
			b.x.Input[next[first[d]]] = uint32(d)
			next[first[d]]++
		}
	})
}

// orderTerms numbers the terms within the frequency bounds and fills the dictionary.
func (b *builder) orderTerms(ctx context.Context) error {
	keys, err := b.byBytes(ctx, b.kept())
	if err != nil {
		return err
	}
	df := make([]uint32, len(keys))
	err = b.inRanges(ctx, len(keys), func(from, to int) {
		for i := from; i < to; i++ {
			df[i] = b.df[keys[i].ID]
		}
	})
	if err != nil {
		return err
	}
	places, sorted, err := b.x.numberTerms(ctx, df)
	if err != nil {
		return err
	}
	b.terms = places
	err = b.inRanges(ctx, len(keys), func(from, to int) {
		for i := from; i < to; i++ {
			b.terms[i] = keys[places[i]].ID
		}
	})
	if err != nil {
		return err
	}
	return b.x.nameTerms(ctx, b.threads, sorted, func(term int) string { return b.src.Names[b.terms[term]] })
}

// kept returns the terms whose document frequency is within the bounds.
func (b *builder) kept() []uint32 {
	low, high := b.opt.Bounds(len(b.src.IDs))
	kept := make([]uint32, 0, len(b.df))
	for t, n := range b.df {
		switch {
		case n == 0:
		case n < low || n > high:
			b.x.Pruned = true
		default:
			kept = append(kept, uint32(t))
		}
	}
	return kept
}

// Bounds returns the options for a corpus of n documents as document frequencies, both
// inclusive.
func (opt BuildOptions) Bounds(n int) (low, high uint32) {
	limit := func(v float64) float64 {
		if v >= 1 {
			return v
		}
		share := v * float64(n)
		if whole := math.Round(share); math.Abs(share-whole) <= 1e-12*whole { // 0.29 of 100 documents are 29
			return whole
		}
		return share
	}
	low, high = uint32(min(math.Ceil(limit(opt.MinDF)), math.MaxUint32)), math.MaxUint32
	if opt.MaxDF > 0 {
		high = uint32(min(math.Floor(limit(opt.MaxDF)), math.MaxUint32))
	}
	return low, high
}

// Term returns the name of a term of the source. It makes the builder a termer.
func (b *builder) Term(id int) string { return b.src.Names[id] }

// byBytes returns the keys of the terms, sorted by their bytes. It splits the keys into
// groups in one pass, then sorts the groups in parallel. The split costs one worker 3
// ns per key.
func (b *builder) byBytes(ctx context.Context, terms []uint32) ([]table.TermKey, error) {
	keys, spare := make([]table.TermKey, len(terms)), make([]table.TermKey, len(terms))
	err := b.inRanges(ctx, len(terms), func(from, to int) {
		for i := from; i < to; i++ {
			keys[i] = table.NewTermKey(b.src.Names[terms[i]], terms[i])
		}
	})
	if err != nil {
		return nil, err
	}
	var ends [256]int
	table.SplitKeys(&ends, keys, spare)
	err = pool.Run(ctx, b.threads, len(ends), func(_, i int) error {
		from, to := 0, ends[i]
		if i > 0 {
			from = ends[i-1]
		}
		table.SortTerms(keys[from:to], spare[from:to], b)
		return nil
	})
	return keys, err
}
