package matrix

import (
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
		if a.Names.Term(i) != b.Names.Term(i) {
			t.Fatalf("%s: term %d is %q, want %q", what, i, a.Names.Term(i), b.Names.Term(i))
		}
	}
	if a.Cells.Documents != b.Cells.Documents || a.Cells.Labelled != b.Cells.Labelled || math.Float64bits(a.Cells.Tokens) != math.Float64bits(b.Cells.Tokens) ||
		!slices.Equal(a.Cells.ClassDocs, b.Cells.ClassDocs) || !slices.Equal(a.Cells.ClassTokens, b.Cells.ClassTokens) {
		t.Fatalf("%s: margins\n%+v, want\n%+v", what, a.Cells.Margins, b.Cells.Margins)
	}
	if term := a.Cells.FirstDifference(&b.Cells); term >= 0 {
		t.Fatalf("%s: the cells of term %d, %q, differ", what, term, a.Names.Term(term))
	}
	if (a.Cells.Centred == nil) != (b.Cells.Centred == nil) || a.Pruned != b.Pruned || a.Weighting != b.Weighting {
		t.Fatalf("%s: centred %v, want %v", what, a.Cells.Centred != nil, b.Cells.Centred != nil)
	}
}

// checkColumns fails the test unless the columns are those of the terms' names.
func checkColumns(t *testing.T, what string, s *table.Table, name func(column int) string) {
	t.Helper()
	columns := Columns(s)
	if len(columns) != s.Cells.Terms() {
		t.Fatalf("%s: columns of %d terms, want %d", what, len(columns), s.Cells.Terms())
	}
	for i, column := range columns {
		if got, want := s.Names.Term(i), name(int(column)); got != want {
			t.Fatalf("%s: term %d is %q, that of column %d is %q", what, i, got, column, want)
		}
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
							if err != nil {
								t.Fatalf("%s: %v", what, err)
							}
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
				if (err == nil) != (other == nil) {
					t.Fatalf("%+v: %v, and from the index: %v", o, err, other)
				}
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
