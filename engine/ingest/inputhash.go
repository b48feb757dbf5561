package ingest

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Hashed returns batches whose documents are hashed as they are read, and a function that returns their hash,
// which is Provenance.InputHash, once all have been.
func Hashed(batches document.Batches) (hashed document.Batches, hash func() string) {
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
	return hashed, func() string { return all.Join().String() }
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
