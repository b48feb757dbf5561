package store

import (
	"math"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// denseClasses is the number of classes up to which the counts of a term are a
// dense row, padded to whole vectors. A row of 512 counts is 2 KiB: it stays in
// the first-level cache and costs about 20 ns to clear; above, a term costs its
// postings and nothing else.
const denseClasses = 512

// A view is how counting sees the documents: their classes as small codes, and
// where documents have one class each, the classes as ranges of documents.
type view struct {
	codes     codes
	partition *bitmap.Partition // nil unless single-label
	slots     *slots            // nil unless some document has several labels
	chunks    []pool.Range      // of terms, for the workers
	width     int               // of a dense row; 0 = too many classes
}

// view is made when counting first needs it.
func (x *Index) view() *view {
	x.viewOnce.Do(func() { x.cachedView = x.newView() })
	return x.cachedView
}

func (x *Index) newView() *view {
	v := &view{chunks: x.chunks()}
	if len(x.Classes) < denseClasses {
		v.width = max(256, (len(x.Classes)+slotCount+1+15)&^15) // codes of one byte index an array
	}
	if x.multi {
		if v.width > 0 {
			v.slots = newSlots(x)
		}
		return v
	}
	v.codes = newCodes(x.Documents(), len(x.Classes), func(d int) uint32 {
		if own := x.Labels(d); len(own) > 0 {
			return own[0]
		}
		return uint32(len(x.Classes))
	})
	var err error
	if v.partition, err = bitmap.NewPartition(x.classBounds()); err != nil {
		panic(err) // sums of sizes ascend
	}
	return v
}

// classBounds gives the first document of each class, and the end of the last.
// Documents are class-major; unlabelled ones come last.
func (x *Index) classBounds() []uint32 {
	bounds := make([]uint32, len(x.Classes)+1)
	for c, n := range x.ClassSizes() {
		bounds[c+1] = bounds[c] + n
	}
	return bounds
}

// codes is one number a document, in the narrowest type: the table of a million
// documents is 1 MiB for up to 255 classes and stays in the second-level cache.
// Exactly one of the slices is used.
type codes struct {
	bytes  []uint8
	shorts []uint16
	words  []uint32
}

func newCodes(n, largest int, code func(i int) uint32) codes {
	switch {
	case largest <= math.MaxUint8:
		return codes{bytes: fillCodes[uint8](n, code)}
	case largest <= math.MaxUint16:
		return codes{shorts: fillCodes[uint16](n, code)}
	default:
		return codes{words: fillCodes[uint32](n, code)}
	}
}

type codeWidth interface{ uint8 | uint16 | uint32 }

func fillCodes[C codeWidth](n int, code func(i int) uint32) []C {
	out := make([]C, n)
	for i := range out {
		out[i] = C(code(i))
	}
	return out
}

// lookup gives the codes of documents, in buf where it is large enough.
func (c *codes) lookup(docs, buf []uint32) []uint32 {
	switch {
	case c.bytes != nil:
		return gather(docs, c.bytes, buf)
	case c.shorts != nil:
		return gather(docs, c.shorts, buf)
	default:
		return gather(docs, c.words, buf)
	}
}

func gather[C codeWidth](docs []uint32, codes []C, buf []uint32) []uint32 {
	if cap(buf) < len(docs) {
		buf = make([]uint32, len(docs)+len(docs)/2)
	}
	buf = buf[:len(docs)]
	for i, d := range docs {
		buf[i] = uint32(codes[d])
	}
	return buf
}

// runs cuts a list into runs of documents of the same code, and stores each run's
// code and end. It returns their number. docs must not be empty.
func (c *codes) runs(docs, code, end []uint32) int {
	switch {
	case c.bytes != nil:
		return runs(docs, c.bytes, code, end)
	case c.shorts != nil:
		return runs(docs, c.shorts, code, end)
	default:
		return runs(docs, c.words, code, end)
	}
}

// runs stores the run so far at every document, and moves on where the code
// changes: a branch there would be a coin toss.
func runs[C codeWidth](docs []uint32, codes []C, code, end []uint32) int {
	code, end = code[:len(docs)], end[:len(docs)]
	n, last := 0, codes[docs[0]]
	for i, d := range docs {
		next, moved := codes[d], 0
		if next != last {
			moved = 1
		}
		n += moved
		code[n], end[n] = uint32(next), uint32(i+1)
		last = next
	}
	return n + 1
}
