package store

import (
	"math"
	"slices"
	"sync"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// denseClasses is the number of classes below which the counts of a term are a dense
// row, padded to whole vectors. A row of 512 counts takes 2 KiB: it stays in the
// first-level cache and takes about 20 ns to clear. With more classes, the cost of a
// term depends on its postings only.
const denseClasses = 512

// A view is what counting derives from the documents: the classes as small codes and,
// if all documents have one class at most, the range of documents of each class.
type view struct {
	codes     codes
	partition *bitmap.Partition // nil unless single-label
	slots     func() *slots     // of documents with several labels, made at the first call
	chunks    []pool.Range      // of terms, for the workers
	width     int               // length of a dense row; 0 if there are too many classes
}

// view returns the view of the documents. It is made at the first call.
func (x *Index) view() *view {
	x.viewOnce.Do(func() { x.cachedView = x.newView() })
	return x.cachedView
}

func (x *Index) newView() *view {
	v := &view{chunks: x.chunks(), width: rowWidth(len(x.Classes))}
	if x.multi {
		v.slots = sync.OnceValue(func() *slots { return newSlots(x) })
		return v
	}
	v.codes = newCodes(x.Documents(), len(x.Classes), x.firstClass)
	var err error
	if v.partition, err = bitmap.NewPartition(x.classBounds()); err != nil {
		panic(err) // sums of sizes ascend
	}
	return v
}

// firstClass returns the first class of a document; for an unlabelled one, the number after
// the last class.
func (x *Index) firstClass(doc int) uint32 {
	if own := x.Labels(doc); len(own) > 0 {
		return own[0]
	}
	return uint32(len(x.Classes))
}

// rowWidth returns the length of a dense row of counts, 0 if there are too many classes.
func rowWidth(classes int) int {
	if classes >= denseClasses {
		return 0
	}
	return max(256, (classes+slotCount+1+15)&^15) // so that a byte indexes an array of 256
}

// firstClasses sets classes to the first classes of documents of one label at most.
func (x *Index) firstClasses(classes, docs []uint32) {
	labels, none := x.labels, uint32(len(x.Classes))
	classes = classes[:len(docs)]
	for i, d := range docs {
		classes[i] = none
		if int(d) < len(labels) { // the labelled documents come first
			classes[i] = labels[d]
		}
	}
}

// classBounds returns the first document of each class, then the end of the last class.
// Documents are numbered by class, unlabelled ones last.
func (x *Index) classBounds() []uint32 {
	bounds := make([]uint32, len(x.Classes)+1)
	for c, n := range x.ClassSizes() {
		bounds[c+1] = bounds[c] + n
	}
	return bounds
}

// codes holds one number per document, in the narrowest type that fits. Exactly one of
// bytes, shorts and words is set.
type codes struct {
	bytes  []uint8
	shorts []uint16
	words  []uint32
	// blocks has one entry for every 64 documents: their code in bytes if all have the
	// same, else mixed. It is nil if there are at most plainCodes documents.
	blocks []uint8
}

const (
	mixed = math.MaxUint8
	// plainCodes is the number of codes up to which there are no blocks. A table of
	// that many bytes stays in the first-level cache, and reading the blocks would take
	// a fifth longer. For a million documents, the blocks (16 KiB) stay in that cache
	// too, whereas the codes (1 MiB) would share the second level with the lists that
	// are read, and counting would take a sixth longer.
	plainCodes = 1 << 15
	blockShift = 6
)

// newCodes returns the codes of n items, none above largest.
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

// inBlock returns the code of a document if there are blocks. blocks and bytes are
// parameters so that callers keep them in registers during a loop; stores through a
// pointer would prevent that.
func inBlock(d uint32, blocks, bytes []uint8) uint8 {
	code := blocks[d>>blockShift]
	if code == mixed {
		code = bytes[d]
	}
	return code
}

// lookup returns the codes of documents, in buf if it is large enough.
func (c *codes) lookup(docs, buf []uint32) []uint32 {
	switch {
	case c.blocks != nil:
		buf = grown(buf, len(docs))
		for i, d := range docs {
			buf[i] = uint32(inBlock(d, c.blocks, c.bytes))
		}
		return buf
	case c.bytes != nil:
		return codesOf(docs, c.bytes, buf)
	case c.shorts != nil:
		return codesOf(docs, c.shorts, buf)
	default:
		return codesOf(docs, c.words, buf)
	}
}

func codesOf[C codeWidth](docs []uint32, codes []C, buf []uint32) []uint32 {
	buf = grown(buf, len(docs))
	for i, d := range docs {
		buf[i] = uint32(codes[d])
	}
	return buf
}
