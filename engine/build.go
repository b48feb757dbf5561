package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// Version is the version of the library and of what it writes.
const Version = "0.1.0"

// Options say how text becomes terms and which terms are kept. The zero value
// takes words of two or more characters, lower-cased, and keeps all of them.
type Options struct {
	Analysis analysis.Options
	// MinDF and MaxDF bound the document frequency of the terms: a value below
	// 1 is a share of the documents, from 1 on a number of them; 0 is no bound.
	MinDF, MaxDF float64
	// Dedupe drops documents whose text, but for white space and case, or whose
	// terms with their values, an earlier one had. The Provenance says how many.
	Dedupe bool
	// Unlabelled takes documents none of which has a label, as one side of [Against].
	Unlabelled bool
	// Charset is recorded in the corpus; decoding is the reader's business.
	Charset string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Provenance says how a corpus was made.
type Provenance struct {
	Version  string           `json:"version"`
	Analysis analysis.Options `json:"analysis"`
	MinDF    float64          `json:"min_df,omitempty"`
	MaxDF    float64          `json:"max_df,omitempty"`
	Charset  string           `json:"charset,omitempty"`
	// InputHash is the xxh3-64 of the documents' hashes in order; these cover
	// names, labels and contents.
	InputHash string `json:"input_hash"`
	// Repeats counts the documents that Dedupe dropped, and Relabelled those of
	// them whose labels were not those of the one before.
	Dedupe     bool `json:"dedupe,omitempty"`
	Repeats    int  `json:"repeats,omitempty"`
	Relabelled int  `json:"relabelled,omitempty"`
	// LongTokens counts those that Analysis.MaxToken dropped.
	LongTokens int64 `json:"long_tokens,omitempty"`
	// Subsets say which documents of the input are left, where they are not all: each
	// is a subset of what the one before has left.
	Subsets []SubsetRecord `json:"subsets,omitempty"`
	// Reference is the other corpus of one that [Against] has made.
	Reference *Provenance `json:"reference,omitempty"`
}

// A Builder takes documents one at a time. It is not safe for concurrent use.
type Builder struct {
	opt   Options
	shard *shard
	piece *piece
}

// NewBuilder checks the options and returns a builder without documents.
func NewBuilder(opt Options) (*Builder, error) {
	a, err := opt.check()
	if err != nil {
		return nil, err
	}
	shard := newShard(a, &opt)
	return &Builder{opt: opt, shard: shard, piece: newPiece(shard)}, nil
}

// check looks at the options, fills in those of the analysis and gives the
// analyzer.
func (opt *Options) check() (*analysis.Analyzer, error) {
	for _, bound := range []float64{opt.MinDF, opt.MaxDF} {
		if bound < 0 || math.IsNaN(bound) {
			return nil, usage("a bound on the document frequency must not be negative: %v", bound)
		}
	}
	a, err := analysis.New(opt.Analysis)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	opt.Analysis = a.Options()
	return a, nil
}

// Add takes a document. Nothing of it is kept after the call but copies.
// Labels are a set: a repeated one counts once. The error is that of a value
// that is not positive and finite.
func (b *Builder) Add(d document.Document) error { return b.piece.add(d) }

// Build makes the corpus. The builder must not be used afterwards. It returns
// [ErrEmpty] or [ErrNoLabels] where there is nothing to score.
func (b *Builder) Build(ctx context.Context) (*Corpus, error) {
	return build(ctx, b.opt, []*shard{b.shard}, []*piece{b.piece})
}

// Build makes a corpus of a stream of documents, in their order. The stream runs
// on one goroutine; texts are copied for the others that analyse them, unless
// there are none.
func Build(ctx context.Context, docs document.Stream, opt Options) (*Corpus, error) {
	if pool.Threads(opt.Threads) > 1 {
		return BuildBatches(ctx, batches(docs), opt)
	}
	return BuildBatches(ctx, func(yield func(document.Stream, error) bool) { yield(docs, nil) }, opt)
}

// BuildBatches makes a corpus of batches of documents, in their order, which it
// reads and analyses on all threads. The corpus does not depend on how the
// documents are cut into batches, nor on the number of threads.
func BuildBatches(ctx context.Context, batches document.Batches, opt Options) (*Corpus, error) {
	a, err := opt.check()
	if err != nil {
		return nil, err
	}
	r := newReading(a, &opt)
	err = pool.Stage(ctx, "read", func(ctx context.Context) error {
		return pool.Feed(ctx, opt.Threads, batches, func(worker, number int, docs document.Stream) error {
			return r.batch(ctx, worker, number, docs)
		})
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, opt, r.shards, r.pieces)
}

// build makes the corpus of the pieces in their order.
func build(ctx context.Context, opt Options, shards []*shard, pieces []*piece) (*Corpus, error) {
	j, err := join(ctx, opt, shards, pieces)
	if err != nil {
		return nil, err
	}
	switch {
	case len(j.src.IDs) == 0:
		return nil, fmt.Errorf("%w: the corpus has no documents", ErrEmpty)
	case len(j.src.Labels) == 0 && !opt.Unlabelled:
		return nil, fmt.Errorf("%w: none of the %d documents says its class", ErrNoLabels, len(j.src.IDs))
	}
	meta, err := json.Marshal(j.provenance(opt))
	if err != nil {
		return nil, err
	}
	index, err := store.Build(ctx, j.src, store.BuildOptions{MinDF: opt.MinDF, MaxDF: opt.MaxDF, Meta: meta, Threads: opt.Threads, Consume: true})
	if err != nil {
		return nil, err
	}
	if index.Terms.Len() == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a term within the bounds", ErrEmpty, len(j.src.IDs))
	}
	return newCorpus(index)
}
