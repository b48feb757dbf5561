package engine

import (
	"sync"

	"github.com/termsift/termsift/engine/document"
)

// This file copies the documents of a stream into batches, which other goroutines
// take while the stream goes on.

// A batch ends where it has batchText bytes of text or batchFeatures features:
// enough for a worker to be worth waking, and little beside the caches.
const (
	batchText      = 256 << 10
	batchFeatures  = 16 << 10
	batchLabels    = 16 << 10
	batchDocuments = 4 << 10
)

// A batch is copied documents. Their parts lie in common memory, at the places
// that the documents' own lengths give.
type batch struct {
	docs     []document.Document // without what the others hold
	text     []byte
	labels   []string
	features []document.Feature
	lengths  []lengths
}

// lengths are those of a document's parts; features is -1 for a text.
type lengths struct{ text, labels, features int }

// batches gives the documents of a stream some at a time.
func batches(docs document.Stream) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		var free freeBatches
		b := free.take()
		hand := func() bool {
			full := b
			b = free.take()
			return yield(func(yield func(document.Document, error) bool) {
				full.each(yield)
				free.put(full)
			}, nil)
		}
		for d, err := range docs {
			if err != nil {
				if len(b.docs) == 0 || hand() {
					yield(nil, err)
				}
				return
			}
			b.add(d)
			if b.full() && !hand() {
				return
			}
		}
		if len(b.docs) > 0 {
			hand()
		}
	}
}

func (b *batch) full() bool {
	return len(b.docs) >= batchDocuments || len(b.text) >= batchText || len(b.features) >= batchFeatures || len(b.labels) >= batchLabels
}

func (b *batch) add(d document.Document) {
	n := lengths{len(d.Text), len(d.Labels), -1}
	if d.Features != nil {
		n.features = len(d.Features)
	}
	b.text = append(b.text, d.Text...)
	b.labels = append(b.labels, d.Labels...)
	b.features = append(b.features, d.Features...)
	b.lengths = append(b.lengths, n)
	d.Text, d.Labels, d.Features = nil, nil, nil
	b.docs = append(b.docs, d)
}

// each yields the documents.
func (b *batch) each(yield func(document.Document, error) bool) {
	text, labels, features := b.text, b.labels, b.features
	for i, d := range b.docs {
		n := b.lengths[i]
		d.Text, text = text[:n.text], text[n.text:]
		d.Labels, labels = labels[:n.labels:n.labels], labels[n.labels:]
		if n.features >= 0 {
			d.Features, features = features[:n.features:n.features], features[n.features:]
			if d.Features == nil {
				d.Features = []document.Feature{}
			}
		}
		if !yield(d, nil) {
			return
		}
	}
}

// freeBatches keeps the memory of batches that were read.
type freeBatches struct {
	mu   sync.Mutex
	free []*batch
}

func (f *freeBatches) take() *batch {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.free); n > 0 {
		b := f.free[n-1]
		f.free = f.free[:n-1]
		return b
	}
	return &batch{text: make([]byte, 0, batchText+batchText/4)}
}

func (f *freeBatches) put(b *batch) {
	clear(b.docs) // names and labels are not kept alive
	clear(b.labels)
	clear(b.features)
	*b = batch{b.docs[:0], b.text[:0], b.labels[:0], b.features[:0], b.lengths[:0]}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free = append(f.free, b)
}
