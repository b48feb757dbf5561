package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Lanes are added in the shape that folding a vector in halves has.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for n := range 40 {
		var sums Lanes
		var own [lanes]float64
		for i := range n {
			v := r.NormFloat64()
			sums.Add(i, v)
			own[i%lanes] += v
		}
		for half := lanes / 2; half > 0; half /= 2 {
			for l := range half {
				own[l] += own[l+half]
			}
		}
		testkit.Equal(t, sums.Sum(), own[0], n)
	}
}
