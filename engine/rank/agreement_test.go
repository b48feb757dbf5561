package rank_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A goldenStability is the part of the golden file on stable terms.
type goldenStability struct {
	Halves   [][]int `json:"half_samples"`
	K        int
	Selected [][2][]string `json:"selected_in_half_and_complement"`
	Bounds   []struct {
		P, Q, Threshold, B, PFER float64
		Unimodal                 *float64 `json:"pfer_ss_unimodal"`
		ThresholdFor             float64  `json:"threshold_for_pfer_1"`
		QFor                     int      `json:"q_for_pfer_1"`
	}
}

// loadGoldenStability loads the golden part, and the corpus that it is about.
func loadGoldenStability() (goldenStability, naive.Corpus) {
	var file struct {
		Stability goldenStability
		Corpus    struct {
			Terms  []string
			Counts [][]float64
			Class  []string
		} `json:"corpus_b"`
	}
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_methods.json"), &file)
	c := naive.Corpus{Terms: file.Corpus.Terms, Classes: slices.Compact(slices.Sorted(slices.Values(file.Corpus.Class)))}
	for d, row := range file.Corpus.Counts {
		doc := naive.Doc{Counts: map[int]float64{}, Labels: []int{slices.Index(c.Classes, file.Corpus.Class[d])}}
		for term, tf := range row {
			if tf > 0 {
				doc.Counts[term] = tf
			}
		}
		c.Docs = append(c.Docs, doc)
	}
	return file.Stability, c
}

// Each half has the terms of the golden file, and in its order but where rounding parts two values that
// are equal: chi of r1 and r3 is 20/7 in one of them.
func TestGoldenHalves(t *testing.T) {
	g, c := loadGoldenStability()
	corpus := enginetest.CorpusOf(t, c)
	_, number := placesOf(corpus)
	var weights [][]uint32
	for _, half := range g.Halves {
		first, second := make([]uint32, len(number)), make([]uint32, len(number))
		for d, n := range number {
			if slices.Contains(half, d) {
				first[n] = 1
			} else {
				second[n] = 1
			}
		}
		weights = append(weights, first, second)
	}
	for _, threads := range []int{1, 3} {
		o := rank.StabilityOptions{By: rank.Options{Measure: "chi", Combine: "max", Threads: threads}, K: g.K}
		for i, got := range testkit.Must(rank.SelectWeighted(t.Context(), corpus, o, weights)) {
			want := g.Selected[i/2][i%2]
			if i == 16 && slices.Equal(got, []string{want[0], want[2], want[1]}) {
				continue
			}
			testkit.EqualSlices(t, got, want, "half", i%2, "of draw", i/2)
		}
	}
}

func TestGoldenBounds(t *testing.T) {
	g, _ := loadGoldenStability()
	for _, b := range g.Bounds {
		unimodal := math.NaN()
		if b.Unimodal != nil {
			unimodal = *b.Unimodal
		}
		compareIndex(t, "bound", rank.FalseTerms(b.Q, b.Threshold, b.P), b.PFER, 1e-12*b.PFER)
		compareIndex(t, "unimodal bound", rank.Unimodal(b.Q, b.Threshold, b.P, b.B), unimodal, 1e-12*b.PFER)
		compareIndex(t, "threshold", rank.LeastThreshold(1, b.Q, b.P), b.ThresholdFor, 1e-12)
		testkit.Equal(t, rank.MostSelected(1, b.Threshold, b.P), b.QFor, "q of", b)
	}
}

// The bounds against the reference, and what completes what: a threshold or a k that was computed
// keeps the bound, and the next k does not.
func TestBoundsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 5))
	for range 2000 {
		p := float64(1 + r.IntN(5000))
		q := float64(1 + r.IntN(int(p)))
		threshold, pairs := float64(51+r.IntN(50))/100, float64(1+r.IntN(200))
		pfer := math.Exp(6*r.Float64() - 3)
		compareIndex(t, "bound", rank.FalseTerms(q, threshold, p), naive.FalseTerms(q, threshold, p), 1e-9*q)
		compareIndex(t, "unimodal bound", rank.Unimodal(q, threshold, p, pairs), naive.UnimodalBound(q, threshold, p, pairs), 1e-9*q*pairs)
		least := rank.LeastThreshold(pfer, q, p)
		compareIndex(t, "threshold", least, naive.ThresholdFor(pfer, q, p), 1e-12)
		if kept := rank.FalseTerms(q, least, p) <= pfer*(1+1e-9); kept != (q*q/p <= pfer*(1+1e-12)) || least <= .5 {
			t.Errorf("threshold %v for %v, q = %v, p = %v", least, pfer, q, p)
		}
		testkit.Equal(t, rank.MostSelected(pfer, threshold, p), naive.SelectedFor(pfer, threshold, p), "q", "for",
			pfer, threshold, "p =", p)
	}
	// A tiny number of terms leaves a threshold above 1/2, and decimals are those that were meant.
	if least := rank.LeastThreshold(1e9, 1, 1e9); !(least > .5) {
		t.Errorf("threshold %v", least)
	}
	testkit.Equal(t, rank.MostSelected(1, .7, 1000), 20, "q")
}

// Halves have half of the documents, rounded down; the second of a pair has none of the first.
func TestHalves(t *testing.T) {
	for _, n := range []int{2, 3, 24, 101} {
		o := rank.StabilityOptions{K: 1, Samples: 3, Threshold: .9, Seed: 5}
		both := o
		both.Complementary = true
		for i := range o.Samples {
			half := o.Weights(i, n)
			first, second := both.Weights(2*i, n), both.Weights(2*i+1, n)
			if !slices.Equal(half, first) || i > 0 && n > 24 && slices.Equal(half, o.Weights(0, n)) {
				t.Errorf("half %d of %d: %v and %v", i, n, half, first)
			}
			ones, twos := 0, 0
			for d := range n {
				ones, twos = ones+int(first[d]), twos+int(second[d])
				if first[d]+second[d] > 1 {
					t.Errorf("document %d of %d is in both halves", d, n)
				}
			}
			testkit.Equal(t, ones, n/2, "and", n, "documents")
			testkit.Equal(t, twos, n/2, "and", n, "documents")
		}
	}
}

// Each half selects terms of the values that the reference selects, and the stable terms are those
// that are in enough of these lists.
func TestStableTermsAgainstNaive(t *testing.T) {
	found := 0
	enginetest.Rounds{All: 40, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		if corpus.Documents() < 2 {
			return
		}
		o := rank.StabilityOptions{
			By: rank.Options{Measure: "chi"}, K: 1 + r.IntN(4), Samples: 2 + r.IntN(6), Seed: r.Uint64(),
			Threshold: []float64{.51, .6, .75, 1}[r.IntN(4)], Complementary: r.IntN(2) == 0,
		}
		got := testkit.Must(rank.MeasureStability(t.Context(), corpus, o))
		times := map[string]int{}
		for i, list := range testkit.Must(rank.SelectInSamples(t.Context(), corpus, o)) {
			compareSelections(t, c, inputTimes(t, corpus, o.Weights(i, corpus.Documents())), o.K, list)
			for _, term := range list {
				times[term]++
			}
		}
		stable := 0
		for _, count := range times {
			if float64(count)/float64(got.Samples) >= o.Threshold {
				stable++
			}
		}
		if got.Bound.Stable != stable || got.Bound.PFER != rank.FalseTerms(float64(o.K), o.Threshold, float64(len(c.Terms))) {
			t.Errorf("%+v: %+v, want %d of %v", o, got.Bound, stable, times)
		}
		for i, term := range got.Selected {
			testkit.Equal(t, term.Count, times[term.Term], o, term, "is selected")
			testkit.Equal(t, i < stable, term.Share >= o.Threshold, o, term, "is selected")
		}
		if stable > 0 {
			found++
			s := testkit.Must(selection.Select(t.Context(), corpus, selection.Options{By: o.By, Keep: selection.Stable(got)}))
			if len(s.Features) != stable || !strings.HasPrefix(s.Stages[0].Criterion, "stability ") {
				t.Errorf("%d features of %d stable terms, %+v", len(s.Features), stable, s.Stages)
			}
		}
	})
	if found == 0 {
		t.Error("no corpus had stable terms")
	}
}

// compareSelections compares the terms that a half selects with those of the reference, by their values
// there: terms of equal values may be others.
func compareSelections(t *testing.T, c naive.Corpus, times []int, k int, got []string) {
	t.Helper()
	var places []int
	for d, n := range times {
		if n > 0 {
			places = append(places, d)
		}
	}
	values := naive.Tabulate(naive.Resample(c, times)).Global("chi", "max", naive.Options{})
	value := func(term string) float64 { return values[slices.Index(c.Terms, term)] }
	want := naive.StableSelection(c, "chi", k, places)
	testkit.Equal(testkit.Stop(t), len(got), len(want))
	for i := range got {
		testkit.Close(t, value(got[i]), value(want[i]), 1e-12, 1e-14, got, "want", want)
	}
}

// A planted term is stable, noise is not, whatever the threads; k or the threshold follows.
func TestStablePlantedTerm(t *testing.T) {
	c := planted(t, 400, 60)
	var want *rank.Stability
	for _, threads := range []int{1, 2, 5} {
		o := rank.StabilityOptions{By: rank.Options{Threads: threads}, PFER: .5, Threshold: .9, Samples: 100}
		s := testkit.Must(rank.MeasureStability(t.Context(), c, o))
		if s.K != rank.MostSelected(.5, .9, float64(c.Terms())) || s.Bound.Stable != 1 || s.Selected[0].Term != "perfect" || s.Bound.PFER > .5 || len(s.Warnings) > 0 || !math.IsNaN(s.Bound.Unimodal) {
			t.Errorf("%+v, %+v", s.Bound, s)
		}
		s.Bound.Unimodal = 0
		if want == nil {
			want = s
		}
		testkit.Same(t, s, want, threads, "threads")
	}
	s := testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{K: 2, PFER: .5, Samples: 50, Complementary: true}))
	if s.Bound.Threshold != rank.LeastThreshold(.5, 2, float64(c.Terms())) || math.Abs(s.Bound.PFER-.5) > 1e-12 || s.Samples != 100 ||
		math.IsNaN(s.Bound.Unimodal) || s.Bound.Unimodal > .5 || len(s.Warnings) > 0 {
		t.Errorf("%+v, %+v", s.Bound, s)
	}
}

// The bound warns where it promises less than was asked for, or nothing.
func TestBoundWarns(t *testing.T) {
	c := planted(t, 40, 20)
	for warning, o := range map[string]rank.StabilityOptions{
		"100 halves or more, and there are 9": {K: 1, Threshold: .9, Samples: 9},
		"the largest, 1, the bound is":        {K: 15, PFER: .01, Samples: 100},
		"promises nothing of":                 {K: 15, Threshold: .51, Samples: 100},
	} {
		s := testkit.Must(rank.MeasureStability(t.Context(), c, o))
		testkit.Contains(t, strings.Join(s.Warnings, "\n"), warning, s.Warnings)
	}
}

func TestBoundRefuses(t *testing.T) {
	c := enginetest.Build(t, "a:one", "b:two", "b:three")
	for text, o := range map[string]rank.StabilityOptions{
		"above 0.5 and at most 1, not 0.5":      {K: 1, Samples: 9, Threshold: .5},
		"above 0.5 and at most 1, not 1.1":      {K: 1, Samples: 9, Threshold: 1.1},
		"above 0.5 and at most 1, not NaN":      {K: 1, Samples: 9, Threshold: math.NaN()},
		"must be a number above 0, not -1":      {K: 1, Samples: 9, PFER: -1},
		"must be a number above 0, not +Inf":    {K: 1, Samples: 9, PFER: math.Inf(1)},
		"must be a number above 0, not NaN":     {K: 1, Samples: 9, PFER: math.NaN()},
		"give the third":                        {K: 1, Samples: 9, PFER: 1, Threshold: .9},
		"needs k, the terms that each":          {Samples: 9, PFER: 1},
		"a threshold needs k":                   {Samples: 9, Threshold: .9},
		"not of folds":                          {K: 1, Folds: 2, PFER: 1},
		"or another share":                      {K: 1, Samples: 9, Share: .5, PFER: 1},
		"complementary halves are for":          {K: 1, Samples: 9, Complementary: true},
		"of 3 terms no k keeps":                 {Samples: 9, PFER: .01, Threshold: .9},
		"there can be 100000 samples or folds ": {K: 1, Samples: 50_001, Complementary: true, PFER: 1},
		"k must be positive, not 0":             {Samples: 9},
	} {
		if s, err := rank.MeasureStability(t.Context(), c, o); !errors.Is(err, usage.ErrUsage) || s != nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	single := enginetest.Build(t, "a:one")
	if _, err := rank.MeasureStability(t.Context(), single, rank.StabilityOptions{K: 1, Samples: 9, PFER: 1}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("half of a document: %v", err)
	}
}
