// Package ingest reads documents, counts their terms on all threads, and makes one index
// of them.
//
// It takes a stream of batches of documents and [Options], and gives a [postings.Index]
// ([BuildIndex]) or writes its file ([BuildTo]), together with a [table.Provenance] that says how
// it was made. The index depends neither on how the documents are cut into batches nor on
// the number of threads.
//
// Begin reading with builder in build.go. A worker has a dictionary of its own and
// counts batches (gather.go); the dictionaries are merged (terms.go) and the
// counted batches put one behind the other (join.go). With a bound on memory that is done
// several times, each time the result is moved to a temporary file, a shard, and the
// shards are merged in the end.
//
// Three words: a batch is some consecutive documents, a worker is what one goroutine
// counts with, a shard is an index of some of the documents in a temporary file.
//
// The package never opens or decodes input files, and never scores a term.
package ingest

import (
	"context"
	"encoding/json"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// BuildIndex makes the index of the documents of batches, in their order: in memory, or in
// a mapped temporary file if Options.MaxMemory demands it. It reads and analyses on all
// threads. Posting lists are made when they are first needed. The index depends neither on
// how the documents are cut into batches nor on the number of threads. The batches are run on other goroutines than the caller's.
func BuildIndex(ctx context.Context, batches document.Batches, opt Options) (*postings.Numbered, error) {
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return detached(ctx, batches, b.buildIndex)
}

// BuildInMemory is [BuildIndex] without a bound on memory: Options.MaxMemory must be 0. A
// program that builds by it alone has no code for temporary files and for merging them, which
// is 0.25 MB.
func BuildInMemory(ctx context.Context, batches document.Batches, opt Options) (*postings.Numbered, error) {
	if opt.MaxMemory != 0 {
		return nil, usage.Errorf("MaxMemory is %d, but building in memory has no bound: it must be 0", opt.MaxMemory)
	}
	b, err := newBuilder(opt)
	if err != nil {
		return nil, err
	}
	return detached(ctx, batches, b.buildIndex)
}

// detached counts on a goroutine of its own.
func detached[T any](ctx context.Context, batches document.Batches, count func(context.Context, document.Batches) (*T, error)) (x *T, err error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	err = pool.Detached(ctx, func(ctx context.Context) error {
		x, err = count(ctx, batches)
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
func (b *builder) buildIndex(ctx context.Context, batches document.Batches) (*postings.Numbered, error) {
	return decided(ctx, b, batches, func(batches document.Batches) (*postings.Numbered, error) {
		g := newGatherer(b.analyzer, &b.opt)
		if err := b.readBatches(ctx, batches, g.countBatch); err != nil {
			return nil, err
		}
		return buildInMemory(ctx, b.opt, &b.totals, g.workers, g.batches)
	})
}

// readBatches counts batches on all threads.
func (b *builder) readBatches(ctx context.Context, batches document.Batches, count func(ctx context.Context, worker, number int, docs document.Stream) error) error {
	if b.opt.Control != "" {
		batches = inStrata(batches)
	}
	return pool.Stage(ctx, "read", func(ctx context.Context) error {
		return pool.Feed(ctx, b.opt.Threads, batches, func(worker, number int, docs document.Stream) error {
			return count(ctx, worker, number, docs)
		})
	})
}

// buildInMemory makes the index of the counted batches, which have all documents of the
// input. It returns [ErrEmpty] without documents or terms, [ErrNoLabels] without labels.
func buildInMemory(ctx context.Context, opt Options, t *inputTotals, workers []*worker, batches []*countedBatch) (*postings.Numbered, error) {
	j, err := joinBatches(ctx, opt, t, workers, batches)
	if err != nil {
		return nil, err
	}
	documents, labelled := len(j.source.IDs), opt.anyClass(&j.source)
	if err := opt.checkContents(documents, labelled, 1); err != nil {
		return nil, err
	}
	meta, err := json.Marshal(j.provenance(opt))
	if err != nil {
		return nil, err
	}
	index, err := postings.Number(ctx, j.source, postings.BuildOptions{MinDF: opt.MinDF, MaxDF: opt.MaxDF, Meta: meta, Threads: opt.Threads, Consume: true})
	if err != nil {
		return nil, err
	}
	return index, opt.checkContents(documents, labelled, index.Head().Terms.Len())
}
