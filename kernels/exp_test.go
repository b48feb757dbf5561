package kernels_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/kernels"
)

// exactExp is the series of exp(x/2^20), squared twenty times, with 200 bits.
func exactExp(x float64) *big.Float {
	with := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	r := with(math.Ldexp(x, -20))
	sum, term := with(1), with(1)
	for i := 1; i < 30; i++ {
		term.Mul(term, r).Quo(term, with(float64(i)))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

func TestExpIsWithinAnUlp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		x := []float64{-708 * random.Float64(), 709 * random.Float64(), random.NormFloat64(), random.NormFloat64() * 1e-6}[i%4]
		got, want := kernels.Exp(x), exactExp(x)
		nearest, _ := want.Float64()
		ulp := math.Nextafter(nearest, math.Inf(1)) - nearest
		difference, _ := new(big.Float).Sub(want, new(big.Float).SetFloat64(got)).Float64()
		if math.Abs(difference) > ulp {
			t.Fatalf("Exp(%v) = %v, not %v", x, got, nearest)
		}
	}
}

func TestExpAtTheEnds(t *testing.T) {
	for _, c := range [][2]float64{
		{0, 1}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), 0}, {709.9, math.Inf(1)}, {-746.5, 0}, {-745, math.SmallestNonzeroFloat64},
	} {
		testkit.Equal(t, kernels.Exp(c[0]), c[1], "Exp", c[0], "=")
	}
	testkit.Equal(t, math.IsNaN(kernels.Exp(math.NaN())), true, "Exp(NaN) =")
}
