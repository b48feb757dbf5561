package matrix

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// sameStatistics fails the test unless two statistics have the same names, margins and
// cells, to the bit.
func sameStatistics(t *testing.T, what string, got, want *table.Table) {
	t.Helper()
	a, b := got, want
	if !slices.Equal(a.ClassNames, b.ClassNames) || a.Names.Len() != b.Names.Len() {
		t.Fatalf("%s: classes %q, want %q; %d terms, want %d", what, a.ClassNames, b.ClassNames, a.Names.Len(), b.Names.Len())
	}
	for i := range a.Names.Len() {
		testkit.Equal(testkit.Stop(t), a.Names.Term(i), b.Names.Term(i), what, "term", i)
	}
	testkit.Equal(testkit.Stop(t), a.Hash(), b.Hash(), what, "other counts")
	if a.Cells.Form != b.Cells.Form || a.Pruned != b.Pruned || a.Weighting != b.Weighting {
		t.Fatalf("%s: form %v, want %v", what, a.Cells.Form, b.Cells.Form)
	}
}

// checkColumns fails the test unless the columns are those of the terms' names.
func checkColumns(t *testing.T, what string, s *table.Table, name func(column int) string) {
	t.Helper()
	columns := Columns(s)
	testkit.Equal(testkit.Stop(t), len(columns), s.Cells.Terms(), what, "columns of", "terms")
	for i, column := range columns {
		testkit.Equal(testkit.Stop(t), s.Names.Term(i), name(int(column)), what, "term", i, "that of column", column)
	}
}

// Statistics of a matrix are those of an index of the same documents, in all types, by rows
// and columns, in any order, by any number of threads.
func TestStatisticsAreThoseOfAnIndex(t *testing.T) {
	rounds, several := 4, []int{1, 2, 3}
	if testing.Short() {
		rounds, several = 2, []int{3}
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for round := range rounds {
				s := shape.sample(r)
				want := testkit.Must(corpusOf(t, s).Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
				for _, byColumn := range []bool{false, true} {
					var shuffle *rand.Rand
					if round%2 == 1 {
						shuffle = r
					}
					for types, m := range everyType(s, byColumn, shuffle) {
						for _, threads := range several {
							what := types + " by column " + strconv.FormatBool(byColumn) + ", threads " + strconv.Itoa(threads)
							got, err := m.count(t, labelsOf(s), Options{Threads: threads})
							testkit.Is(testkit.Stop(t), err, nil, what)
							sameStatistics(t, what, got, want)
							checkColumns(t, what, got, strconv.Itoa)
						}
					}
				}
			}
		})
	}
}

// Every measure with every combination gives the same values to the bit.
func TestMeasuresAreThoseOfAnIndex(t *testing.T) {
	for name, shape := range shapes {
		if name == "more classes than documents" || name == "terms that nobody has" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := shape.sample(rand.New(rand.NewPCG(3, uint64(len(name)))))
			want := testkit.Must(corpusOf(t, s).Statistics(t.Context(), corpus.CountOptions{}))
			got := testkit.Must(matrixOf[int32, float64](s, false, nil).Statistics(t.Context(), labelsOf(s), Options{Threads: 2}))
			compared := 0
			for _, o := range enginetest.EveryScoring(2) {
				a, err := rank.Terms(t.Context(), got, o)
				b, other := rank.Terms(t.Context(), want, o)
				testkit.Equal(testkit.Stop(t), err == nil, other == nil, o, err, "and from the index", other)
				if err == nil {
					enginetest.SameRanking(t, string(o.Measure), a, b)
					compared++
				}
			}
			if compared < 50 {
				t.Fatalf("only %d rankings were compared", compared)
			}
		})
	}
}

// Sums and shares are those of plain loops, by any number of threads.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := &Matrix[int32, int64]{Documents: 400, Terms: 50, Start: []int32{0}}
	for document := range m.Documents {
		for range r.IntN(40) * (document % 7) {
			m.Index = append(m.Index, int32(r.IntN(m.Terms)))
			m.Values = append(m.Values, int64(r.IntN(5)))
		}
		m.Start = append(m.Start, int32(len(m.Index)))
	}
	ones := &Matrix[int32, int64]{Documents: m.Documents, Terms: m.Terms, Start: m.Start, Index: m.Index}
	weights := make([]float64, m.Terms)
	for i := range weights {
		weights[i] = r.NormFloat64()
	}
	for _, x := range []*Matrix[int32, int64]{m, ones} {
		value := func(i int) float64 {
			if x.Values == nil {
				return 1
			}
			return float64(x.Values[i])
		}
		sums, want := make([]float64, m.Terms), make([]float64, m.Terms)
		sums[3] = 7 // what is there does not count
		for i, at := range x.Index {
			want[at] += value(i)
		}
		if err := x.Sums(context.Background(), sums); err != nil || !slices.Equal(sums, want) {
			t.Fatalf("%v, %v, want %v", sums, err, want)
		}
		for _, root := range []bool{false, true} {
			for _, threads := range []int{1, 3} {
				got := make([]float64, len(x.Index))
				testkit.OK(x.Shares(context.Background(), threads, weights, root, got))
				for line := range x.Documents {
					sum := 0.0
					for i := x.Start[line]; i < x.Start[line+1]; i++ {
						sum += value(int(i))
					}
					for i := x.Start[line]; i < x.Start[line+1]; i++ {
						share := value(int(i)) / max(sum, 1)
						if root {
							share = math.Sqrt(share)
						}
						if want := share * weights[x.Index[i]]; math.Abs(got[i]-want) > 1e-15*math.Abs(want)*4 {
							t.Fatalf("root %v, threads %d: element %d is %v, want %v", root, threads, i, got[i], want)
						}
					}
				}
			}
		}
	}
}

// What is no count is refused by its place, and a call that is wrong by its lengths.
func TestSharesRefuse(t *testing.T) {
	of := func(index int32, value float64) *Matrix[int32, float64] {
		return &Matrix[int32, float64]{Documents: 2, Terms: 3, Start: []int32{0, 1, 2}, Index: []int32{0, index}, Values: []float64{1, value}}
	}
	columns, falling := of(1, 1), of(1, 1)
	columns.ByColumn, falling.Start = true, []int32{0, 2, 1}
	for _, c := range []struct {
		text    string
		m       *Matrix[int32, float64]
		columns int
		kind    error
	}{
		{"element 1, document 1 and term 3", of(3, 1), 3, usage.ErrData},
		{"element 1, document 1 and term -1", of(-1, 1), 3, usage.ErrData},
		{"the value -1", of(1, -1), 3, usage.ErrData},
		{"the value NaN", of(1, math.NaN()), 3, usage.ErrData},
		{"the value +Inf", of(1, math.Inf(1)), 3, usage.ErrData},
		{"Start[2] is 1, below 2", falling, 3, usage.ErrData},
		{"it is by columns", columns, 3, usage.ErrUsage},
		{"2 values for 3 terms", of(1, 1), 2, usage.ErrUsage},
		{"a nil matrix", nil, 3, usage.ErrUsage},
	} {
		sums := make([]float64, c.columns)
		for i, err := range []error{c.m.Sums(context.Background(), sums), c.m.Shares(context.Background(), 2, sums, false, make([]float64, 2))} {
			testkit.Refused(t, err, c.kind, c.text, i)
		}
	}
	testkit.Is(t, of(1, 1).Shares(context.Background(), 1, make([]float64, 3), false, make([]float64, 1)),
		usage.ErrUsage, "room for one value")
	whole := &Matrix[int64, int64]{Documents: 1, Terms: 2, Start: []int64{0, 2}, Index: []int64{0, 1}, Values: []int64{3 << 60, 1 << 60}}
	shares := make([]float64, 2)
	if err := whole.Shares(context.Background(), 1, []float64{1, 2}, false, shares); err != nil || shares[0] != 0.75 || shares[1] != 0.5 {
		t.Errorf("values near 2^63: %v, %v", shares, err)
	}
	whole.Values[1] = -1
	for _, err := range []error{whole.Sums(context.Background(), shares), whole.Shares(context.Background(), 1, shares, false, shares)} {
		testkit.Refused(t, err, usage.ErrData, "document 0 and term 1: bad data: the value -1",
			"a whole number below 0")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	testkit.Is(t, of(1, 1).Sums(ended, make([]float64, 3)), context.Canceled, "after the end")
}
