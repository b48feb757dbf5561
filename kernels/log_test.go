package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// lnBig is ln x to far more digits than float64 has, by the series of atanh.
func lnBig(x float64) *big.Float {
	const precision = 200
	m := new(big.Float).SetPrec(precision).SetFloat64(x)
	e := m.MantExp(m) // x = m·2^e, m in [1/2, 1)
	one := big.NewFloat(1).SetPrec(precision)
	atanh := func(m *big.Float) *big.Float {
		s := new(big.Float).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
		square := new(big.Float).Mul(s, s)
		sum, power := new(big.Float).SetPrec(precision), new(big.Float).Set(s)
		for k := 1; k < 400; k += 2 {
			sum.Add(sum, new(big.Float).Quo(power, big.NewFloat(float64(k)).SetPrec(precision)))
			power.Mul(power, square)
		}
		return sum.Mul(sum, big.NewFloat(2))
	}
	half := big.NewFloat(0.5).SetPrec(precision)
	ln2 := new(big.Float).Neg(atanh(half))
	return new(big.Float).Add(atanh(m), ln2.Mul(ln2, big.NewFloat(float64(e)).SetPrec(precision)))
}

func TestLogWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		x := math.Exp(r.Float64()*40 - 20)
		if r.IntN(2) == 0 {
			x = 1 + (r.Float64()-0.5)/8
		}
		want, _ := lnBig(x).Float64()
		ulp := math.Abs(math.Nextafter(want, math.Inf(1)) - want)
		if got := Log(x); math.Abs(got-want) > ulp {
			t.Fatalf("Log(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestLog1pKeepsSmallArguments(t *testing.T) {
	for _, u := range []float64{1e-300, 1e-17, -1e-10, 1e-5, -0.2, 0.3, 0.5, 3, 1e10} {
		want := math.Log1p(u)
		if got := Log1p(u); math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("Log1p(%v) = %v, want %v", u, got, want)
		}
	}
}

func TestLogOfTheEnds(t *testing.T) {
	if !math.IsInf(Log(0), -1) || !math.IsInf(Log(math.Inf(1)), 1) || Log(1) != 0 || !math.IsInf(Log1p(-1), -1) {
		t.Fatal("the ends are wrong")
	}
	// -1074 ln 2; math.Log has assembly on amd64 that is wrong here.
	if got := Log(math.SmallestNonzeroFloat64); got != -744.4400719213812 {
		t.Fatalf("the logarithm of the smallest number is %v", got)
	}
}

// The bits are part of the contract: a build that fuses operations must give
// the same digest.
func TestLogBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var digest uint64
	for range 100_000 {
		x := r.Float64() * 1000
		digest = digest*31 + math.Float64bits(Log(x)) + math.Float64bits(Log1p(x/1000))
	}
	const want = 0xbffe1bae319f340f
	if digest != want {
		t.Fatalf("digest %#x, want %#x", digest, uint64(want))
	}
}
