package store

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// A renumbering gives the documents of a subset new numbers, in the order of the old
// ones. It has an element for every 64 documents: for a million documents 250 KiB,
// which stay in the second-level cache. A table of numbers would take 4 MiB, and twice
// the time.
type renumbering []renumbered

type renumbered struct {
	kept   uint64 // a bit a document
	before uint32 // documents kept before these 64
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

// number gives the new number of a document, and 1 if it is kept, else 0.
func (r renumbering) number(doc uint32) (number, kept uint32) {
	word := r[doc/64]
	upTo := word.kept << (^doc % 64) // the document's own bit is the highest
	return word.before + uint32(bits.OnesCount64(upTo<<1)), uint32(upTo >> 63)
}

// count gives the number of the documents that are kept.
func (r renumbering) count(docs []uint32) uint32 {
	n := uint64(0)
	for _, d := range docs {
		n += r[d/64].kept >> (d % 64) & 1
	}
	return uint32(n)
}

// filter fills out with the new numbers of the documents that are kept, as many as
// count says, and outValues with their values. What is not kept is overwritten by the
// next document: a branch would be mispredicted.
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
