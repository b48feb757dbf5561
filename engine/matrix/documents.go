package matrix

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file counts the documents of classes by rows, without occurrences.

// A documentList has the numbers of documents of a class for the columns that have any.
// Columns are cut into ranges of equal size, and the elements of range i are those from
// start[i] to start[i+1]: at has the columns, ascending, from 0 within their range.
type documentList struct {
	class    uint32
	start    []uint32
	at, docs []uint32
}

// inRange returns the part of the list that is in a range.
func (l *documentList) inRange(i int) documentList {
	from, to := l.start[i], l.start[i+1]
	return documentList{class: l.class, at: l.at[from:to], docs: l.docs[from:to]}
}

// A documentCounter counts one class after another.
type documentCounter struct {
	number   []uint32 // by column; all 0 between classes
	size     int      // of a range of columns
	at, docs []uint32 // of the lists of all classes
	start    []uint32 // of them
	pairs    []uint64 // scratch memory
	repeats  repeats
}

// begin prepares so many columns in ranges of a size.
func (c *documentCounter) begin(columns, size int) {
	if cap(c.number) < columns {
		c.number = make([]uint32, columns)
	}
	c.number = c.number[:columns]
	c.size, c.at, c.docs, c.start = size, c.at[:0], c.docs[:0], c.start[:0]
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
		place := uint64(at) // used as it is, so that its bound is checked once
		if place >= uint64(len(number)) {
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
		number[place]++
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
	first, own := len(c.at), len(c.start)
	c.start = append(c.start, 0)
	for from := 0; from < len(c.number); from += c.size {
		number := c.number[from:min(from+c.size, len(c.number))]
		before := len(c.at)
		c.at = slices.Grow(c.at, len(number))
		at := c.at[before:][:len(number)]
		at = at[:kernels.Occupied(at, number)]
		c.at = c.at[:before+len(at)]
		c.docs = slices.Grow(c.docs, len(at))[:before+len(at)]
		docs := c.docs[before:]
		for i, place := range at {
			docs[i] = number[place]
			number[place] = 0
		}
		c.start = append(c.start, uint32(len(c.at)-first))
	}
	return documentList{start: c.start[own:], at: c.at[first:], docs: c.docs[first:]}
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
	first, own, from := len(c.at), len(c.start), 0
	c.start = append(c.start, 0)
	for _, p := range c.pairs {
		for at := int(p >> 32); at >= from+c.size; from += c.size {
			c.start = append(c.start, uint32(len(c.at)-first))
		}
		c.at, c.docs = append(c.at, uint32(int(p>>32)-from)), append(c.docs, uint32(p))
	}
	for ; from < len(c.number); from += c.size {
		c.start = append(c.start, uint32(len(c.at)-first))
	}
	return documentList{start: c.start[own:], at: c.at[first:], docs: c.docs[first:]}
}

// sumDocuments returns the sum of two parts of lists in a range.
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
