package kernels

import (
	"math"
	"math/big"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The series against the definition in higher precision, at and between the
// places where the number of terms changes.
func TestExcessSeries(t *testing.T) {
	exact := func(u float64) float64 { // Σ (-u)^k/(k(k-1)) with many terms of big numbers
		x, power, sum := big.NewFloat(u).SetPrec(200), big.NewFloat(1).SetPrec(200), big.NewFloat(0).SetPrec(200)
		power.Neg(x)
		for k := int64(2); k < 140; k++ {
			power.Mul(power, x).Neg(power)
			term := new(big.Float).SetPrec(200).Quo(power, big.NewFloat(float64(k*(k-1))))
			sum.Sub(sum, term)
		}
		v, _ := sum.Float64()
		return math.Abs(v)
	}
	for _, edge := range []float64{1e-300, 1e-9, 1. / 8192, 1. / 64, 1. / 8, seriesBelow} {
		for _, u := range []float64{edge, -edge, math.Nextafter(edge, 0), math.Nextafter(edge, 1), edge * .7} {
			if u > seriesBelow {
				continue
			}
			got, want := Excess(u), exact(u)
			testkit.Close(t, got, want, 0, 4e-16*want, "excess", u, "=")
		}
	}
	for u, want := range map[float64]float64{-1: 1, 1: 2*math.Ln2 - 1, math.Inf(1): math.Inf(1), 0: 0} {
		if got := Excess(u); got != want && math.Abs(got-want) > 4e-16*want {
			t.Errorf("excess(%v) = %v, want %v", u, got, want)
		}
	}
}

func TestDiffOfProducts(t *testing.T) {
	for _, c := range [][5]float64{{1e15 + 1, 1e15 - 1, 1e15, 1e15, -1}, {3, 4, 5, 6, -18}, {94906267, 94906267, 94906266, 94906268, 1}} {
		testkit.Equal(t, DiffOfProducts(c[0], c[1], c[2], c[3]), c[4], c)
	}
}
