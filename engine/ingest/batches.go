package ingest

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file has what becomes of streams before they are counted. Their documents are copied into batches, since a
// stream reuses its slices; the first ones decide how text is analysed; and all are hashed.

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
			if len(b.docs) >= batchDocuments || len(b.text) >= batchText || len(b.features) >= batchFeatures || len(b.labels) >= batchLabels {
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

// Hashed returns batches whose documents are hashed as they are read, and a function that returns their hash,
// which is Provenance.InputHash, once all have been.
func Hashed(batches document.Batches) (hashed document.Batches, hash func() table.InputHash) {
	var all table.OrderedHashes
	hashed = func(yield func(document.Stream, error) bool) {
		if batches == nil {
			yield(nil, usage.Errorf("nil batches of documents were given"))
			return
		}
		number := 0
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(hashedBatch(docs, &all, number), nil) {
				return
			}
			number++
		}
	}
	return hashed, all.Join
}

// hashedBatch returns the documents of the batch with this number, whose hash is put when all were read.
func hashedBatch(docs document.Stream, all *table.OrderedHashes, number int) document.Stream {
	return func(yield func(document.Document, error) bool) {
		var sum table.InputHash
		var hasher documentHasher
		for d, err := range docs {
			if err == nil {
				sum.Add(hasher.of(d))
			}
			if !yield(d, err) {
				return
			}
		}
		all.Put(number, sum)
	}
}

// A documentHasher computes hashes of documents. It belongs to one goroutine.
type documentHasher struct {
	input []byte // of the current document, all but its text
}

// of returns a hash of all that the index depends on; lengths in between keep the parts
// apart. The text is hashed in place: a Hasher copies what it is given, 5 ms of the 120
// for 20 Newsgroups.
func (h *documentHasher) of(d document.Document) uint64 {
	addText := func(text string) {
		h.input = binary.AppendUvarint(h.input, uint64(len(text)))
		h.input = append(h.input, text...)
	}
	h.input = h.input[:0]
	addText(d.ID)
	h.input = binary.AppendUvarint(h.input, uint64(len(d.Labels)))
	for _, l := range d.Labels {
		addText(l)
	}
	for _, f := range d.Features {
		addText(f.Term)
		h.input = binary.LittleEndian.AppendUint64(h.input, math.Float64bits(f.Value))
	}
	h.input = binary.LittleEndian.AppendUint64(h.input, xxh3.Hash(d.Text))
	return xxh3.Hash(h.input)
}
