package vectors

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Elements are put in the order that a stable sort gives, whether their features are there once or several times, and
// one document after another.
func TestFeatureOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, features := range []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 20_000} {
		o := newFeatureOrder(features)
		for document := range 50 {
			var elements []element
			for i, feature := range r.Perm(features)[:r.IntN(min(features, 300)+1)] {
				elements = append(elements, element{uint32(feature), float64(i)})
			}
			if document%3 == 0 {
				for range r.IntN(len(elements) + 1) {
					elements = append(elements, element{elements[r.IntN(len(elements))].index, r.Float64()})
				}
			}
			before := []element{{7, 7}, {3, 3}}
			want := slices.Clone(elements)
			slices.SortStableFunc(want, func(a, b element) int { return int(a.index) - int(b.index) })
			if got := o.appendOrdered(slices.Clone(before), elements); !slices.Equal(got, append(before, want...)) {
				t.Fatalf("%d features, document %d: %v, want %v", features, document, got, want)
			}
		}
	}
}
