package ingest

import (
	"context"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file copies documents of streams, whose slices the stream reuses.

// A batch is full when it has this many bytes of text, features, labels or documents:
// enough to be worth waking a worker for, and little beside the caches.
const (
	batchText      = 256 << 10
	batchFeatures  = 16 << 10
	batchLabels    = 16 << 10
	batchDocuments = 4 << 10
)

// A streamBatch has copies of documents, whose texts lie one behind the other, and so do their
// labels and features.
type streamBatch struct {
	docs     []document.Document
	text     []byte
	labels   []string
	features []document.Feature
	err      error // of the stream, behind the documents
}

// Batched cuts a stream into batches, copies that may be read on any goroutine. Each may be
// read once. An error of the stream comes behind the documents before it.
func Batched(docs document.Stream) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		if docs == nil {
			yield(nil, usage.Errorf("a nil stream of documents was given"))
			return
		}
		b := newStreamBatch()
		for d, err := range docs {
			if err != nil {
				if len(b.docs) == 0 || yield(b.documents, nil) {
					yield(nil, err)
				}
				return
			}
			b.add(d)
			if b.isFull() {
				if !yield(b.documents, nil) {
					return
				}
				b = newStreamBatch()
			}
		}
		if len(b.docs) > 0 {
			yield(b.documents, nil)
		}
	}
}

func newStreamBatch() *streamBatch { return &streamBatch{text: make([]byte, 0, batchText+batchText/4)} }

// isFull reports whether the batch should be counted before more is added.
func (b *streamBatch) isFull() bool {
	return len(b.docs) >= batchDocuments || len(b.text) >= batchText || len(b.features) >= batchFeatures || len(b.labels) >= batchLabels
}

// add copies a document into the batch.
func (b *streamBatch) add(d document.Document) {
	d.Text = appendPart(&b.text, d.Text)
	d.Labels = appendPart(&b.labels, d.Labels)
	d.Features = appendPart(&b.features, d.Features)
	b.docs = append(b.docs, d)
}

// appendPart appends a part to all of its kind, and returns the copy; nil stays nil.
func appendPart[T any](all *[]T, part []T) []T {
	if part == nil {
		return nil
	}
	from := len(*all)
	*all = append(*all, part...)
	if len(part) == 0 {
		return []T{}
	}
	return (*all)[from:len(*all):len(*all)]
}

// documents yields the documents, then the error.
func (b *streamBatch) documents(yield func(document.Document, error) bool) {
	for _, d := range b.docs {
		if !yield(d, nil) {
			return
		}
	}
	if b.err != nil {
		yield(document.Document{}, b.err)
	}
}

// eachDocument calls f with the documents of a stream until one has an error, or ctx ends.
func eachDocument(ctx context.Context, docs document.Stream, f func(d document.Document) error) error {
	for d, err := range docs {
		if err == nil && ctx.Err() != nil {
			err = usage.Cause(ctx)
		}
		if err == nil {
			err = f(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
