package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Top k against a full stable sort, for values with heavy ties, with NaN, both
// zeros and infinities, and for the orders that are worst for what is kept.
func TestTopK(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 5e-324, -5e-324}
	shapes := map[string]func(i int) float64{
		"random":     func(int) float64 { return r.NormFloat64() },
		"near":       func(int) float64 { return 1 + float64(r.IntN(1<<20))*0x1p-52 },
		"ties":       func(int) float64 { return float64(r.IntN(7)) },
		"one value":  func(int) float64 { return 3 },
		"ascending":  func(i int) float64 { return float64(i) },
		"descending": func(i int) float64 { return float64(-i) },
		"odd":        func(int) float64 { return odd[r.IntN(len(odd))] },
		"two scales": func(i int) float64 { return 1e300*float64(i%2) + r.Float64()*1e-9 + 1 },
		"misleading": func(i int) float64 {
			if i%16 == 8 {
				return 2 + float64(i)
			}
			return float64(i % 7)
		},
		"all NaN": func(int) float64 { return math.NaN() },
	}
	for name, value := range shapes {
		for _, n := range []int{0, 1, 2, 700, 5000, 20000, 80_000} {
			values := make([]float64, n)
			for i := range values {
				values[i] = value(i)
			}
			want := make([]int, n)
			for i := range want {
				want[i] = i
			}
			slices.SortStableFunc(want, func(i, j int) int {
				a, b := values[i], values[j]
				switch {
				case a > b || math.IsNaN(b) && !math.IsNaN(a):
					return -1
				case a < b || math.IsNaN(a) && !math.IsNaN(b):
					return 1
				}
				return 0
			})
			for _, k := range []int{1, 10, 600, 4000, n} {
				if k = min(k, n); !slices.Equal(TopK(values, k), want[:k]) {
					t.Fatalf("%s: n = %d, k = %d differ", name, n, k)
				}
			}
		}
	}
}
