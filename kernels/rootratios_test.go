package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRootRatios(t *testing.T) {
	forEach(t, func(p implementation) func([]float64, []float64, float64) { return p.rootRatios }, func(t *testing.T, ratios func([]float64, []float64, float64)) {
		r := rand.New(rand.NewPCG(43, 44))
		allSquares, allDst := newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1))
		number := func() float64 {
			if r.IntN(5) == 0 {
				return oddNumbers[r.IntN(len(oddNumbers))]
			}
			return r.Float64()
		}
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				squares, dst := allSquares.take(n, at), allDst.take(n, somePlaces[r.IntN(len(somePlaces))])
				want := make([]float64, n)
				for i := range squares {
					squares[i], dst[i] = number(), number()
					if want[i] = dst[i]; dst[i] > 0 {
						root := math.Sqrt(squares[i])
						root *= 1.7
						want[i] /= root
					}
				}
				ratios(dst, squares, 1.7)
				for i := range dst {
					if !same(dst[i], want[i]) {
						t.Fatalf("%d numbers, place %d: %v, want %v", n, i, dst[i], want[i])
					}
				}
				allSquares.check(t)
				allDst.check(t)
			}
		}
	})
}

func TestRootRatiosOfNone(*testing.T) { RootRatios(nil, nil, 1) }
