package ingest

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/table"
)

// An InputHasher computes Provenance.InputHash: the hash of documents in the order in which
// they are added. Its zero value is ready.
type InputHasher struct {
	sum    table.InputHash
	hasher documentHasher
}

// Add adds a document.
func (h *InputHasher) Add(d document.Document) { h.sum.Add(h.hasher.of(d)) }

// String returns the hash of the documents added so far.
func (h *InputHasher) String() string { return h.sum.String() }

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
