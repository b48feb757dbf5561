package ingest

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// This file decides by the first documents how text is analysed, if the options leave it to
// them, and samples them if the options ask for it. The documents are copied, and counted like the
// others afterwards.

// Decided calls f with the batches after the first documents have decided what Options.Analysis
// leaves to them, and with the analysis. Options.Sample gets the texts at the beginning.
func Decided(ctx context.Context, batches document.Batches, opt Options, f func(document.Batches, analysis.Options) error) error {
	b, err := newBuilder(opt)
	if err != nil {
		return err
	}
	_, err = detached(ctx, batches, func(ctx context.Context, batches document.Batches) (*struct{}, error) {
		return decided(ctx, b, batches, func(batches document.Batches) (*struct{}, error) {
			return nil, f(batches, b.analyzer.Options())
		})
	})
	return err
}

// decided calls f with the batches after the first documents have decided what the options
// leave to them.
func decided[T any](ctx context.Context, b *builder, batches document.Batches, f func(document.Batches) (*T, error)) (x *T, err error) {
	if b.opt.Segment > 0 {
		f = segmented(b, f)
	}
	if b.analyzer != nil && b.opt.Sample == nil {
		return f(batches)
	}
	all, stop, err := b.decide(ctx, batches)
	defer func() { err = cmp.Or(err, stop()) }()
	if err != nil {
		return nil, err
	}
	return f(all)
}

// decide reads batches until the texts decide, and makes the analyzer if there is none. It returns all
// batches, those that were read included, and a function that ends the reading.
func (b *builder) decide(ctx context.Context, batches document.Batches) (all document.Batches, stop func() error, err error) {
	next, stop := pool.Pull(batches)
	unread := true
	defer func() {
		if unread { // a stream has ended this goroutine
			_ = stop()
		}
	}()
	sample := cmp.Or(b.opt.Sample, &analysis.Sample{})
	var read []*streamBatch
	ended := false
	for !sample.Full() && !ended {
		docs, err, ok := next()
		if !ok {
			ended = true
			break
		}
		held := &streamBatch{err: err}
		if err == nil {
			held.err = eachDocument(ctx, docs, func(d document.Document) error {
				sample.Add(d.Text)
				held.add(d)
				return nil
			})
		}
		read, ended = append(read, held), held.err != nil
	}
	unread = false
	if b.analyzer == nil {
		b.opt.Analysis.Tokens = sample.Tokens()
		if b.analyzer, err = b.opt.newAnalyzer(); err != nil {
			return nil, stop, err
		}
	}
	return func(yield func(document.Stream, error) bool) {
		for _, held := range read {
			if !yield(held.documents, nil) {
				return
			}
		}
		for !ended {
			docs, err, ok := next()
			if !ok || !yield(docs, err) {
				return
			}
		}
	}, stop, nil
}
