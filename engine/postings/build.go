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
	Names      []string // of the terms, unless Dictionary has them
	Dictionary *table.Dictionary
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
	// Consume makes Build take the source's Parts, whose memory nobody else may use: it goes back to the
	// system once they have been read.
	Consume bool
}

const (
	// MaxPostings and maxTerms keep what a build computes within the range of its type.
	MaxPostings = 1 << 40
	maxTerms    = 1 << 30
)

// Build returns the index of a corpus, with its lists; see [Number] for lists on demand. It numbers the documents and
// the terms, then transposes the postings from documents to terms. Besides the source and the result it uses some 20
// bytes per count of 255 or more, 50 bytes per term, 16 per document, and 8 per term for each worker, which are 4 per
// posting at most.
func Build(ctx context.Context, src Source, opt BuildOptions) (*Index, error) {
	b, err := newBuilder(src, opt)
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, b.number, func(ctx context.Context) error { return b.x.Terms.Spell(ctx, b.threads) }, b.transpose); err != nil {
		return nil, err
	}
	return b.x, nil
}

// newBuilder returns the builder of a corpus, or an error if it has more than an index holds.
func newBuilder(src Source, opt BuildOptions) (*builder, error) {
	if src.Parts == nil {
		src.Parts = []Columns{src.Columns}
	}
	if names := src.Names; src.Dictionary == nil {
		src.Dictionary = table.NamedBy(len(names), func(id int) string { return names[id] })
	}
	postings := uint64(0)
	for _, p := range src.Parts {
		postings += uint64(len(p.Terms))
	}
	if uint64(len(src.IDs)) > math.MaxUint32-1 || postings > MaxPostings || src.Dictionary.Len() > maxTerms {
		return nil, fmt.Errorf("postings: %d documents with %d postings of %d terms are more than an index holds", len(src.IDs), postings, src.Dictionary.Len())
	}
	return &builder{src: src, postings: postings, isReal: src.Parts[0].Values != nil, opt: opt, threads: pool.Threads(opt.Threads), x: New(Memory{Meta: opt.Meta}, nil, nil)}, nil
}

// run runs steps of the build in a [pool.Stage].
func (b *builder) run(ctx context.Context, steps ...func(context.Context) error) error {
	return pool.Stage(ctx, "build", func(ctx context.Context) error { return pool.InTurn(ctx, steps...) })
}

// number numbers the documents and the terms.
func (b *builder) number(ctx context.Context) error {
	if err := pool.InTurn(ctx, b.orderClasses, b.orderDocuments, b.locate, b.countTerms, b.orderTerms); err != nil {
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
	df       []uint32 // by term number of the source
	terms    []uint32 // term number of the index -> of the source
}

// inRanges calls f for consecutive ranges that cover the items [0, n), on all workers.
func (b *builder) inRanges(ctx context.Context, n int, f func(from, to int)) error {
	return pool.Ranges(ctx, b.threads, n, f)
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
	err := pool.Ranges(ctx, 1, len(first), func(from, to int) {
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
	return pool.Ranges(ctx, 1, len(first), func(from, to int) {
		for d := from; d < to; d++ {
			b.x.Input[next[first[d]]] = uint32(d)
			next[first[d]]++
		}
	})
}

// orderTerms numbers the terms within the frequency bounds. Their names are made when they are needed.
func (b *builder) orderTerms(ctx context.Context) (err error) {
	low, high := b.opt.Bounds(len(b.src.IDs))
	var pruned atomic.Bool
	b.terms, b.x.Terms, err = b.src.Dictionary.ByFrequency(ctx, b.threads, func(id uint32) uint32 {
		n := b.df[id]
		if n > 0 && (n < low || n > high) {
			pruned.Store(true)
			return 0
		}
		return n
	})
	if err != nil {
		return err
	}
	b.x.Pruned, b.x.DocFreq = pruned.Load(), make([]uint32, len(b.terms))
	return b.inRanges(ctx, len(b.terms), func(from, to int) {
		for i, id := range b.terms[from:to] {
			b.x.DocFreq[from+i] = b.df[id]
		}
	})
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

// setStarts sets where each list begins in the columns from the frequencies.
func (x *Memory) setStarts() {
	x.Start = make([]uint64, len(x.DocFreq)+1)
	for t, n := range x.DocFreq {
		x.Start[t+1] = x.Start[t] + uint64(n)
	}
}
