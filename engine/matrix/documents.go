package matrix

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file counts the documents of classes by rows, without occurrences.

// A documentList has the numbers of documents of a class, by column, ascending.
type documentList struct {
	class uint32
	at    []uint32
	docs  []uint32
}

// A documentCounter counts one class after another.
type documentCounter struct {
	number   []uint32 // by column; all 0 between classes
	at, docs []uint32 // of the lists of all classes
	pairs    []uint64 // scratch memory
	repeats  repeats
}

// begin prepares so many columns.
func (c *documentCounter) begin(columns int) {
	if cap(c.number) < columns {
		c.number = make([]uint32, columns)
	}
	c.number = c.number[:columns]
	c.at, c.docs = c.at[:0], c.docs[:0]
}

// mostWeight is the largest value that is counted here: the sum of values need not be
// watched.
const mostWeight = 1 << 20

// countList counts documents. It returns false if an element is not one of a matrix, or its
// value above mostWeight; the counter is of no use then.
func (s *scoring[I, V]) countList(c *documentCounter, docs []uint32) (list documentList, ok bool) {
	n := 0
	for i, d := range docs {
		if i+1 < len(docs) {
			s.prefetch(docs[i+1])
		}
		from, to := int(s.Start[d]), int(s.Start[d+1])
		n += to - from
		index := s.Index[from:to]
		var ascending bool
		if s.Values == nil {
			ok, ascending = addDocument(c.number, index)
		} else {
			ok, ascending = addWeights(c.number, index, s.Values[from:to])
		}
		if !ok || !ascending && foundIn(&c.repeats, index, s.Terms) {
			return list, false
		}
	}
	if n < len(c.number)/fewElements {
		return s.takeFew(c, docs), true
	}
	return c.take(), true
}

// addDocument adds a document whose elements are all 1. It reports whether they are in range
// and in order.
func addDocument[I Index](number []uint32, index []I) (ok, ascending bool) {
	last, disorder := I(-1), I(0)
	for _, at := range index {
		if uint64(at) >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		number[at]++
	}
	return true, disorder >= 0
}

// addWeights is addDocument with values.
func addWeights[I Index, V Value](number []uint32, index []I, values []V) (ok, ascending bool) {
	last, disorder, most := I(-1), I(0), largestWeight[V]()
	values = values[:len(index)]
	for i, at := range index {
		if uint64(at) >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		if v := values[i]; !(v > 0 && v <= most) {
			if v == 0 {
				continue
			}
			return false, false
		}
		number[at]++
	}
	return true, disorder >= 0
}

// largestWeight returns mostWeight, or the largest value of the type.
func largestWeight[V Value]() V {
	most := uint64(mostWeight)
	if v := V(most >> 12); v == 0 { // 8 bits
		most = 1<<8 - 1
	}
	return V(most)
}

// take ends a list. It looks at all columns.
func (c *documentCounter) take() documentList {
	first, columns := len(c.at), len(c.number)
	c.at = slices.Grow(c.at, columns)
	places := c.at[first:][:columns]
	places = places[:kernels.Occupied(places, c.number)]
	c.at = c.at[:first+len(places)]
	c.docs = slices.Grow(c.docs, len(places))[:first+len(places)]
	docs, number := c.docs[first:], c.number
	for i, at := range places {
		docs[i] = number[at]
		number[at] = 0
	}
	return documentList{at: places, docs: docs}
}

// takeFew is take by a second walk over the documents.
func (s *scoring[I, V]) takeFew(c *documentCounter, docs []uint32) documentList {
	c.pairs = c.pairs[:0]
	for _, d := range docs {
		for _, at := range s.Index[s.Start[d]:s.Start[d+1]] {
			if n := c.number[at]; n > 0 {
				c.pairs = append(c.pairs, uint64(at)<<32|uint64(n))
				c.number[at] = 0
			}
		}
	}
	slices.Sort(c.pairs)
	first := len(c.at)
	for _, p := range c.pairs {
		c.at, c.docs = append(c.at, uint32(p>>32)), append(c.docs, uint32(p))
	}
	return documentList{at: c.at[first:], docs: c.docs[first:]}
}

// joinDocuments adds up the lists of the same class.
func joinDocuments(lists []documentList) []documentList {
	joined := lists[:0]
	for _, l := range lists {
		if last := len(joined) - 1; last >= 0 && joined[last].class == l.class {
			joined[last] = sumDocuments(&joined[last], &l)
		} else {
			joined = append(joined, l)
		}
	}
	return joined
}

// sumDocuments returns the sum of two lists.
func sumDocuments(x, y *documentList) documentList {
	sum := documentList{class: x.class}
	for i, j := 0, 0; i < len(x.at) || j < len(y.at); {
		order := 0
		switch {
		case i == len(x.at):
			order = 1
		case j == len(y.at):
			order = -1
		default:
			order = cmp.Compare(x.at[i], y.at[j])
		}
		at, n := uint32(0), uint32(0)
		if order <= 0 {
			at, n = x.at[i], x.docs[i]
			i++
		}
		if order >= 0 {
			at, n = y.at[j], n+y.docs[j]
			j++
		}
		sum.at, sum.docs = append(sum.at, at), append(sum.docs, n)
	}
	return sum
}
