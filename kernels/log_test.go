package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
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
		testkit.Close(testkit.Stop(t), Log(x), want, 0, ulp, "Log", x, "=")
	}
}

func TestLog1pKeepsSmallArguments(t *testing.T) {
	for _, u := range []float64{1e-300, 1e-17, -1e-10, 1e-5, -0.2, 0.3, 0.5, 3, 1e10} {
		want := math.Log1p(u)
		testkit.Close(t, Log1p(u), want, 0, 4e-16*math.Abs(want), "Log1p", u, "=")
	}
}

func TestLogOfTheEnds(t *testing.T) {
	if !math.IsInf(Log(0), -1) || !math.IsInf(Log(math.Inf(1)), 1) || Log(1) != 0 || !math.IsInf(Log1p(-1), -1) {
		t.Fatal("the ends are wrong")
	}
	// -1074 ln 2; math.Log has assembly on amd64 that is wrong here.
	testkit.Equal(testkit.Stop(t), Log(math.SmallestNonzeroFloat64), -744.4400719213812,
		"the logarithm of the smallest number")
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
	testkit.Equal(testkit.Stop(t), digest, want, "digest", "want", uint64(want))
}

// bigPrecision is far more digits than float64 has, even where e^-x² takes the most of them.
const bigPrecision = 256

func toBig(x float64) *big.Float { return new(big.Float).SetPrec(bigPrecision).SetFloat64(x) }

// bigExp is e^x by its series at x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	const halvings = 16
	small := new(big.Float).SetPrec(bigPrecision).SetMantExp(x, -halvings)
	sum, term := toBig(1), toBig(1)
	for n := 1; n < 40; n++ {
		term.Mul(term, small)
		term.Quo(term, toBig(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps returns how many units in the last place of want got is off.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	unit := max(math.Nextafter(math.Abs(w), math.Inf(1))-math.Abs(w), math.SmallestNonzeroFloat64)
	off, _ := new(big.Float).Quo(new(big.Float).Sub(toBig(got), want), toBig(unit)).Float64()
	return math.Abs(off)
}

// within fails unless a function of random arguments is within so many ulps of big arithmetic, and tells the worst.
func within(t *testing.T, most float64, draw func(r *rand.Rand) float64, f func(float64) float64, want func(x *big.Float) *big.Float) {
	t.Helper()
	r, worst := rand.New(rand.NewPCG(1, 2)), 0.0
	for range 1000 {
		x := draw(r)
		off := ulps(f(x), want(toBig(x)))
		if off > most {
			t.Fatalf("at %v: %v is off by %.3f ulp", x, f(x), off)
		}
		worst = max(worst, off)
	}
	t.Logf("worst: %.3f ulp", worst)
}

func TestLog2WithinTwoUlps(t *testing.T) {
	ln2 := lnBig(2)
	within(t, 2, func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64() * 3) }, Log2, func(x *big.Float) *big.Float {
		f, _ := x.Float64()
		return new(big.Float).Quo(lnBig(f), ln2)
	})
	for e := -1074; e < 1024; e++ {
		testkit.Equal(testkit.Stop(t), Log2(math.Ldexp(1, e)), float64(e), "the logarithm of 2^", e)
	}
}

func TestPowWithinOneUlp(t *testing.T) {
	r, worst := rand.New(rand.NewPCG(7, 8)), 0.0
	for i := range 6000 {
		x, y := math.Exp(r.NormFloat64()*4), r.NormFloat64()*20
		switch i % 4 {
		case 1:
			y = float64(r.IntN(40) - 20)
		case 2:
			x = 1 + r.NormFloat64()/100
			y = r.NormFloat64() * 5000
		case 3:
			x = float64(1 + r.IntN(1000))
			y = float64(r.IntN(20)-10) / 2
		}
		got := Pow(x, y)
		if x <= 0 || got == 0 || math.IsInf(got, 0) || got < 1e-300 {
			continue
		}
		off := ulps(got, bigExp(new(big.Float).Mul(lnBig(x), toBig(y))))
		if off > 1 {
			t.Fatalf("%v^%v = %v is off by %.3f ulp", x, y, got, off)
		}
		worst = max(worst, off)
	}
	t.Logf("worst: %.3f ulp", worst)
}

// Powers of the ends are those of math.Pow, but that a zero has no sign and NaN stays.
func TestPowOfTheEnds(t *testing.T) {
	inf := math.Inf(1)
	ends := []float64{0, 1, -1, 2, -2, .5, -.5, 3, -3, 1e300, -1e300, 1e-300, 5e-324, inf, -inf, 1 << 53, 1<<53 - 1, 1e17, math.MaxFloat64, 0.9999, 1.0001}
	for _, x := range ends {
		for _, y := range ends {
			want, got := math.Pow(x, y), Pow(x, y)
			if math.IsInf(x, -1) && math.Trunc(y) != y {
				want = math.NaN()
			}
			if math.Abs(got-want) > 1e-15*math.Abs(want) || math.IsNaN(got) != math.IsNaN(want) || math.IsInf(want, 0) && got != want {
				t.Errorf("%v^%v = %v, want %v", x, y, got, want)
			}
		}
	}
	for _, c := range [][2]float64{{math.NaN(), 0}, {1, math.NaN()}, {-8, 1. / 3}, {-2, .5}} {
		if got := Pow(c[0], c[1]); got == got {
			t.Errorf("%v^%v = %v", c[0], c[1], got)
		}
	}
	testkit.Equal(t, Pow(math.Copysign(0, -1), -1), inf, "0^-1")
}

// The bits are part of the contract, as those of Log are.
func TestPowerBits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var digest uint64
	for range 20_000 {
		x, y := math.Ldexp(r.Float64(), r.IntN(40)-20), float64(r.Float64()*40)-20
		digest = digest*31 + math.Float64bits(Exp(y)) + math.Float64bits(Log2(x)) + math.Float64bits(Pow(x, y)) + math.Float64bits(Pow(x, math.Trunc(y)))
	}
	const want = 0x55f494411b37b1d1
	testkit.Equal(testkit.Stop(t), digest, want, "digest", "want", uint64(want))
}
