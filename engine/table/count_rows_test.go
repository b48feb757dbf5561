package table

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A collection is documents of few terms, some of which have large counts.
type collection struct {
	Documents
	terms, counts [][]uint32 // by document
	width         int
	values        int64
}

func randomCollection(r *rand.Rand, several bool) *collection {
	c := &collection{width: 1 + r.IntN(300)}
	c.Classes, c.Several, c.Start = 1+r.IntN(6), several, []uint32{0}
	for range r.IntN(200) {
		labels := map[uint32]bool{}
		for range r.IntN(4) {
			if !several {
				clear(labels)
			}
			labels[uint32(r.IntN(c.Classes))] = true
		}
		for class := range uint32(c.Classes) {
			if labels[class] {
				c.Of = append(c.Of, class)
			}
		}
		c.Start = append(c.Start, uint32(len(c.Of)))
		var terms, counts []uint32
		for term := range uint32(c.width) {
			if r.IntN(3) == 0 {
				continue
			}
			terms, counts = append(terms, term), append(counts, 1+uint32(r.ExpFloat64()*float64([]int{1, 1, 30, 3000}[term%4])))
		}
		c.terms, c.counts, c.values = append(c.terms, terms), append(c.counts, counts), c.values+int64(len(terms))
	}
	return c
}

// A collectionReader reads the documents of a collection.
type collectionReader struct{ *collection }

func (r collectionReader) Add(c *Counter, d uint32) (int, error) {
	c.Add(r.terms[d], r.counts[d])
	return len(r.terms[d]), nil
}

func (r collectionReader) Terms(d uint32) []uint32 { return r.terms[d] }

func (collectionReader) Prefetch(uint32) {}

// counted counts the collection on threads.
func (c *collection) counted(t *testing.T, threads int) *Cells {
	rows := Rows{
		Documents: c.Documents, Terms: c.width, Elements: c.values, Size: func(d uint32) int64 { return int64(len(c.terms[d])) },
		Reader: func() Reader { return collectionReader{c} },
		Order: func(df []uint32) (all []uint32, err error) {
			for term, n := range df {
				if n > 0 {
					all = append(all, uint32(term))
				}
			}
			return all, nil
		},
	}
	out := &Cells{}
	out.ClassDocs = make([]float64, c.Classes)
	testkit.OK(rows.Count(t.Context(), threads, out))
	return out
}

// naive counts the collection one term and class after the other.
func (c *collection) naive() *Cells {
	out := &Cells{}
	out.ClassTokens = make([]float64, c.Classes)
	for term := range uint32(c.width) {
		docs, sums, squares, df, cf := make([]float64, c.Classes), make([]float64, c.Classes), make([]float64, c.Classes), 0.0, 0.0
		for d, own := range c.terms {
			i := slices.Index(own, term)
			if i < 0 {
				continue
			}
			v := float64(c.counts[d][i])
			df, cf = df+1, cf+v
			for _, class := range c.Of[c.Start[d]:c.Start[d+1]] {
				docs[class], sums[class], squares[class] = docs[class]+1, sums[class]+v, squares[class]+v*v
				out.ClassTokens[class] += v
			}
		}
		out.Tokens += cf
		for class := range docs {
			if docs[class] > 0 {
				out.Append(uint32(class), docs[class], sums[class], squares[class])
			}
		}
		if df > 0 {
			out.EndTerm(df, cf)
		}
	}
	return out
}

// Documents of one class at most and of several, cut into groups in any way, give the cells that
// counting one by one gives.
func TestRowsOnThreads(t *testing.T) {
	for seed := range uint64(40) {
		c := randomCollection(rand.New(rand.NewPCG(seed, 1)), seed%2 == 0)
		want := c.naive()
		for _, threads := range []int{1, 3, 20} {
			requireSame(t, c.counted(t, threads), want)
		}
	}
}

func requireSame(t *testing.T, got, want *Cells) {
	t.Helper()
	if got.Tokens != want.Tokens || !slices.Equal(got.ClassTokens, want.ClassTokens) || !slices.Equal(got.DF, want.DF) || got.Len() != want.Len() || len(want.DF) > 0 && !slices.Equal(got.Start, want.Start) {
		t.Fatalf("the margins, terms or numbers of cells differ: %v tokens in classes %v for %v in %v", got.Tokens, got.ClassTokens, want.Tokens, want.ClassTokens)
	}
	var x, y Tile
	for term := range want.DF {
		got.Read(&x, term, term+1, true)
		want.Read(&y, term, term+1, true)
		if !slices.Equal(x.Class, y.Class) || !slices.Equal(x.A, y.A) || !slices.Equal(x.S, y.S) || !slices.Equal(x.Q, y.Q) || !slices.Equal(x.CF, y.CF) {
			t.Fatalf("the cells of term %d are %v %v %v, CF %v, for %v %v %v, CF %v", term, x.A, x.S, x.Q, x.CF, y.A, y.S, y.Q, y.CF)
		}
	}
}

// Squares that may not be exact are told of.
func TestExact(t *testing.T) {
	c := &Counter{}
	c.grow(2)
	c.Add([]uint32{0, 1}, []uint32{1 << 26, 3})
	testkit.Equal(t, exact([]*Counter{c, nil}, 2), true, "2^52 is exact")
	c.Add([]uint32{0}, []uint32{1 << 26})
	testkit.Equal(t, exact([]*Counter{nil, c}, 3), false, "2^53 is none of the exact ones")
}
