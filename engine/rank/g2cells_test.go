package rank_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// The two cells of Rayson and Garside are those of the naive sum, and 4 is the default.
func TestG2CellsAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 40, Large: 3}.Each(t, func(t *testing.T, _ *rand.Rand, c naive.Corpus) {
		tb, corpus := naive.Tabulate(c), enginetest.CorpusOf(t, c)
		s := enginetest.StatisticsOf(t, corpus, "")
		want, byCell := tb.Class("g2tf", naive.Options{G2Cells: 2}), enginetest.ClassValues(t, s, rank.Options{Measure: "g2tf", G2Cells: 2})
		for i, term := range c.Terms {
			for k, class := range c.Classes {
				enginetest.CompareValue(t, byCell[[2]string{term, class}].Value, want[i][k], 0, "g2tf", term, class)
			}
		}
		for _, how := range []string{"", "max", "avg", "sum", "mean"} {
			o := rank.Options{Measure: "g2tf", Combine: rank.Combination(how), G2Cells: 2}
			r, want := enginetest.RankAll(t, corpus, o), tb.Global("g2tf", how, naive.Options{G2Cells: 2})
			for e := range r.All() {
				i := slices.Index(c.Terms, e.Term)
				enginetest.CompareValue(t, e.Value, want[i], want[i], "g2tf", how, e.Term)
			}
			kept, err := rank.Terms(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			enginetest.SameRanking(t, "g2tf "+how, r, kept)
		}
		four := enginetest.RankAll(t, corpus, rank.Options{Measure: "g2tf", G2Cells: 4})
		enginetest.SameRanking(t, "four cells", four, enginetest.RankAll(t, corpus, rank.Options{Measure: "g2tf"}))
	})
}

// The example of the formulas: 100 and 10 in 10,000 tokens each.
func TestG2CellsOfTheExample(t *testing.T) {
	corpus := enginetest.CorpusOf(t, naive.Corpus{
		Terms: []string{"other", "word"}, Classes: []string{"a", "b"},
		Docs: []naive.Doc{{Labels: []int{0}, Counts: map[int]float64{0: 9900, 1: 100}}, {Labels: []int{1}, Counts: map[int]float64{0: 9990, 1: 10}}},
	})
	for cells, want := range map[int]float64{0: 85.88, 4: 85.88, 2: 85.47} {
		r := enginetest.RankAll(t, corpus, rank.Options{Measure: "g2tf", G2Cells: cells})
		for e := range r.All() {
			if e.Term == "word" && math.Abs(e.Value-want) > .005 {
				t.Errorf("%d cells: %v, want %v", cells, e.Value, want)
			}
		}
	}
	if err := (rank.Options{Measure: "g2tf", G2Cells: 3}).Validate(); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("3 cells: %v", err)
	}
	s, err := selection.Select(t.Context(), corpus, selection.Options{By: rank.Options{Measure: "g2tf", G2Cells: 2}, Keep: selection.Best(1)})
	if err != nil || s.Stages[0].G2Cells != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
