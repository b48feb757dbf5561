package rank_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// The p-values by permutations are near those of the distributions, for few numbers and for as many as
// documents.
func TestPermutedTargets(t *testing.T) {
	const draws = 4000
	for name, of := range map[string]func(*rand.Rand, int) float64{"stars": stars, "all different": different} {
		c := testkit.Must(corpus.Build(t.Context(), document.Of(reviews(300, of)...), corpus.Options{Target: name}))
		for _, m := range rank.TargetMeasures() {
			o := rank.Options{Measure: rank.Measure(m.Name), PValues: true}
			if m.Name == string(rank.Spearman) {
				o.Weight = table.Binary
			}
			want := testkit.Must(rank.Terms(t.Context(), c, o))
			o.PValues = false
			got := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: o, B: draws, Seed: 7}))
			compared := 0
			for e := range got.All() {
				term, _ := want.Statistics().Names.Lookup(e.Term)
				p := math.Exp(want.LnP(term))
				if sigma := math.Sqrt(p * (1 - p) / draws); math.Abs(e.P-p) > 5*sigma+.01 {
					t.Errorf("%s: p of %s of %s is %v by permutations, %v by its distribution", name, m.Name, e.Term, e.P, p)
				}
				compared++
			}
			testkit.Equal(t, compared, 12, name)
		}
		_, err := rank.Permute(t.Context(), c, rank.PermuteOptions{By: rank.Options{Measure: rank.Spearman}, B: 9})
		testkit.Says(t, err, "--weight binary", "permutations of spearman of values")
		_, err = rank.MeasureStability(t.Context(), c, rank.StabilityOptions{By: rank.Options{Measure: rank.Spearman}, K: 2, Folds: 2})
		testkit.Says(t, err, "--weight binary", "samples of spearman of values")
	}
}
