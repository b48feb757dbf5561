package store

import (
	"math"
	"slices"

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

// codes is one number a document, in the narrowest type. Exactly one of bytes,
// shorts and words is used.
type codes struct {
	bytes  []uint8
	shorts []uint16
	words  []uint32
	// blocks are the bytes of 64 documents each, where all of these have the same
	// one, mixed otherwise; nil where the bytes are few.
	blocks []uint8
}

const (
	mixed = math.MaxUint8
	// A table of up to plainCodes bytes stays in the first-level cache, and a look at
	// the blocks would cost a fifth more. The blocks of a million documents, 16 KiB,
	// stay there too; their codes, 1 MiB, would share the second level with the lists
	// that run through it, and counting takes a sixth more.
	plainCodes = 1 << 15
	blockShift = 6
)

func newCodes(n, largest int, code func(i int) uint32) codes {
	switch {
	case largest <= math.MaxUint8:
		c := codes{bytes: fillCodes[uint8](n, code)}
		if n > plainCodes {
			c.blocks = blocksOf(c.bytes)
		}
		return c
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

func blocksOf(codes []uint8) []uint8 {
	blocks := make([]uint8, 0, len(codes)>>blockShift+1)
	for block := range slices.Chunk(codes, 1<<blockShift) {
		code := block[0]
		if slices.ContainsFunc(block, func(c uint8) bool { return c != code }) {
			code = mixed
		}
		blocks = append(blocks, code)
	}
	return blocks
}

// inBlock is the code of a document where there are blocks. Both are arguments for
// loops that keep them in registers, which a store through a pointer would forbid.
func inBlock(d uint32, blocks, bytes []uint8) uint8 {
	code := blocks[d>>blockShift]
	if code == mixed {
		code = bytes[d]
	}
	return code
}

// lookup gives the codes of documents, in buf where it is large enough.
func (c *codes) lookup(docs, buf []uint32) []uint32 {
	switch {
	case c.blocks != nil:
		buf = grown(buf, len(docs))
		for i, d := range docs {
			buf[i] = uint32(inBlock(d, c.blocks, c.bytes))
		}
		return buf
	case c.bytes != nil:
		return gather(docs, c.bytes, buf)
	case c.shorts != nil:
		return gather(docs, c.shorts, buf)
	default:
		return gather(docs, c.words, buf)
	}
}

func gather[C codeWidth](docs []uint32, codes []C, buf []uint32) []uint32 {
	buf = grown(buf, len(docs))
	for i, d := range docs {
		buf[i] = uint32(codes[d])
	}
	return buf
}
