package rank_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// reviews returns documents with stars. The term good goes with many stars, bad with few, the others with
// none.
func reviews(n int, stars func(r *rand.Rand, i int) float64) (docs []document.Document) {
	r := rand.New(rand.NewPCG(3, 9))
	for i := range n {
		y := stars(r, i)
		d := document.Document{ID: strconv.Itoa(i), Labels: []string{strconv.FormatFloat(y, 'f', -1, 64)}, Features: []document.Feature{}}
		add := func(term string, chance float64) {
			if r.Float64() < chance {
				d.Features = append(d.Features, document.Feature{Term: term, Value: float64(1 + r.IntN(3))})
			}
		}
		add("bad", (5-y)/5)
		add("good", y/5)
		for k := range 10 {
			add(fmt.Sprint("noise", k), .3)
		}
		docs = append(docs, d)
	}
	return docs
}

func stars(r *rand.Rand, _ int) float64     { return float64(1 + r.IntN(5)) }
func different(_ *rand.Rand, i int) float64 { return float64(i%300) / 60 }

// A sample of documents with a target selects what a corpus of these documents does, for few numbers and where all
// are different, though a sample has not all of the numbers.
func TestSamplesOfTargets(t *testing.T) {
	for name, of := range map[string]func(*rand.Rand, int) float64{"stars": stars, "all different": different} {
		docs := reviews(300, of)
		c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{Target: name}))
		for _, m := range rank.TargetMeasures() {
			o := rank.StabilityOptions{By: rank.Options{Measure: rank.Measure(m.Name)}, K: 2, Samples: 6, Share: .3, Seed: 5}
			if m.Name == string(rank.Spearman) {
				o.By.Weight = table.Binary
			}
			lists, err := rank.SelectInSamples(t.Context(), c, o)
			testkit.Is(testkit.Stop(t), err, nil, m.Name)
			for i, got := range lists {
				var sample []document.Document
				for d, times := range inputTimes(t, c, o.Weights(i, c.Documents())) {
					for range times {
						sample = append(sample, docs[d])
					}
				}
				alone := testkit.Must(corpus.Build(t.Context(), document.Of(sample...), corpus.Options{Target: name}))
				var want []string
				for _, e := range testkit.Must(rank.Terms(t.Context(), alone, o.By)).Top(o.K) {
					want = append(want, e.Term)
				}
				testkit.EqualSlices(t, got, want, name, m.Name, "sample", i)
			}
		}
	}
}

// The terms that go with the target are stable and significant, the others are not.
func TestStableTermsOfATarget(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), document.Of(reviews(400, stars)...), corpus.Options{Target: "stars"}))
	for _, m := range []rank.Measure{rank.Pearson, rank.Trend} {
		by := rank.Options{Measure: m}
		s := testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{By: by, K: 2, Folds: 5}))
		for i, term := range s.Selected[:2] {
			if term.Share != 1 || term.Term != "bad" && term.Term != "good" {
				t.Errorf("%s: the stable term %d is %+v", m, i, term)
			}
		}
		tests := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: by, B: 99, Seed: 2}))
		for e := range tests.All() {
			testkit.Equal(t, e.Term == "good" || e.Term == "bad", e.PMax <= .02, m, e.Term, "has p_max", e.PMax)
		}
	}
}
