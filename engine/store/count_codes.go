package store

import "math"

// codes has the class of each document that has one at most, that behind the last of an unlabelled
// one: by a byte each if the classes are few enough, else by a word.
type codes struct {
	bytes []uint8
	words []uint32
}

// classCodes returns the codes of the documents, empty ones if some have several labels. They are
// made at the first call.
func (x *Index) classCodes() codes {
	x.codesOnce.Do(func() {
		if !x.multi {
			x.codes = newCodes(len(x.labelStart)-1, len(x.Classes), x.firstClass)
		}
	})
	return x.codes
}

// newCodes returns the codes of n documents, none above largest.
func newCodes(n, largest int, code func(doc int) uint32) (c codes) {
	if largest <= math.MaxUint8 {
		c.bytes = make([]uint8, n)
		for d := range c.bytes {
			c.bytes[d] = uint8(code(d))
		}
		return c
	}
	c.words = make([]uint32, n)
	for d := range c.words {
		c.words[d] = code(d)
	}
	return c
}

// firstClass returns the first class of a document; for an unlabelled one, the number after
// the last class.
func (x *Index) firstClass(doc int) uint32 {
	if own := x.Labels(doc); len(own) > 0 {
		return own[0]
	}
	return uint32(len(x.Classes))
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

// of returns the code of a document.
func (c *codes) of(doc int) uint32 {
	if c.bytes != nil {
		return uint32(c.bytes[doc])
	}
	return c.words[doc]
}

// lookup returns the codes of documents, in buf if it is large enough.
func (c *codes) lookup(docs, buf []uint32) []uint32 {
	if c.bytes != nil {
		return codesOf(docs, c.bytes, buf)
	}
	return codesOf(docs, c.words, buf)
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
