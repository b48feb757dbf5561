package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// bigPi is π, by Machin's formula.
func bigPi() *big.Float {
	arctan := func(n float64) *big.Float { // of 1/n
		sum, power := toBig(0), new(big.Float).Quo(toBig(1), toBig(n))
		for k := range 120 {
			term := new(big.Float).Quo(power, toBig(float64(2*k+1)))
			if k%2 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, toBig(n*n))
		}
		return sum
	}
	fifth := arctan(5)
	fifth.Mul(fifth, toBig(4))
	return fifth.Mul(fifth.Sub(fifth, arctan(239)), toBig(4))
}

var bigRootPi = sync.OnceValue(func() *big.Float { return new(big.Float).Sqrt(bigPi()) })

// bigErfc is 1 - erf x for |x| <= 6 by the series of erf, and beyond by the continued fraction of its even part,
// x² + ½ - (1·2/4)/(x² + 5/2 - ...), in another form than that of the kernel.
func bigErfc(x *big.Float) *big.Float {
	square := new(big.Float).Mul(x, x)
	root := bigRootPi()
	if f, _ := x.Float64(); math.Abs(f) > 6 {
		g := toBig(0)
		for n := 120; n > 0; n-- {
			g.Add(g, square)
			g.Add(g, toBig(2*float64(n)+0.5))
			g.Quo(toBig(-float64(n)*(float64(n)-0.5)), g)
		}
		g.Add(g, square)
		g.Add(g, toBig(0.5))
		g.Mul(g, root)
		r := new(big.Float).Mul(x, bigExp(new(big.Float).Neg(square)))
		r.Quo(r, g)
		if f < 0 {
			r.Add(r, toBig(2))
		}
		return r
	}
	sum, power := toBig(0), new(big.Float).Set(x)
	for n := range 220 {
		sum.Add(sum, new(big.Float).Quo(power, toBig(float64(2*n+1))))
		power.Mul(power, square)
		power.Quo(power, toBig(-float64(n+1)))
	}
	sum.Mul(sum, toBig(2))
	return sum.Sub(toBig(1), sum.Quo(sum, root))
}

func bigErf(x *big.Float) *big.Float { return new(big.Float).Sub(toBig(1), bigErfc(x)) }

func bigPhi(x *big.Float) *big.Float {
	p := bigErfc(new(big.Float).Mul(new(big.Float).Neg(x), new(big.Float).Sqrt(toBig(0.5))))
	return p.Mul(p, toBig(0.5))
}

func TestErfWithinTwoUlps(t *testing.T) {
	within(t, 2, func(r *rand.Rand) float64 { return r.Float64()*2 - 1 }, Erf, bigErf)
	within(t, 2, func(r *rand.Rand) float64 { return r.Float64()*12 - 6 }, Erf, bigErf)
	within(t, 2, func(r *rand.Rand) float64 { return math.Exp(-40 * r.Float64()) }, Erf, bigErf)
}

func TestPhiWithinTwoUlps(t *testing.T) {
	within(t, 2, func(r *rand.Rand) float64 { return r.Float64()*4 - 2 }, Phi, bigPhi)
	within(t, 2, func(r *rand.Rand) float64 { return -6 * r.Float64() }, Phi, bigPhi)
	within(t, 2, func(r *rand.Rand) float64 { return -5 - 32*r.Float64() }, Phi, bigPhi)
	within(t, 2, func(r *rand.Rand) float64 { return 9 * r.Float64() }, Phi, bigPhi)
}

// The steps of the table are the nearest numbers.
func TestErfcSteps(t *testing.T) {
	for i, got := range erfcSteps {
		if want, _ := bigErfc(toBig(0.5 + float64(i)/16)).Float64(); got != want {
			t.Errorf("step %d is %v, want %v", i, got, want)
		}
	}
}

func TestErfOfTheEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{Erf(0), 0}, {Erf(inf), 1}, {Erf(-inf), -1}, {Erf(1e308), 1}, {Phi(0), .5}, {Phi(inf), 1}, {Phi(-inf), 0}, {Phi(1e308), 1}, {Phi(-1e308), 0}, {Phi(-40), 0},
	} {
		testkit.Equal(t, c.got, c.want)
	}
	if e, p := Erf(math.NaN()), Phi(math.NaN()); e == e || p == p {
		t.Error("what is undefined has a value")
	}
	for x := -6.0; x <= 6; x += 1. / 64 {
		if got, want := Erf(x), math.Erf(x); math.Abs(got-want) > 4e-16 || Erf(-x) != -got {
			t.Errorf("erf %v is %v, want %v", x, got, want)
		}
	}
}

// The bits are part of the contract, as those of Log are.
func TestErfBits(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var digest uint64
	for range 20_000 {
		x := r.NormFloat64() * 4
		digest = digest*31 + math.Float64bits(Erf(x/3)) + math.Float64bits(Phi(x))
	}
	const want = 0xf05d13241e07b3e2
	testkit.Equal(testkit.Stop(t), digest, want, "digest", "want", uint64(want))
}

func TestProbit(t *testing.T) {
	for p := 0.0005; p < 0.9996; p += 0.0001 {
		x := Probit(p)
		back := math.Erfc(-x/math.Sqrt2) / 2
		testkit.Close(testkit.Stop(t), back, p, 0, 3e-16+2e-15*p, "the quantile of", x, "which has probability")
	}
	for p, want := range map[float64]float64{0: math.Inf(-1), .5: 0, 1: math.Inf(1), -.1: math.NaN(), 1.1: math.NaN(), math.NaN(): math.NaN()} {
		if x := Probit(p); x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("the quantile of %v is %v, want %v", p, x, want)
		}
	}
}
