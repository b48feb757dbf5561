package bench

import (
	"testing"

	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/kernels"
)

// sumsFrom is the document frequency of the terms whose columns are summed.
const sumsFrom = 512

// columns are the values of the dense terms, one list behind the other.
type columns struct {
	terms   int
	classes int
	start   []int    // terms+1
	bounds  []uint32 // classes+1 a term: its list cut by the classes
	single  []float32
	bytes   []uint8
	docs    []uint32
	class   []uint8 // of each document
}

// collect takes the lists of a single-label set.
func collect(s *set) *columns {
	x := s.index
	c := &columns{classes: len(x.Classes), start: []int{0}}
	for d := range x.Documents() {
		c.class = append(c.class, uint8(x.Labels(d)[0]))
	}
	var p store.Postings
	for t := 0; t < x.Terms.Len() && x.DF(t) >= sumsFrom; t++ {
		x.Read(t, &p)
		c.bounds = append(c.bounds, boundsOf(p.Docs, c.class, c.classes)...)
		c.docs = append(c.docs, p.Docs...)
		for _, v := range p.TF {
			v = min(v, 254)
			c.single = append(c.single, float32(v))
			c.bytes = append(c.bytes, uint8(v))
		}
		c.start = append(c.start, len(c.docs))
		c.terms++
	}
	return c
}

// boundsOf finds where the classes of a list begin; documents are class-major.
func boundsOf(docs []uint32, class []uint8, classes int) []uint32 {
	bounds := make([]uint32, classes+1)
	for _, d := range docs {
		bounds[class[d]+1]++
	}
	for c := range classes {
		bounds[c+1] += bounds[c]
	}
	return bounds
}

// BenchmarkSums adds up the values and squares of each class: what moments cost
// beside the counts.
func BenchmarkSums(b *testing.B) {
	forSets(b, "S,M,L", func(b *testing.B, s *set) {
		c := collect(s)
		n := float64(len(c.docs))
		b.Run(impl+"/column=float32/set="+s.name, func(b *testing.B) {
			b.SetBytes(int64(4 * len(c.single)))
			c.measure(b, n, func() (float64, float64) {
				return sumTerms(c, c.single, make([]float64, c.classes), make([]float64, c.classes), kernels.SumSegments)
			})
		})
		b.Run(impl+"/column=uint8/set="+s.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.bytes)))
			c.measure(b, n, func() (float64, float64) {
				return sumTerms(c, c.bytes, make([]uint64, c.classes), make([]uint64, c.classes), kernels.SumByteSegments)
			})
		})
		b.Run("impl=naive/column=float32/set="+s.name, func(b *testing.B) {
			b.SetBytes(int64(4 * len(c.single)))
			c.measure(b, n, c.scatter)
		})
	})
}

// measure reports the time of a way to sum and checks what it has found: values
// and squares, weighted by class. The values are small integers, and every way
// finds the same.
func (c *columns) measure(b *testing.B, n float64, f func() (s, q float64)) {
	var s, q float64
	loop(b, func() { s, q = f() })
	per(b, "posting", n)
	if wantS, wantQ := c.totals(); s != wantS || q != wantQ {
		b.Fatalf("the sums are %v and %v, want %v and %v", s, q, wantS, wantQ)
	}
}

// sumTerms sums term after term. What it returns looks at one class of each term:
// adding up all would be a part of the time.
func sumTerms[V, S float64 | float32 | uint8 | uint64](c *columns, values []V, sums, squares []S, kernel func(sums, squares []S, values []V, bounds []uint32)) (s, q float64) {
	for t := range c.terms {
		kernel(sums, squares, values[c.start[t]:c.start[t+1]], c.bounds[t*(c.classes+1):(t+1)*(c.classes+1)])
		s += float64(sums[t%c.classes])
		q += float64(squares[t%c.classes])
	}
	return s, q
}

// scatter adds each value to the sums of its document's class.
func (c *columns) scatter() (s, q float64) {
	sums, squares := make([]float64, c.classes), make([]float64, c.classes)
	for t := range c.terms {
		clear(sums)
		clear(squares)
		for i := c.start[t]; i < c.start[t+1]; i++ {
			class, v := c.class[c.docs[i]], float64(c.single[i])
			sums[class] += v
			squares[class] += v * v
		}
		s += sums[t%c.classes]
		q += squares[t%c.classes]
	}
	return s, q
}

// totals is what sumTerms returns, one value after another.
func (c *columns) totals() (s, q float64) {
	for t := range c.terms {
		for i := c.start[t]; i < c.start[t+1]; i++ {
			if v := float64(c.bytes[i]); int(c.class[c.docs[i]]) == t%c.classes {
				s += v
				q += v * v
			}
		}
	}
	return s, q
}
