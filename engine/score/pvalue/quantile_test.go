package pvalue

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"
)

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
		if got := atLeast(a, a+b-1, new(big.Rat).SetFloat64(math.Exp(u))); math.Abs(got-p) > 1e-12*p {
			t.Errorf("%v of Beta(%d, %d) is at %v, where the probability is %v", p, a, b, u, got)
		}
	}
}

// For a or b of 1 the quantile has a closed form, at any distance from the middle.
func TestLogOddsOfBetaInClosedForm(t *testing.T) {
	for _, n := range []float64{1, 2, 31, 1e3, 1e6, 1 << 40, 1 << 52} {
		for _, p := range []float64{1e-250, 1e-25, 1e-9, .025, .3, .5, .7, .975, 1 - 1e-9} {
			rest := math.Log1p(-p) / n // x = 1 - e^rest for a = 1
			want := math.Log(-math.Expm1(rest)) - rest
			if got := LogOddsOfBeta(p, 1, n); math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) {
				t.Errorf("%v of Beta(1, %v): %v, want %v", p, n, got, want)
			}
			share := math.Log(p) / n // x = e^share for b = 1
			want = share - math.Log(-math.Expm1(share))
			if got := LogOddsOfBeta(p, n, 1); math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) {
				t.Errorf("%v of Beta(%v, 1): %v, want %v", p, n, got, want)
			}
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
		if got := LogOddsOfBeta(p, 3, 4); !math.IsInf(got, -1) {
			t.Errorf("p = %v: %v", p, got)
		}
	}
	for _, p := range []float64{1, 2, math.Inf(1)} {
		if got := LogOddsOfBeta(p, 3, 4); !math.IsInf(got, 1) {
			t.Errorf("p = %v: %v", p, got)
		}
	}
	if got := LogOddsOfBeta(.5, 7, 7); math.Abs(got) > 1e-15 {
		t.Errorf("the median of Beta(7, 7) has log odds %v", got)
	}
}

// The quantiles have the same bits in every build.
func TestSameBitsOfQuantiles(t *testing.T) {
	const want = 0xf628d7dd308ac255
	r := rand.New(rand.NewPCG(35, 36))
	var all []byte
	for range 2000 {
		a, b := math.Floor(math.Ldexp(1, r.IntN(20))*(1+r.Float64())), math.Floor(math.Ldexp(1, r.IntN(20))*(1+r.Float64()))
		all = binary.LittleEndian.AppendUint64(all, math.Float64bits(LogOddsOfBeta(math.Ldexp(r.Float64(), -r.IntN(40)), a, b)))
	}
	if got := xxh3.Hash(all); got != want {
		t.Errorf("the digest is %#x, want %#x", got, uint64(want))
	}
}
