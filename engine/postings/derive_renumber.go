package postings

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// A renumbering maps the documents of a subset to new numbers, in the order of the old
// ones. It has one element per 64 documents: 250 KiB for a million documents, which
// stay in the second-level cache. A table of numbers would take 4 MiB and twice the
// time.
type renumbering []renumbered

type renumbered struct {
	kept   uint64 // one bit per document
	before uint32 // number of kept documents before these 64
}

func newRenumbering(docs *roaring.Bitmap, documents int) renumbering {
	r := make(renumbering, (documents+63)/64)
	docs.Iterate(func(d uint32) bool {
		r[d/64].kept |= 1 << (d % 64)
		return true
	})
	before := uint32(0)
	for i := range r {
		r[i].before = before
		before += uint32(bits.OnesCount64(r[i].kept))
	}
	return r
}

// number returns the new number of a document, and 1 if it is kept, else 0.
func (r renumbering) number(doc uint32) (number, kept uint32) {
	word := r[doc/64]
	upTo := word.kept << (^doc % 64) // the document's own bit is the highest
	return word.before + uint32(bits.OnesCount64(upTo<<1)), uint32(upTo >> 63)
}

// count returns how many of the documents are kept.
func (r renumbering) count(docs []uint32) uint32 {
	n := uint64(0)
	for _, d := range docs {
		n += r[d/64].kept >> (d % 64) & 1
	}
	return uint32(n)
}

// filter writes the new numbers of the documents that are kept to out, whose length is
// that returned by count, and their values to outValues. A document that is not kept is
// written too and overwritten by the next: a branch would be mispredicted.
func filter[V uint8 | float64](r renumbering, docs []uint32, values []V, out []uint32, outValues []V) {
	values, outValues = values[:len(docs)], outValues[:len(out)]
	n := uint(0)
	for i, d := range docs {
		if n >= uint(len(out)) {
			break
		}
		number, kept := r.number(d)
		out[n], outValues[n] = number, values[i]
		n += uint(kept)
	}
}
