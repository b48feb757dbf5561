package ingest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// Batched cuts a stream into batches, copies that may be read on any goroutine. Each may be
// read once. An error of the stream comes behind the documents before it.
func Batched(docs document.Stream) document.Batches { return cutStream(docs) }

// BuildIndex makes the index of the documents of batches, in their order: in memory, or in
// a mapped temporary file if Options.MaxMemory demands it. It reads and analyses on all
// threads. Posting lists are made when they are first needed. The index depends neither on
// how the documents are cut into batches nor on the number of threads. The batches are run on other goroutines than the caller's.
func BuildIndex(ctx context.Context, batches document.Batches, opt Options) (*store.Numbered, error) {
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return detached(ctx, batches, b.buildIndex)
}

// BuildInMemory is [BuildIndex] without a bound on memory: Options.MaxMemory must be 0. A
// program that builds by it alone has no code for temporary files and for merging them, which
// is 0.25 MB.
func BuildInMemory(ctx context.Context, batches document.Batches, opt Options) (*store.Numbered, error) {
	if opt.MaxMemory != 0 {
		return nil, usage.Errorf("MaxMemory is %d, but building in memory has no bound: it must be 0", opt.MaxMemory)
	}
	b, err := newBuilder(opt)
	if err != nil {
		return nil, err
	}
	return detached(ctx, batches, b.buildIndex)
}

// detached builds on a goroutine of its own.
func detached(ctx context.Context, batches document.Batches, build func(context.Context, document.Batches) (*store.Numbered, error)) (x *store.Numbered, err error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	err = pool.Detached(ctx, func(ctx context.Context) error {
		x, err = build(ctx, batches)
		return err
	})
	return x, err
}

// A builder builds the index of batches of documents.
type builder struct {
	opt      Options
	analyzer *analysis.Analyzer // nil until the texts have decided how they are analysed
	totals   inputTotals
}

func newBuilder(opt Options) (*builder, error) {
	a, err := opt.newAnalyzer()
	if err != nil {
		return nil, err
	}
	return &builder{opt: opt, analyzer: a}, nil
}

// buildIndex builds the index in memory.
func (b *builder) buildIndex(ctx context.Context, batches document.Batches) (x *store.Numbered, err error) {
	err = b.decided(ctx, batches, func(batches document.Batches) error {
		g := newGatherer(b.analyzer, &b.opt)
		if err := b.readBatches(ctx, g, batches); err != nil {
			return err
		}
		x, err = buildInMemory(ctx, b.opt, &b.totals, g.workers, g.batches)
		return err
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// readBatches counts batches on all threads.
func (b *builder) readBatches(ctx context.Context, g *gatherer, batches document.Batches) error {
	return pool.Stage(ctx, "read", func(ctx context.Context) error {
		return pool.Feed(ctx, b.opt.Threads, batches, func(worker, number int, docs document.Stream) error {
			return g.countBatch(ctx, worker, number, docs)
		})
	})
}

// buildInMemory makes the index of the counted batches, which have all documents of the
// input. It returns [ErrEmpty] without documents or terms, [ErrNoLabels] without labels.
func buildInMemory(ctx context.Context, opt Options, t *inputTotals, workers []*worker, batches []*countedBatch) (*store.Numbered, error) {
	j, err := joinBatches(ctx, opt, t, workers, batches)
	if err != nil {
		return nil, err
	}
	switch {
	case len(j.source.IDs) == 0:
		return nil, fmt.Errorf("%w: the corpus has no documents", ErrEmpty)
	case len(j.source.Labels) == 0 && !opt.Unlabelled:
		return nil, fmt.Errorf("%w: none of the %d documents says its class", ErrNoLabels, len(j.source.IDs))
	}
	meta, err := json.Marshal(j.provenance(opt))
	if err != nil {
		return nil, err
	}
	index, err := store.Number(ctx, j.source, store.BuildOptions{MinDF: opt.MinDF, MaxDF: opt.MaxDF, Meta: meta, Threads: opt.Threads, Consume: true})
	if err != nil {
		return nil, err
	}
	if index.Head().Terms.Len() == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a term within the bounds", ErrEmpty, len(j.source.IDs))
	}
	return index, nil
}
