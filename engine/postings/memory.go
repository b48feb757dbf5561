package postings

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/table"
)

// Memory has the columns of an index. They must not be modified.
type Memory struct {
	Classes []string
	Terms   *table.Dictionary
	// Meta is the caller's own description, stored verbatim in the file.
	Meta json.RawMessage
	// Pruned reports whether terms were left out because of their document frequency.
	Pruned bool

	IDs        *table.Dictionary // document names, by document number; nil until they are first read from a file
	Input      []uint32          // document number -> place in the input
	LabelStart []uint32          // documents+1
	LabelOf    []uint32          // class numbers, ascending within a document
	Multi      bool              // some document has several labels

	DocFreq []uint32
	Start   []uint64 // terms+1: first posting of each term in the columns
	Dense   []byte   // Roaring portable bitmaps of the terms before FirstShort
	DenseAt []uint64 // where each begins, and the end
	Flat    []uint32 // ascending document numbers of the other terms, in memory
	Values  Column
}

// LongFrom returns the document frequency from which a posting list is kept as a
// Roaring bitmap. Below it, the headers (16 bytes per container, and the time to walk
// them) cost more than the containers save against 4 bytes per posting.
func LongFrom(documents int) uint32 {
	if documents > 1<<16 {
		return 512
	}
	return 64
}

// Documents returns the number of documents, unlabelled ones included.
func (x *Memory) Documents() int { return len(x.Input) }

// Labelled returns the number of documents with at least one label.
func (x *Memory) Labelled() int {
	if !x.Multi {
		return len(x.LabelOf)
	}
	n := 0
	for d := range x.Input {
		if x.LabelStart[d] < x.LabelStart[d+1] {
			n++
		}
	}
	return n
}

// Labels returns the classes of a document, ascending. The slice must not be modified.
func (x *Memory) Labels(doc int) []uint32 {
	return x.LabelOf[x.LabelStart[doc]:x.LabelStart[doc+1]]
}

// DF returns the number of documents with the term.
func (x *Memory) DF(term int) int { return int(x.DocFreq[term]) }

// NumPostings returns the number of (document, term) pairs.
func (x *Memory) NumPostings() int { return int(x.Start[len(x.Start)-1]) }

// Real reports whether the values of the column are real numbers, not counts.
func (x *Memory) Real() bool { return x.Values.real() }

// FirstShort returns the first term whose list is no bitmap; those of all later terms are none.
func (x *Memory) FirstShort() int { return len(x.DenseAt) - 1 }

// FirstFlat returns the first posting of the lists that are not bitmaps.
func (x *Memory) FirstFlat() uint64 { return x.Start[x.FirstShort()] }

// documents returns the documents of a term, ascending. The term must be ready. A short
// list is part of Flat; a long one is decoded into buf.
func (x *Memory) documents(term int, buf []uint32) []uint32 {
	if term >= x.FirstShort() {
		return x.ShortList(term)
	}
	v, err := bitmap.Parse(x.BitmapBytes(term))
	if err != nil {
		panic(err) // Build wrote it, or decode has parsed it
	}
	return v.AppendTo(buf[:0])
}

// ShortList returns the documents of a term from [Index.FirstShort] on, which must be ready.
func (x *Memory) ShortList(term int) []uint32 {
	base := x.Start[x.FirstShort()]
	return x.Flat[x.Start[term]-base : x.Start[term+1]-base]
}

// BitmapBytes returns the serialised bitmap of a long list.
func (x *Memory) BitmapBytes(term int) []byte {
	return x.Dense[x.DenseAt[term]:x.DenseAt[term+1]]
}

// FirstCount returns the count of a term in its first document.
func (x *Memory) FirstCount(t int) uint32 {
	at := x.Start[t]
	if v := x.Values.Counts[at]; v != Escape {
		return uint32(v)
	}
	i, _ := slices.BinarySearch(x.Values.EscapeAt, at)
	return x.Values.Escaped[i]
}

// A Column holds one value per posting: counts as bytes, with 255 for those in the
// escape list; or real numbers as float32, and as float64 too if float32 cannot hold
// them exactly.
type Column struct {
	Counts   []uint8
	EscapeAt []uint64 // postings, ascending
	Escaped  []uint32
	Single   []float32
	Double   []float64
}

const Escape = 255

func (c *Column) real() bool { return c.Single != nil }

// Read returns the values of the postings [from, to) as float64, in buf if it is large
// enough.
func (c *Column) Read(from, to uint64, buf []float64) []float64 {
	n := int(to - from)
	values := slices.Grow(buf[:0], n)[:n]
	switch {
	case c.Double != nil:
		copy(values, c.Double[from:to])
	case c.Single != nil:
		for i, v := range c.Single[from:to] {
			values[i] = float64(v)
		}
	default:
		for i, v := range c.Counts[from:to] {
			values[i] = float64(v)
		}
		c.EachEscape(from, to, func(i int, count uint32) { values[i] = float64(count) })
	}
	return values
}

// EachEscape calls f for the counts of 255 or more of the postings [from, to), with
// their places relative to from.
func (c *Column) EachEscape(from, to uint64, f func(i int, count uint32)) {
	if len(c.EscapeAt) == 0 {
		return
	}
	i, _ := slices.BinarySearch(c.EscapeAt, from)
	for ; i < len(c.EscapeAt) && c.EscapeAt[i] < to; i++ {
		f(int(c.EscapeAt[i]-from), c.Escaped[i])
	}
}

// Codes has the class of each document that has one at most, that behind the last of an unlabelled
// one: by a byte each if the classes are few enough, else by a word.
type Codes struct {
	Bytes []uint8
	Words []uint32
}

// classCodes returns the codes of the documents, empty ones if some have several labels. They are
// made at the first call.
func (x *Index) classCodes() Codes {
	x.codesOnce.Do(func() {
		if !x.Multi {
			x.codes = NewCodes(len(x.LabelStart)-1, len(x.Classes), x.firstClass)
		}
	})
	return x.codes
}

// NewCodes returns the codes of n documents, none above largest.
func NewCodes(n, largest int, code func(doc int) uint32) (c Codes) {
	if largest <= math.MaxUint8 {
		c.Bytes = make([]uint8, n)
		for d := range c.Bytes {
			c.Bytes[d] = uint8(code(d))
		}
		return c
	}
	c.Words = make([]uint32, n)
	for d := range c.Words {
		c.Words[d] = code(d)
	}
	return c
}

// firstClass returns the first class of a document; for an unlabelled one, the number after
// the last class.
func (x *Memory) firstClass(doc int) uint32 {
	if own := x.Labels(doc); len(own) > 0 {
		return own[0]
	}
	return uint32(len(x.Classes))
}

// FirstClasses sets classes to the first classes of documents of one label at most.
func (x *Memory) FirstClasses(classes, docs []uint32) {
	labels, none := x.LabelOf, uint32(len(x.Classes))
	classes = classes[:len(docs)]
	for i, d := range docs {
		classes[i] = none
		if int(d) < len(labels) { // the labelled documents come first
			classes[i] = labels[d]
		}
	}
}

// of returns the code of a document.
func (c *Codes) of(doc int) uint32 {
	if c.Bytes != nil {
		return uint32(c.Bytes[doc])
	}
	return c.Words[doc]
}

// Lookup returns the codes of documents, in buf if it is large enough.
func (c *Codes) Lookup(docs, buf []uint32) []uint32 {
	if c.Bytes != nil {
		return codesOf(docs, c.Bytes, buf)
	}
	return codesOf(docs, c.Words, buf)
}

func codesOf[C uint8 | uint32](docs []uint32, codes []C, buf []uint32) []uint32 {
	buf = grown(buf, len(docs))
	for i, d := range docs {
		buf[i] = uint32(codes[d])
	}
	return buf
}

// reordered returns the codes of documents that have those of others.
func reordered[C uint8 | uint32](codes []C, order []uint32) []C {
	if codes == nil {
		return nil
	}
	out := make([]C, len(order))
	for d, from := range order {
		out[d] = codes[from]
	}
	return out
}

// grown returns s with length n, or a new slice of length n if the capacity of s is
// smaller.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/2+16)
	}
	return s[:n]
}
