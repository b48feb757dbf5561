package postings

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// randomSource is a corpus with long and short lists, escapes, several labels
// and unlabelled documents.
func randomSource(seed uint64, docs int, multi, real bool) Source {
	r := rand.New(rand.NewPCG(seed, 1))
	s := Source{LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}, Classes: []string{"zebra", "ant", "cow", "bee"}}
	for t := range 300 {
		s.Names = append(s.Names, fmt.Sprintf("%c%d", 'z'-rune(t%26), t))
	}
	for d := range docs {
		s.IDs = append(s.IDs, fmt.Sprintf("doc%d", d))
		for k := range s.Classes {
			if d < 4 && k == d || d >= 4 && multi && r.IntN(4) == 0 || d >= 4 && !multi && d%5 == k {
				s.Labels = append(s.Labels, uint32(k))
			}
		}
		s.LabelStart = append(s.LabelStart, uint32(len(s.Labels)))
		for t := range s.Names {
			if r.IntN(t+1) < 2 {
				s.Terms = append(s.Terms, uint32(t))
				value := 1 + r.IntN(3)
				if r.IntN(50) == 0 {
					value = 250 + r.IntN(100000)
				}
				if real {
					s.Values = append(s.Values, float64(value)+r.Float64())
				} else {
					s.Counts = append(s.Counts, uint32(value))
				}
			}
		}
		s.DocStart = append(s.DocStart, uint64(len(s.Terms)))
	}
	return s
}

func build(s Source) *Index { return testkit.Must(Build(context.Background(), s, BuildOptions{})) }

// encoded returns all columns of an index. Two indexes that have the same have the same file.
func encoded(x *Index) []byte {
	m := &x.Memory
	ids := testkit.Must(x.DocumentIDs())
	return fmt.Appendf(nil, "%q %s %v %q %v %q %v %v %v %v %v %v %v %v %v", m.Classes, m.Meta, m.Pruned, m.Terms.Text(), m.Terms.Offsets(),
		ids.Text(), ids.Offsets(), m.Input, m.LabelStart, m.LabelOf, m.DocFreq, m.DenseAt, m.Dense, m.Flat, m.Values)
}

func countOf(t testing.TB, x *Index, opt CountOptions) *table.Table {
	return testkit.Must(x.Count(t.Context(), opt))
}

func sameStatistics(t *testing.T, got, want *table.Table) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), got.Names.Len(), want.Names.Len(), "terms")
	for i := range want.Names.Len() {
		testkit.Equal(testkit.Stop(t), got.Names.Term(i), want.Names.Term(i), "term", i)
	}
	testkit.Equal(testkit.Stop(t), got.Hash(), want.Hash(), "other counts")
}

// Folds: the statistics of a part and of the rest are those of the whole, by
// addition and by subtraction.
func TestStatisticsAddUp(t *testing.T) {
	for _, multi := range []bool{false, true} {
		x := build(randomSource(5, 150, multi, false))
		r := rand.New(rand.NewPCG(9, 9))
		part, rest := roaring.New(), roaring.New()
		for d := range x.Documents() {
			if r.IntN(3) == 0 {
				part.Add(uint32(d))
			} else {
				rest.Add(uint32(d))
			}
		}
		whole := countOf(t, x, CountOptions{})
		a, b := countOf(t, x, CountOptions{Within: part}), countOf(t, x, CountOptions{Within: rest})
		sum := testkit.Must(table.AddCounts(a, b))
		sameStatistics(t, sum, whole)
		swapped := testkit.Must(table.AddCounts(b, a))
		sameStatistics(t, swapped, whole)
		difference := testkit.Must(table.SubCounts(whole, a))
		sameStatistics(t, difference, b)
		testkit.Fails(t, testkit.Err(table.SubCounts(a, whole)), "the whole was subtracted from its part")
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	x := build(randomSource(7, 3000, true, true))
	want := countOf(t, x, CountOptions{Weighting: table.LTC, Threads: 1})
	for _, threads := range []int{2, 3, 8} {
		got := countOf(t, x, CountOptions{Weighting: table.LTC, Threads: threads})
		sameStatistics(t, got, want)
		testkit.Same(testkit.Stop(t), got.Cells.W, want.Cells.W, threads, "threads: other weights")
	}
}

func TestWeightsHaveUnitLength(t *testing.T) {
	x := build(randomSource(8, 60, false, false))
	df := make([]float64, x.Terms.Len())
	for term := range df {
		df[term] = float64(x.DF(term))
	}
	for _, w := range []table.Weighting{table.LTC, table.TFIDFUnit} {
		g := testkit.Must(x.newWeigher(t.Context(), w, nil, 60, df))
		length := make([]float64, 60)
		var p List
		for term := range df {
			x.Read(term, &p)
			for i, d := range p.Docs {
				v := g.weight(p.TF[i], table.IDF(60, df[term]), d)
				length[d] += v * v
			}
		}
		for d, l := range length {
			if l != 0 && math.Abs(l-1) > 1e-12 {
				t.Fatalf("%s: document %d has length² %v", w, d, l)
			}
		}
	}
}
