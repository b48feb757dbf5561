package rank_test

import (
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

// What rankings that were released have left in their memory is in no other ranking.
func TestRelease(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy zz", "b:yy ww", "c:qq xx xx", "a,b:xx qq", "b:yy vv")
	var options []rank.Options
	for _, m := range rank.KnownMeasures() {
		options = append(options, rank.Options{Measure: rank.Measure(m.Name)}, rank.Options{Measure: rank.Chi})
	}
	var want [][]float64
	for range 3 {
		rankings := testkit.Must(rank.Several(t.Context(), c, options...))
		byClass := testkit.Must(rank.Class(t.Context(), c, "b", rank.Options{Measure: rank.MI}))
		for i, r := range append(rankings, byClass) {
			if len(want) <= i {
				want = append(want, slices.Clone(r.Values()))
			}
			if !slices.Equal(r.Values(), want[i]) {
				t.Errorf("%s: %v, want %v", r.Measure, r.Values(), want[i])
			}
			values := r.Values()
			for j := range values {
				values[j] = math.NaN()
			}
			r.Release()
			if r.Release(); r.Len() != 0 || len(r.Top(3)) != 0 {
				t.Errorf("%s: a released ranking has %d terms", r.Measure, r.Len())
			}
		}
	}
}
