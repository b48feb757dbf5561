package ranges

import (
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/score"
)

// Planes have the numbers of documents of all columns, one plane a class: what lists have,
// without the places. Where classes have some of the columns each, and not few, they are
// shorter than lists, are written and read by vectors, and need no cells.
//
// A class may have several parts. Its first one has the plane of its number, the others have
// planes behind those of all classes.
type Planes struct {
	counts  []uint16
	stride  int
	columns int
	classes int
	several bool  // the plane behind the classes has all documents, not those without a class
	planeOf []int // by part
	taken   []int // by plane: 1 + the class
}

// A Part is some documents of a class, or of none: then Class is the number behind the last.
type Part struct {
	Class     uint32
	Documents int
}

// mostPlaces is the most numbers of planes for each element of a matrix: their memory stays in
// proportion to that of the caller, and lists are shorter where classes have few of the columns.
const mostPlaces = 4

// sparePlanes keeps the memory of planes until the collector has run twice.
var sparePlanes = sync.Pool{New: func() any { return new(Planes) }}

// NewPlanes returns planes for the parts, those of a class one after the other, of a matrix with
// so many elements. It returns nil if lists are to be made. several is as for [Scorer.Begin].
func NewPlanes(columns, classes int, parts []Part, several bool, elements int64) *Planes {
	planes, documents := classes+1, 0
	planeOf := make([]int, len(parts))
	for i, part := range parts {
		planeOf[i] = int(part.Class)
		if i > 0 && parts[i-1].Class == part.Class {
			planeOf[i] = planes
			planes++
		} else {
			documents = 0
		}
		if documents += part.Documents; documents > MostDocuments {
			return nil
		}
	}
	if int64(planes)*int64(columns) > mostPlaces*elements {
		return nil
	}
	p := sparePlanes.Get().(*Planes)
	p.columns, p.classes, p.several, p.stride, p.planeOf = columns, classes, several, planeStride(columns), planeOf
	p.counts = slices.Grow(p.counts[:0], planes*p.stride)[:planes*p.stride]
	p.taken = slices.Grow(p.taken[:0], planes)[:planes]
	clear(p.taken)
	return p
}

// End ends the use of planes.
func (p *Planes) End() { sparePlanes.Put(p) }

// planeStride returns the distance of planes: an odd number of cache lines, for lines at a distance of a power of two
// displace each other from a cache.
func planeStride(columns int) int {
	const line = 32 // numbers
	lines := (columns + line - 1) / line
	return (lines | 1) * line
}

// Take takes the numbers of a part from a counter.
func (p *Planes) Take(c *Counter, part int, class uint32) {
	plane := p.planeOf[part]
	copy(p.plane(plane, 0, p.columns), c.Number)
	clear(c.Number)
	p.taken[plane] = 1 + int(class)
}

// plane returns the columns [from, to) of a plane.
func (p *Planes) plane(i, from, to int) []uint16 { return p.counts[i*p.stride+from : i*p.stride+to] }

// A PlaneScorer computes values of planes. Its memory serves one goroutine, and further calls.
type PlaneScorer struct {
	values [][]float64 // of a range of columns, by choice
	df     []uint32
}

// Score sets the values of the columns [from, to), and their numbers of documents.
func (c *PlaneScorer) Score(p *Planes, panel *score.Panel, r *Request, from, to int) {
	for i, class := range p.taken[p.classes+1:] {
		if class > 0 {
			addTo(p.plane(class-1, from, to), p.plane(p.classes+1+i, from, to))
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
	clear(c.values) // the caller's
	if r.DF != nil {
		for i, n := range c.df {
			r.DF[from+i] = float64(n)
		}
	}
}

// addTo adds a part of a class to its first one.
func addTo(dst, part []uint16) {
	for i, n := range part {
		dst[i] += n
	}
}
