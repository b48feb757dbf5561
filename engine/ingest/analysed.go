package ingest

import (
	"context"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
)

// Analysed calls f with batches of documents and the analyzer of their texts, which the first documents have
// decided on where the options leave it to them. Only the options Analysis, Sample and Threads matter. The
// batches, and f, are run on other goroutines than the caller's.
func Analysed(ctx context.Context, batches document.Batches, opt Options, f func(ctx context.Context, a *analysis.Analyzer, batches document.Batches) error) error {
	b, err := newBuilder(Options{Analysis: opt.Analysis, Sample: opt.Sample, Threads: opt.Threads})
	if err != nil {
		return err
	}
	_, err = detached(ctx, batches, func(ctx context.Context, batches document.Batches) (*struct{}, error) {
		return decided(ctx, b, batches, func(batches document.Batches) (*struct{}, error) {
			return nil, f(ctx, b.analyzer, batches)
		})
	})
	return err
}
