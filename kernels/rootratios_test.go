package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRootRatios(t *testing.T) {
	forEach(t, func(p implementation) func([]float64, []float64, []float64, float64) { return p.rootRatios }, func(t *testing.T, ratios func([]float64, []float64, []float64, float64)) {
		r := rand.New(rand.NewPCG(43, 44))
		allX, allSquares, allDst := newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1))
		number := func() float64 {
			if r.IntN(5) == 0 {
				return oddNumbers[r.IntN(len(oddNumbers))]
			}
			return r.Float64()
		}
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				x, squares, dst := allX.take(n, somePlaces[r.IntN(len(somePlaces))]), allSquares.take(n, at), allDst.take(n, somePlaces[r.IntN(len(somePlaces))])
				want := make([]float64, n)
				for i := range squares {
					squares[i], x[i] = number(), number()
					if want[i] = x[i]; x[i] > 0 {
						root := math.Sqrt(squares[i])
						root *= 1.7
						want[i] /= root
					}
				}
				ratios(dst, x, squares, 1.7)
				ratios(x, x, squares, 1.7)
				for i := range dst {
					if !same(dst[i], want[i]) || !same(x[i], want[i]) {
						t.Fatalf("%d numbers, place %d: %v, in place %v, want %v", n, i, dst[i], x[i], want[i])
					}
				}
				allX.check(t)
				allSquares.check(t)
				allDst.check(t)
			}
		}
	})
}

func TestRootRatiosOfNone(*testing.T) { RootRatios(nil, nil, nil, 1) }
