package matrix

import (
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file counts documents alone, for scores: a class at a time, in 16 bits. The loops are compiled
// for each pair of types of a matrix.

// mostDocumentsOfPlane is the most documents that are counted in one plane.
const mostDocumentsOfPlane = 1<<16 - 1

// A docCounter counts the documents of one class after another. Its memory serves one goroutine,
// and further matrices.
type docCounter struct {
	number []uint16 // by column; all 0 between classes

	// stamps has, by column, the number of the last document counted by [addStamped] that has
	// it. Rows in order need no stamps.
	stamps []uint8
	stamp  uint8
}

// begin prepares so many columns.
func (c *docCounter) begin(columns int) {
	if cap(c.number) < columns {
		c.number = make([]uint16, columns)
	}
	c.number = c.number[:columns]
}

// newStamp returns the stamps of columns, and that of a new document.
func (c *docCounter) newStamp() (stamps []uint8, stamp uint8) {
	c.stamp++
	if c.stamp == 0 || len(c.stamps) < len(c.number) {
		c.stamps = slices.Grow(c.stamps[:0], len(c.number))[:len(c.number)]
		clear(c.stamps)
		c.stamp = 1
	}
	return c.stamps, c.stamp
}

// addDocument adds a document whose elements are not 0. It reports whether its columns are in range
// and none stands twice. To look at their order first reads a document in one go before its columns
// are counted.
func addDocument[I Index](c *docCounter, index []I) (ok bool) {
	if kernels.Ascending(index) {
		return addAscending(c.number, index)
	}
	stamps, stamp := c.newStamp()
	return addStamped(c.number, stamps, stamp, index)
}

// addAscending adds a document whose columns ascend. It reports whether they are in range.
func addAscending[I Index](number []uint16, index []I) (ok bool) {
	for _, at := range index {
		place := uint64(at) // used as it is, so that its bound is checked once
		if place >= uint64(len(number)) {
			return false
		}
		number[place]++
	}
	return true
}

// addStamped is addAscending where order need not be: ok says that no element stands twice, too.
func addStamped[I Index](number []uint16, stamps []uint8, stamp uint8, index []I) (ok bool) {
	stamps = stamps[:len(number)]
	for _, at := range index {
		place := uint64(at)
		if place >= uint64(len(number)) || stamps[place] == stamp {
			return false
		}
		stamps[place] = stamp
		number[place]++
	}
	return true
}

// addPresent is addDocument but for elements of value 0.
func addPresent[I Index, V Value](number []uint16, index []I, values []V) (ok, ascending bool) {
	last, disorder := I(-1), I(0)
	values = values[:len(index)]
	for i, at := range index {
		place := uint64(at)
		if place >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		if values[i] != 0 {
			number[place]++
		}
	}
	return true, disorder >= 0
}

// mostWeight is the largest value of an element that checkWeights takes: their sum need not be
// watched.
const mostWeight = 1 << 20

// checkWeights reports whether values are from 0 to mostWeight, and whether all are above 0.
func checkWeights[V Value](values []V) (ok, all bool) {
	most := largestWeight[V]()
	if kernels.Within(values, most) {
		return true, true
	}
	for _, v := range values {
		if !(v >= 0 && v <= most) {
			return false, false
		}
	}
	return true, false
}

// largestWeight returns mostWeight, or the largest value of the type.
func largestWeight[V Value]() V {
	most := uint64(mostWeight)
	if v := V(most >> 12); v == 0 { // 8 bits
		most = 1<<8 - 1
	}
	return V(most)
}
