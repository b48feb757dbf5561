package resample_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
)

// Permutations and samples of a formula are those of the registered measure that it writes.
func TestFormulas(t *testing.T) {
	chi := rank.Measure("mine=N*(A*D-B*C)^2/((A+B)*(C+D)*(A+C)*(B+D))")
	tokens := rank.Measure("mine=T*(S*(T-cf-T_c+S)-(cf-S)*(T_c-S))^2/(cf*(T-cf)*T_c*(T-T_c))")
	for seed := range 6 {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(uint64(seed), 43)), naive.Shapes[1]))
		for formula, measure := range map[rank.Measure]rank.Measure{chi: rank.Chi, tokens: rank.ChiTF} {
			for _, class := range []string{"", c.Classes()[0]} {
				got := testkit.Must(resample.Permute(t.Context(), c, resample.PermuteOptions{By: rank.Options{Measure: formula}, Class: class, B: 40, Seed: 5}))
				want := testkit.Must(resample.Permute(t.Context(), c, resample.PermuteOptions{By: rank.Options{Measure: measure}, Class: class, B: 40, Seed: 5}))
				a, b := slices.Collect(got.All()), slices.Collect(want.All())
				for i := range b {
					if a[i].P != b[i].P || a[i].PMax != b[i].PMax {
						t.Errorf("%s of %s: p %v and %v, want %v and %v", formula, a[i].Term, a[i].P, a[i].PMax, b[i].P, b[i].PMax)
					}
				}
			}
			o := resample.StabilityOptions{K: 3, Samples: 5, Seed: 7}
			o.By.Measure = formula
			got := testkit.Must(resample.MeasureStability(t.Context(), c, o))
			o.By.Measure = measure
			want := testkit.Must(resample.MeasureStability(t.Context(), c, o))
			if got.Measure != "mine" || got.Samples != want.Samples || math.Abs(got.Jaccard-want.Jaccard) > .2 {
				t.Errorf("%s: %+v, want %+v", formula, got, want)
			}
		}
	}
}

// A term whose value is undefined is no evidence, whatever the labels are, and hides no other term.
func TestUndefinedFormulas(t *testing.T) {
	c := enginetest.Build(t, "a: moon orbit moon", "a: orbit launch moon", "b: god faith moon", "b: faith god god launch")
	p := testkit.Must(resample.Permute(t.Context(), c, resample.PermuteOptions{By: rank.Options{Measure: "mine=(A>0)*A/df+ln(3-df)-ln(3-df)"}, B: 30}))
	for e := range p.All() {
		undefined := math.IsNaN(e.Value)
		if undefined != (e.Term == "moon") || undefined && (e.P != 1 || e.PMax != 1) || !(e.P > 0 && e.P <= e.PMax && e.PMax <= 1) {
			t.Errorf("%+v", e)
		}
	}
	for _, most := range p.Largest {
		if math.IsNaN(most) {
			t.Error("the largest value of a permutation is undefined")
		}
	}
}
