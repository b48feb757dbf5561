package enginetest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// Values returns the values of a scoring by term.
func Values(t testing.TB, s *table.Table, o rank.Options) map[string]float64 {
	t.Helper()
	r := testkit.Must(rank.Terms(t.Context(), s, o))
	values := map[string]float64{}
	for e := range r.All() {
		values[e.Term] = e.Value
	}
	return values
}

// ClassValues returns the class values of a scoring by term and class.
func ClassValues(t testing.TB, s *table.Table, o rank.Options) map[[2]string]rank.Entry {
	t.Helper()
	values := map[[2]string]rank.Entry{}
	for e, err := range rank.Cells(t.Context(), s, o) {
		testkit.OK(err)
		values[[2]string{e.Term, e.Class}] = e
	}
	return values
}

// LoadGolden loads the golden file: the toy corpus without labels, and its labels and
// expected values with one label a document ("single") and with several ("multi").
func LoadGolden(t *testing.T) (c naive.Corpus, parts map[string]GoldenPart) {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_small.json")))
	var file struct {
		Terms, Categories []string
		Counts            [][]float64
		Single            GoldenPart `json:"single_label"`
		Multi             GoldenPart `json:"multi_label"`
	}
	testkit.OK(json.Unmarshal(data, &file))
	c = naive.Corpus{Terms: file.Terms, Classes: file.Categories}
	for _, row := range file.Counts {
		counts := map[int]float64{}
		for t, tf := range row {
			if tf > 0 {
				counts[t] = tf
			}
		}
		c.Docs = append(c.Docs, naive.Doc{Counts: counts})
	}
	return c, map[string]GoldenPart{"single": file.Single, "multi": file.Multi}
}

// CompareCorpusWithNaive compares the values of all measures with the reference's.
func CompareCorpusWithNaive(t *testing.T, corpus *corpus.Corpus, c naive.Corpus) {
	t.Helper()
	tb := naive.Tabulate(c)
	s := StatisticsOf(t, corpus, "")
	for _, measure := range append(naive.Measures(), naive.NewMeasures()...) {
		if naive.GlobalOnly(measure) {
			continue
		}
		want, byCell := tb.Class(measure, naive.Options{}), ClassValues(t, s, rank.Options{Measure: rank.Measure(measure)})
		scale := make([]float64, len(c.Terms)) // sum of the absolute class values
		for i, term := range c.Terms {
			for k, class := range c.Classes {
				CompareValue(t, byCell[[2]string{term, class}].Value, want[i][k], 0, measure, term, class)
				if !math.IsInf(want[i][k], 0) {
					scale[i] += math.Abs(want[i][k])
				}
			}
		}
		for _, how := range []string{"", "max", "avg", "sum", "mean"} {
			got, want := Values(t, s, rank.Options{Measure: rank.Measure(measure), Combine: rank.Combination(how)}), tb.Global(measure, how, naive.Options{})
			for i, term := range c.Terms {
				CompareValue(t, got[term], want[i], scale[i], measure, how, term)
			}
		}
	}
	global := func(s *table.Table, o rank.Options, want []float64) {
		got := Values(t, s, o)
		for i, term := range c.Terms {
			CompareValue(t, got[term], want[i], 0, o.Measure, o.Weight, term)
		}
	}
	for _, measure := range []string{"anova", "gini", "dfs"} {
		global(s, rank.Options{Measure: rank.Measure(measure)}, tb.Global(measure, "", naive.Options{}))
	}
	for _, weight := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
		global(StatisticsOf(t, corpus, weight), rank.Options{Measure: "ocfs", Weight: table.Weighting(weight)}, tb.OCFS(weight))
	}
}

// CompareValue fails the test unless got is want within a relative 1e-12 or within 1e-12 of
// scale, which is the sum of the absolute class values for combinations.
func CompareValue(t *testing.T, got, want, scale float64, what ...any) {
	t.Helper()
	testkit.Close(t, got, want, 1e-12, math.Max(1e-15, 1e-12*scale), what, "=")
}

// SameRanking fails the test unless two rankings are equal, their values to the bit.
func SameRanking(t *testing.T, what string, got, want *rank.Ranking) {
	t.Helper()
	a, b := slices.Collect(got.All()), slices.Collect(want.All())
	testkit.Equal(testkit.Stop(t), len(a), len(b), what, "terms")
	for i := range a {
		same := math.Float64bits(a[i].Value) == math.Float64bits(b[i].Value)
		a[i].Value, b[i].Value = 0, 0
		if !same || a[i] != b[i] {
			t.Fatalf("%s: %+v differs from %+v", what, got.Top(len(a))[:3], want.Top(len(b))[:3])
		}
	}
}

// EveryScoring returns every measure with every combination, with p-values where it has
// them, and ocfs with every weighting.
func EveryScoring(threads int) (all []rank.Options) {
	for _, m := range rank.KnownMeasures() {
		for _, combine := range append(rank.Combinations(), "") {
			if combine != "class" && (combine == "" || m.Combinable) {
				all = append(all, rank.Options{Measure: rank.Measure(m.Name), Combine: rank.Combination(combine), Threads: threads})
			}
		}
	}
	all = append(all, rank.Options{Measure: "chi", Yates: true, Threads: threads}, rank.Options{Measure: "chi", Yates: true, PValues: true, Exact: true, Threads: threads})
	for _, combine := range []rank.Combination{rank.Max, rank.Avg, rank.Sum} {
		all = append(all,
			rank.Options{Measure: rank.CTFIDF, Combine: combine, BM25: true, Threads: threads},
			rank.Options{Measure: rank.CTFIDF, Combine: combine, ReduceFrequent: true, Threads: threads},
		)
	}
	for _, by := range rank.WithPValues() {
		if by != "ig" { // some documents have several labels
			all = append(all, rank.Options{Measure: rank.Measure(by), PValues: true, Threads: threads})
		}
	}
	for _, weight := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
		all = append(all, rank.Options{Measure: "ocfs", Weight: table.Weighting(weight), Threads: threads})
	}
	return all
}
