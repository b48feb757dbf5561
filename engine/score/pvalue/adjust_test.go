package pvalue

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
)

func lns(p ...float64) []float64 {
	for i := range p {
		p[i] = math.Log(p[i])
	}
	return p
}

// The example of Benjamini & Hochberg (1995), section 3.1: at 0.05 four of fifteen
// pass, three by Holm.
func TestBenjaminiHochbergExample(t *testing.T) {
	p := lns(.4262, .0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .5719, .6528, .7590, 1)
	if fdr, holm, fpr := FDR(p, .05), Holm(p, .05), FPR(p, .05); fdr != 4 || holm != 3 || fpr != 9 {
		t.Errorf("fdr %d, holm %d, fpr %d", fdr, holm, fpr)
	}
}

func TestComparisons(t *testing.T) {
	p := []float64{chiLn(.05), chiLn(.025)} // at m = 2 the levels themselves
	if FPR(p, .05) != 1 || Holm(p, .05) != 0 || FDR(p, .05) != 2 {
		t.Errorf("fpr %d, holm %d, fdr %d", FPR(p, .05), Holm(p, .05), FDR(p, .05))
	}
}

func chiLn(p float64) float64 { return logLevel(p) }

func TestLevelsWithoutSense(t *testing.T) {
	p := []float64{math.Inf(-1), -5, math.NaN(), 0}
	for _, level := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		testkit.Equal(t, FPR(p, level)+Holm(p, level)+FDR(p, level), 0, "pass at level", level)
	}
	if FPR(p, 1) != 2 || FDR(p, 1) != 4 || FPR(p, 2) != 4 {
		t.Errorf("at level 1 pass %d and %d, at 2 %d", FPR(p, 1), FDR(p, 1), FPR(p, 2))
	}
	testkit.Equal(t, FPR(nil, .05)+Holm(nil, .05)+FDR(nil, .05), 0)
	adjusted := make([]float64, len(p))
	for _, adjust := range []func(dst, lnp []float64){AdjustFDR, AdjustHolm} {
		adjust(nil, nil)
		adjust(adjusted, p)
		if !math.IsInf(adjusted[0], -1) || adjusted[2] != 0 || adjusted[3] != 0 || !(adjusted[1] > -5) {
			t.Errorf("adjusted: %v", adjusted)
		}
	}
}

// Adjusted values are the levels at which each begins to pass.
func TestAdjustedPass(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		p := make([]float64, 1+r.IntN(60))
		for i := range p {
			p[i] = -r.ExpFloat64() * float64(1+r.IntN(8))
			if i > 0 && r.IntN(4) == 0 {
				p[i] = p[r.IntN(i)] // ties
			}
		}
		level := r.Float64() / 2
		for name, c := range map[string]struct {
			count  func([]float64, float64) int
			adjust func(dst, lnp []float64)
		}{"fdr": {FDR, AdjustFDR}, "holm": {Holm, AdjustHolm}} {
			adjusted := slices.Clone(p)
			c.adjust(adjusted, adjusted)
			want := 0
			for i, v := range adjusted {
				if v < math.Log(level) {
					want++
				}
				if v < p[i] || v > 0 {
					t.Fatalf("%s: %g is adjusted to %g", name, p[i], v)
				}
			}
			testkit.Equal(testkit.Stop(t), c.count(p, level), want, name, "pass at", level, "by adjusted values")
		}
		if FPR(p, level/float64(len(p))) > Holm(p, level) || Holm(p, level) > FDR(p, level) || FDR(p, level) > FPR(p, level) {
			t.Fatalf("holm, fdr and fpr pass %d, %d, %d", Holm(p, level), FDR(p, level), FPR(p, level))
		}
	}
}

// The order survives where p itself is 0.
func TestFarBelowUnderflow(t *testing.T) {
	p := []float64{ChiSquare(46100, 1), ChiSquare(46000, 1), -1e300, 0}
	testkit.Equal(t, FDR(p, 1e-300), 3)
	AdjustFDR(p, p)
	if !(p[2] < p[0] && p[0] < p[1] && p[1] < -22000) {
		t.Errorf("adjusted: %v", p)
	}
}

// atLeast is P(K >= k) for K of n tries with these odds of success: the sum of the binomial
// probabilities in fractions.
func atLeast(k, n int64, odds *big.Rat) float64 {
	sum, all, power := new(big.Rat), new(big.Rat), big.NewRat(1, 1)
	for i := range n + 1 {
		ways := new(big.Rat).SetInt(new(big.Int).Binomial(n, i))
		ways.Mul(ways, power)
		if all.Add(all, ways); i >= k {
			sum.Add(sum, ways)
		}
		power.Mul(power, odds)
	}
	p, _ := sum.Quo(sum, all).Float64()
	return p
}

// The quantile of a beta distribution with whole parameters is the odds at which so many successes
// have the probability asked for.
func TestLogOddsOfBetaByBinomialSums(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 150 {
		a, b, p := 1+r.Int64N(40), 1+r.Int64N(40), math.Pow(r.Float64(), float64(1+r.IntN(20)))
		u := LogOddsOfBeta(p, float64(a), float64(b))
		testkit.Close(t, atLeast(a, a+b-1, new(big.Rat).SetFloat64(math.Exp(u))), p, 0, 1e-12*p, "of Beta", a, b,
			"is at", u, "where the probability")
	}
}

// For a or b of 1 the quantile has a closed form, at any distance from the middle.
func TestLogOddsOfBetaInClosedForm(t *testing.T) {
	for _, n := range []float64{1, 2, 31, 1e3, 1e6, 1 << 40, 1 << 52} {
		for _, p := range []float64{1e-250, 1e-25, 1e-9, .025, .3, .5, .7, .975, 1 - 1e-9} {
			rest := math.Log1p(-p) / n // x = 1 - e^rest for a = 1
			want := math.Log(-math.Expm1(rest)) - rest
			testkit.Close(t, LogOddsOfBeta(p, 1, n), want, 0, 1e-13*max(1, math.Abs(want)), p, "of Beta(1", n)
			share := math.Log(p) / n // x = e^share for b = 1
			want = share - math.Log(-math.Expm1(share))
			testkit.Close(t, LogOddsOfBeta(p, n, 1), want, 0, 1e-13*max(1, math.Abs(want)), p, "of Beta", n, "1)")
		}
	}
}

// Large parameters, and probabilities on either side of the mean, come back from the quantile.
func TestLogOddsOfBetaComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 500 {
		a, b := math.Exp(r.Float64()*20), math.Exp(r.Float64()*20)
		p := math.Pow(r.Float64(), float64(1+r.IntN(12)))
		value, slope := logBeta(a+1, b+1, LogOddsOfBeta(p, a+1, b+1))
		if want := math.Log(p); math.Abs(value-want) > 1e-13*slope+1e-12*math.Abs(want) {
			t.Errorf("%v of Beta(%v, %v): ln p is %v, want %v", p, a+1, b+1, value, want)
		}
	}
}

func TestLogOddsOfBetaAtTheEnds(t *testing.T) {
	for _, p := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		testkit.Equal(t, math.IsInf(LogOddsOfBeta(p, 3, 4), -1), true, "p =", p)
	}
	for _, p := range []float64{1, 2, math.Inf(1)} {
		testkit.Equal(t, math.IsInf(LogOddsOfBeta(p, 3, 4), 1), true, "p =", p)
	}
	if got := LogOddsOfBeta(.5, 7, 7); math.Abs(got) > 1e-15 {
		t.Errorf("the median of Beta(7, 7) has log odds %v", got)
	}
}

// The quantiles have the same bits in every build.
func TestSameBitsOfQuantiles(t *testing.T) {
	const want = 0x6b9b46cdfd4a8b5f
	r := rand.New(rand.NewPCG(35, 36))
	var all []byte
	for range 2000 {
		a, b := math.Floor(math.Ldexp(1, r.IntN(20))*(1+r.Float64())), math.Floor(math.Ldexp(1, r.IntN(20))*(1+r.Float64()))
		all = binary.LittleEndian.AppendUint64(all, math.Float64bits(LogOddsOfBeta(math.Ldexp(r.Float64(), -r.IntN(40)), a, b)))
	}
	testkit.Equal(t, xxh3.Hash(all), want, "the digest", "want", uint64(want))
}
