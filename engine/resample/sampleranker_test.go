package resample_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
	"github.com/termsift/termsift/engine/usage"
)

// divided returns a corpus of random documents in strata, some of several classes.
func divided(t *testing.T) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 39))
	var docs []document.Document
	for i := range 150 {
		d := document.Document{ID: fmt.Sprint(i), Stratum: fmt.Sprint("h", r.IntN(4)), Labels: []string{fmt.Sprint("c", r.IntN(3))}, Features: []document.Feature{}}
		if r.IntN(4) == 0 {
			d.Labels = append(d.Labels, "also")
		}
		for term := range 40 {
			if r.IntN(term+2) == 0 {
				d.Features = append(d.Features, document.Feature{Term: fmt.Sprint("t", term), Value: float64(1 + r.IntN(3))})
			}
		}
		docs = append(docs, d)
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{Control: "price"}))
}

// Terms are selected in samples of a corpus with strata as in the corpora of these samples, by
// measures of strata and by others.
func TestStabilityOfStrata(t *testing.T) {
	c := divided(t)
	for _, o := range []resample.StabilityOptions{
		{By: rank.Options{Measure: rank.MH}, Folds: 3},
		{By: rank.Options{Measure: rank.ORMH}, Samples: 4, Share: .5},
		{By: rank.Options{Measure: rank.Chi}, Folds: 3},
		{By: rank.Options{Measure: rank.TTest}, Samples: 4, Share: .5},
		{By: rank.Options{Measure: rank.OCFS, Weight: "binary"}, Folds: 2},
	} {
		o.K, o.Seed = 7, 5
		want, samples := map[string]int{}, max(o.Folds, o.Samples)
		for i := range samples {
			within := roaring.New()
			for d, n := range o.Weights(i, c.Documents()) {
				if n > 0 {
					within.Add(uint32(d))
				}
			}
			s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Within: within}))
			for _, e := range testkit.Must(rank.Terms(t.Context(), s, o.By)).Top(o.K) {
				want[e.Term]++
			}
		}
		for _, threads := range []int{1, 3} {
			o.By.Threads = threads
			got := testkit.Must(resample.MeasureStability(t.Context(), c, o))
			n := 0
			for _, s := range got.Selected {
				if n += s.Count; s.Count != want[s.Term] {
					t.Errorf("%s, %d threads: %s is selected in %d samples, want %d", o.By.Measure, threads, s.Term, s.Count, want[s.Term])
				}
			}
			if n != o.K*samples {
				t.Errorf("%s: %d terms are selected", o.By.Measure, n)
			}
		}
	}
}

// Labels that are permuted would leave their strata.
func TestPermutedStrata(t *testing.T) {
	c := divided(t)
	for _, m := range []rank.Measure{rank.MH, rank.Chi} {
		_, err := resample.Permute(t.Context(), c, resample.PermuteOptions{By: rank.Options{Measure: m}, B: 10})
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "not of those that have the same value of a control") {
			t.Errorf("%s: %v", m, err)
		}
	}
}
