package ingest

import (
	"sync"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// A batch is full when it has this many bytes of text, features, labels or documents:
// enough to be worth waking a worker for, and little beside the caches.
const (
	batchText      = 256 << 10
	batchFeatures  = 16 << 10
	batchLabels    = 16 << 10
	batchDocuments = 4 << 10
)

// A Batch has copies of documents. The texts of all lie one behind the other in text, and
// so do the labels and the features; lengths tells what belongs to which document.
type streamBatch struct {
	docs     []document.Document // without text, labels and features
	text     []byte
	labels   []string
	features []document.Feature
	lengths  []partLengths
}

// partLengths has the lengths of a document's text, labels and features. features is -1
// if the document has a text instead.
type partLengths struct{ text, labels, features int }

// Cut cuts a stream into batches, copies that may be read on any goroutine. Each may be
// read once. An error of the stream comes behind the documents before it.
func cutStream(docs document.Stream) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		if docs == nil {
			yield(nil, usage.Errorf("a nil stream of documents was given"))
			return
		}
		var free freeBatches
		b := free.takeBatch()
		yieldBatch := func() bool {
			full := b
			b = free.takeBatch()
			return yield(func(yield func(document.Document, error) bool) {
				full.Documents(yield)
				free.returnBatch(full)
			}, nil)
		}
		for d, err := range docs {
			if err != nil {
				if len(b.docs) == 0 || yieldBatch() {
					yield(nil, err)
				}
				return
			}
			b.Add(d)
			if b.isFull() && !yieldBatch() {
				return
			}
		}
		if len(b.docs) > 0 {
			yieldBatch()
		}
	}
}

// isFull reports whether the batch should be counted before more is added.
func (b *streamBatch) isFull() bool {
	return len(b.docs) >= batchDocuments || len(b.text) >= batchText || len(b.features) >= batchFeatures || len(b.labels) >= batchLabels
}

// Add copies a document into the batch.
func (b *streamBatch) Add(d document.Document) {
	n := partLengths{len(d.Text), len(d.Labels), -1}
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

// Documents yields the documents, which are valid until the batch is returned.
func (b *streamBatch) Documents(yield func(document.Document, error) bool) {
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

// freeBatches keeps batches that were read, for their memory. It is safe for concurrent
// use.
type freeBatches struct {
	mu      sync.Mutex
	batches []*streamBatch
}

// takeBatch returns an empty batch.
func (f *freeBatches) takeBatch() *streamBatch {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.batches); n > 0 {
		b := f.batches[n-1]
		f.batches = f.batches[:n-1]
		return b
	}
	return &streamBatch{text: make([]byte, 0, batchText+batchText/4)}
}

// returnBatch empties a batch for the next use.
func (f *freeBatches) returnBatch(b *streamBatch) {
	clear(b.docs) // else names, labels and terms would be kept alive
	clear(b.labels)
	clear(b.features)
	*b = streamBatch{b.docs[:0], b.text[:0], b.labels[:0], b.features[:0], b.lengths[:0]}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.batches = append(f.batches, b)
}
