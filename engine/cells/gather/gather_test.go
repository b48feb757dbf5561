package gather_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/cells/gather"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A collection is documents of few terms, some of which have large counts.
type collection struct {
	gather.Documents
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

// byClass counts the collection class by class, on threads, in groups of so many documents.
func (c *collection) byClass(t *testing.T, threads, most int) *table.Cells {
	order, ends := c.ByClass(nil)
	groups := gather.Groups(order, ends, most, threads, c.values, func(i int) int64 { return int64(len(c.terms[order[i]])) })
	workers := make([]*gather.Counter, threads)
	err := pool.Run(t.Context(), threads, len(groups), func(worker, i int) error {
		if workers[worker] == nil {
			workers[worker] = gather.NewCounter(c.width)
		}
		w, n := workers[worker], 0
		for _, d := range groups[i].Docs {
			w.AddDocument(c.terms[d], c.counts[d])
			n += len(c.terms[d])
		}
		groups[i].List = w.End(n, func() {
			for _, d := range groups[i].Docs {
				w.MeetAll(c.terms[d])
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !gather.Exact(workers, c.values) {
		t.Fatal("sums of small counts are said to be inexact")
	}
	out := &table.Cells{}
	lists, err := gather.Join(t.Context(), threads, groups, c.Classes+1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := gather.OfLists(t.Context(), threads, lists, c.width, c.Several, out)
	if err != nil {
		t.Fatal(err)
	}
	var all []uint32
	for term, df := range a.DF() {
		if df > 0 {
			all = append(all, uint32(term))
		}
	}
	if err := a.Finish(t.Context(), threads, all); err != nil {
		t.Fatal(err)
	}
	return out
}

// naive counts the collection one term and class after the other.
func (c *collection) naive() *table.Cells {
	out := &table.Cells{}
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
func TestByClass(t *testing.T) {
	for seed := range uint64(40) {
		c := randomCollection(rand.New(rand.NewPCG(seed, 1)), seed%2 == 0)
		want := c.naive()
		for _, threads := range []int{1, 3} {
			for _, most := range []int{1 << 30, 7} {
				requireSame(t, c.byClass(t, threads, most), want)
			}
		}
	}
}

func requireSame(t *testing.T, got, want *table.Cells) {
	t.Helper()
	if got.Tokens != want.Tokens || !slices.Equal(got.ClassTokens, want.ClassTokens) || !slices.Equal(got.DF, want.DF) || got.Len() != want.Len() || len(want.DF) > 0 && !slices.Equal(got.Start, want.Start) {
		t.Fatalf("the margins, terms or numbers of cells differ: %v tokens in classes %v for %v in %v", got.Tokens, got.ClassTokens, want.Tokens, want.ClassTokens)
	}
	var x, y table.Tile
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
	c := gather.NewCounter(2)
	c.AddDocument([]uint32{0, 1}, []uint32{1 << 26, 3})
	if !gather.Exact([]*gather.Counter{c, nil}, 2) {
		t.Error("2^52 is exact")
	}
	c.AddDocument([]uint32{0}, []uint32{1 << 26})
	if gather.Exact([]*gather.Counter{nil, c}, 3) {
		t.Error("2^53 is none of the exact ones")
	}
}

// BenchmarkJoin joins two and sixteen lists of one class.
func BenchmarkJoin(b *testing.B) {
	const places = 1 << 17
	for _, n := range []int{2, 16} {
		groups, r, counted := make([]gather.Group, n), rand.New(rand.NewPCG(1, 2)), 0
		counter := gather.NewCounter(places)
		for i := range groups {
			for at := range uint32(places) {
				if r.IntN(places) > int(at) { // the first are in nearly every list
					counter.AddValue(at, 1+uint64(r.IntN(3)))
					counted++
				}
			}
			groups[i].List = counter.End(places, nil)
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("threads=%d/lists=%d", threads, n), func(b *testing.B) {
				for b.Loop() {
					if lists, err := gather.Join(b.Context(), threads, groups, 1); err != nil || len(lists) != 1 {
						b.Fatal(len(lists), err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(counted), "ns/cell")
			})
		}
	}
}
