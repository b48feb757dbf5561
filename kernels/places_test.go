package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestOccupied(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for n := range 300 {
		counts, dst := make([]uint32, n), make([]uint32, n)
		rarely := 1 + r.IntN(5)*r.IntN(5)
		var want []uint32
		for i := range counts {
			if r.IntN(rarely) == 0 {
				counts[i] = 1 + r.Uint32()>>r.IntN(32)/2
				want = append(want, uint32(i))
			}
		}
		if found := Occupied(dst, counts); found != len(want) || !slices.Equal(dst[:found], want) {
			t.Fatalf("%d counts: %v, want %v", n, dst[:min(found, n)], want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	type function = func([]uint32, []float64, float64) int
	forEach(t, func(p implementation) function { return p.atLeast }, func(t *testing.T, atLeast function) {
		r := rand.New(rand.NewPCG(23, 24))
		allValues, places := newGround(t, most, math.Inf(1)), newGround[uint32](t, most, 0xFFFFFFFF)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, dst := allValues.take(n, at), places.take(n, somePlaces[r.IntN(len(somePlaces))])
				kind := r.IntN(3)
				for i := range values {
					values[i] = r.NormFloat64()
					if kind == 1 && r.IntN(3) == 0 || kind == 2 && r.IntN(1+n) == 0 {
						values[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
				}
				for _, threshold := range append(oddNumbers, values[r.IntN(n)], 3) {
					var want []uint32
					for i, v := range values {
						if v >= threshold {
							want = append(want, uint32(i))
						}
					}
					found := atLeast(dst, values, threshold)
					if found != len(want) || !slices.Equal(dst[:found], want) {
						t.Fatalf("%v >= %v: %v, want %v", values, threshold, dst[:min(found, n)], want)
					}
					places.check(t)
					allValues.check(t)
				}
			}
		}
	})
}

func TestAtLeastOfNone(t *testing.T) {
	testkit.Equal(testkit.Stop(t), AtLeast(nil, nil, 0), 0)
}
