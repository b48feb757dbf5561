package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A ratioer is a form of SumRatios.
type ratioer = func(dst []float64, sums [][2]float64, met []uint64, all uint64, high, low, least, divisor, factor float64) bool

func TestSumRatios(t *testing.T) {
	forEach(t, func(p implementation) ratioer { return p.sumRatios }, func(t *testing.T, ratios ratioer) {
		r := rand.New(rand.NewPCG(45, 46))
		allSums, allMet, allDst := newGround(t, most, [2]float64{9, 9}), newGround[uint64](t, most, 5), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				sums, met := allSums.take(n, at), allMet.take(n, somePlaces[r.IntN(len(somePlaces))])
				dst := allDst.take(n, somePlaces[r.IntN(len(somePlaces))])
				for i := range sums {
					sums[i], met[i] = [2]float64{1 + r.Float64(), r.Float64() / 1000}, 77<<40
				}
				wrong := r.IntN(n) // term
				kind := r.IntN(4)
				switch kind {
				case 0:
					sums[wrong] = [2]float64{oddNumbers[r.IntN(len(oddNumbers))], r.Float64()}
				case 1:
					met[wrong] ^= 1 << r.IntN(64)
				case 2:
					sums[wrong] = [2]float64{.5, 0} // the least
				}
				want := kind != 1
				got := ratios(dst, sums, met, 77<<40, .25, 1e-9, .75+1e-9, 3, 1.7)
				for i := range dst {
					v := (sums[i][0] + .25) + (sums[i][1] + 1e-9)
					want = want && v >= .75+1e-9
					quotient := v / 3
					if !same(dst[i], float64(quotient)*1.7) {
						t.Fatalf("%d terms, place %d: %v of %v", n, i, dst[i], sums[i])
					}
				}
				if got != want {
					t.Fatalf("%d terms, kind %d at %d: %v", n, kind, wrong, got)
				}
				allSums.check(t)
				allMet.check(t)
				allDst.check(t)
			}
		}
	})
}

func TestSumRatiosOfNone(t *testing.T) {
	if !SumRatios(nil, nil, nil, 1, 0, 0, 0, 1, 1) {
		t.Fatal("no term is below the least")
	}
}
