package ingest

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// This file decides by the first documents how text is analysed, if the options leave it to
// them, and samples them if the options ask for it. The documents are copied, and counted like the
// others afterwards.

// sampled reports whether the first documents are looked at before all are counted.
func (b *builder) sampled() bool { return b.analyzer == nil || b.opt.Sample != nil }

// decided calls f with the batches after the first documents have decided what the options
// leave to them.
func (b *builder) decided(ctx context.Context, batches document.Batches, f func(document.Batches) error) (err error) {
	if !b.sampled() {
		return f(batches)
	}
	all, stop, err := b.decide(ctx, batches)
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	if err != nil {
		return err
	}
	return f(all)
}

// decide reads batches until the texts decide, and makes the analyzer if there is none. It returns all
// batches, those that were read included, and a function that ends the reading.
func (b *builder) decide(ctx context.Context, batches document.Batches) (all document.Batches, stop func() error, err error) {
	next, stop := pool.Pull(batches)
	sample := cmp.Or(b.opt.Sample, &analysis.Sample{})
	var read []heldBatch
	ended := false
	for !sample.Full() && !ended {
		docs, err, ok := next()
		switch {
		case !ok:
			ended = true
		case err != nil:
			read, ended = append(read, heldBatch{&streamBatch{}, err}), true
		default:
			h := holdBatch(ctx, docs, sample)
			read, ended = append(read, h), h.err != nil
		}
	}
	if b.analyzer == nil {
		b.opt.Analysis.Tokens = sample.Tokens()
		if b.analyzer, err = b.opt.newAnalyzer(); err != nil {
			return nil, stop, err
		}
	}
	return func(yield func(document.Stream, error) bool) {
		for _, h := range read {
			if !yield(h.documents, nil) {
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

// A heldBatch is the copy of a batch, up to its first error.
type heldBatch struct {
	docs *streamBatch
	err  error
}

// holdBatch copies a batch and adds its texts to the sample.
func holdBatch(ctx context.Context, docs document.Stream, sample *analysis.Sample) heldBatch {
	h := heldBatch{docs: &streamBatch{}}
	for d, err := range docs {
		if err == nil && ctx.Err() != nil {
			err = usage.Cause(ctx)
		}
		if err != nil {
			h.err = err
			break
		}
		sample.Add(d.Text)
		h.docs.Add(d)
	}
	return h
}

// documents yields the documents that were copied, then the error.
func (h heldBatch) documents(yield func(document.Document, error) bool) {
	whole := true
	h.docs.Documents(func(d document.Document, err error) bool {
		whole = yield(d, err)
		return whole
	})
	if whole && h.err != nil {
		yield(document.Document{}, h.err)
	}
}
