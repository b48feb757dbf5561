package postings

import "math"

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
