package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

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
	if n := AtLeast(nil, nil, 0); n != 0 {
		t.Fatal(n)
	}
}
