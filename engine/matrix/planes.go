package matrix

import (
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/kernels"
)

// planes have the numbers of documents of all columns, one plane a class and one behind the last. A
// class of many documents has several parts: its first one has the plane of its number, the others
// have planes behind those of all classes.
type planes struct {
	counts  []uint16
	stride  int
	columns int
	classes int
	several bool  // the plane behind the classes has all documents, not those without a class
	wide    bool  // a class has more documents than 16 bits hold
	planeOf []int // by part
	taken   []int // by plane: 1 + the class
}

// mostPlaces is the most numbers of planes for each element of a matrix: their memory stays in
// proportion to that of the caller.
const mostPlaces = 8

// newPlanes returns planes for the groups of documents, those of a class one after the other. It returns nil if there
// would be too many.
func (s *scoring) newPlanes() *planes {
	p := &planes{columns: s.terms, classes: len(s.docs.Classes), several: s.docs.Several, planeOf: make([]int, len(s.groups))}
	n, docs := p.classes+1, 0
	for i, g := range s.groups {
		p.planeOf[i] = int(g.Class)
		if i > 0 && s.groups[i-1].Class == g.Class {
			p.planeOf[i] = n
			n++
		} else {
			docs = 0
		}
		docs += len(g.Docs)
		p.wide = p.wide || docs > mostDocumentsOfPlane
	}
	if int64(n)*int64(p.columns) > mostPlaces*s.stored() {
		return nil
	}
	const line = 32 // numbers
	// an odd number of cache lines, for lines at a distance of a power of two displace each other from a cache
	p.stride = ((p.columns+line-1)/line | 1) * line
	p.counts = slices.Grow(s.memory.counts[:0], n*p.stride)[:n*p.stride]
	s.memory.counts, p.taken = p.counts, make([]int, n)
	return p
}

// plane returns the columns [from, to) of a plane.
func (p *planes) plane(i, from, to int) []uint16 { return p.counts[i*p.stride+from : i*p.stride+to] }

// sum sets sums to the numbers of a class in the columns [from, to) and reports whether it has documents.
func (p *planes) sum(sums []uint32, class, from, to int) bool {
	if p.taken[class] == 0 {
		return false
	}
	for i, n := range p.plane(class, from, to) {
		sums[i] = uint32(n)
	}
	for i, of := range p.taken[p.classes+1:] {
		if of == 1+class {
			for i, n := range p.plane(p.classes+1+i, from, to) {
				sums[i] += uint32(n)
			}
		}
	}
	return true
}

// A planeScorer computes the largest deviations of planes. Its memory serves one goroutine.
type planeScorer struct {
	values [][]float64 // of a range of columns, by choice
	df     []uint32
}

// score sets the values of the columns [from, to), and their numbers of documents.
func (c *planeScorer) score(p *planes, panel *score.Panel, r *Request, from, to int) {
	for i, class := range p.taken[p.classes+1:] {
		if class > 0 {
			first := p.plane(class-1, from, to)
			for at, n := range p.plane(p.classes+1+i, from, to) {
				first[at] += n
			}
		}
	}
	x := score.Planes{Counts: p.counts[from:], Stride: p.stride, Number: p.classes}
	if p.taken[p.classes] > 0 {
		x.Number++
	}
	if p.several {
		x.First = p.classes
	}
	c.values = c.values[:0]
	for _, values := range r.Values {
		c.values = append(c.values, values[from:to])
	}
	c.df = slices.Grow(c.df[:0], to-from)[:to-from]
	panel.Planes(c.values, c.df, &x)
	if r.DF != nil {
		for i, n := range c.df {
			r.DF[from+i] = float64(n)
		}
	}
}

// Documents alone are counted for scores: a class at a time, in 16 bits. The loops are compiled
// for each pair of types of a matrix.

// mostDocumentsOfPlane is the most documents that are counted in one plane.
const mostDocumentsOfPlane = 1<<16 - 1

// A docCounter counts the documents of one class after another. Its memory serves one goroutine.
type docCounter struct {
	number []uint16 // by column; all 0 between classes

	// stamps has, by column, the number of the last document counted by [addStamped] that has
	// it. Rows in order need no stamps.
	stamps []uint8
	stamp  uint8
}

// newStamp returns the stamps of columns, and that of a new document.
func (c *docCounter) newStamp() (stamps []uint8, stamp uint8) {
	if c.stamp++; c.stamp == 0 {
		clear(c.stamps)
		c.stamp = 1
	}
	if c.stamps == nil {
		c.stamps = make([]uint8, len(c.number))
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

// mostWeight is the largest value of an element whose document is counted: the sum of values need not be watched.
const mostWeight = 1 << 20

// arePresent reports whether values are above 0, and mostWeight at most.
func arePresent[V Value](values []V) bool {
	most := largestWeight[V]()
	for _, v := range values {
		if !(v > 0 && v <= most) {
			return false
		}
	}
	return true
}

// largestWeight returns mostWeight, or the largest value of the type.
func largestWeight[V Value]() V {
	most := uint64(mostWeight)
	if v := V(most >> 12); v == 0 { // 8 bits
		most = 1<<8 - 1
	}
	return V(most)
}
