package corpus

import (
	"context"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// Counted is a table with what else was seen while it was counted.
type Counted = ingest.Counted

// CountBatches returns the statistics of the corpus that [BuildBatches] would make, with the
// same errors. Texts are counted without an index, in memory that grows with the terms and
// classes and not with the text, unless the options ask for something else that needs one:
// Dedupe, MinDF, MaxDF or MaxMemory. If some documents are texts and others features of real
// values, sums are rounded otherwise.
func CountBatches(ctx context.Context, batches document.Batches, opt Options) (*Counted, error) {
	return count(ctx, batches, opt, BuildBatches)
}

// CountInMemory is [CountBatches] without a bound on memory: Options.MaxMemory must be 0. What
// needs an index is built by [BuildInMemory].
func CountInMemory(ctx context.Context, batches document.Batches, opt Options) (*Counted, error) {
	return count(ctx, batches, opt, BuildInMemory)
}

// A builder makes a corpus as [BuildBatches] does.
type builder func(context.Context, document.Batches, Options) (*Corpus, error)

// count is CountBatches with the builder of what needs an index.
func count(ctx context.Context, batches document.Batches, opt Options, build builder) (*Counted, error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	if !opt.Tallies() {
		return countIndexed(ctx, batches, opt, build)
	}
	return ingest.Count(ctx, batches, opt)
}

// countIndexed is count by way of an index.
func countIndexed(ctx context.Context, batches document.Batches, opt Options, build builder) (*Counted, error) {
	c, err := build(ctx, batches, opt)
	if err != nil {
		return nil, err
	}
	s, err := c.Statistics(ctx, CountOptions{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	empty, err := c.numbered.EmptyDocuments(ctx)
	return &Counted{Table: s, EmptyDocuments: empty}, err
}
