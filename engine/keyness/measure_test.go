package keyness

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/score/pvalue"
)

// near reports whether two values agree within a relative 1e-12, or within the absolute
// error given.
func near(got, want, absolute float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= 1e-12*math.Abs(want)+absolute
}

func tokenScorer(o *Options, t1, t2 float64) *scorer {
	return newScorer(o, newTotals(Tokens, t1, t2), 1)
}

// lnP returns ln p of a measure.
func (s *scorer) lnP(m Measure, t pairCounts) float64 {
	var value, lnP [1]float64
	s.judge(definitionOf(m), []pairCounts{t}, value[:], lnP[:])
	return lnP[0]
}

// compareTable compares all measures of a table with the reference's.
func compareTable(t *testing.T, k naive.Keyness) {
	t.Helper()
	s, x := tokenScorer(&Options{}, float64(k.T1), float64(k.T2)), pairCounts{float64(k.A), float64(k.B)}
	for m, want := range map[Measure]float64{
		LL: k.LL(), G2: k.G2(), Chi: k.Chi(true), Z: k.Z(), LogRatio: k.LogRatio(), Diff: k.Diff(),
		ELL: k.ELL(), OddsRatio: k.OddsRatio(), BIC: k.BIC(), PMI: k.PMI(),
	} {
		absolute := 1e-15
		switch m {
		case BIC: // of a difference that cancels
			absolute = 1e-12 * math.Abs(want-k.LL())
		case Chi: // likewise, near N/2
			absolute = 1e-12 * math.Abs(k.Chi(false))
		}
		testkit.Equal(t, near(s.value(definitionOf(m), x), want, absolute), true, k, m, "want", want)
	}
	s = tokenScorer(&Options{NoYates: true}, float64(k.T1), float64(k.T2))
	if got, want := s.value(definitionOf(Chi), x), k.Chi(false); !near(got, want, 1e-15) {
		t.Errorf("%+v: chi without correction is %v, want %v", k, got, want)
	}
	if got := s.gap(x); math.Signbit(got) != (k.Sign() < 0) || (got == 0) != (k.Sign() == 0) {
		t.Errorf("%+v: gap %v, sign %d", k, got, k.Sign())
	}
}

// The effect size of log-likelihood is undefined where an occurrence is expected, and defined above.
func TestEffectSizeAtAnExpectationOfOne(t *testing.T) {
	for _, of := range []struct {
		a, b, t1, t2 float64
		defined      bool
	}{{2, 0, 8, 8, false}, {1, 1, 8, 8, false}, {3, 1, 8, 24, false}, {3, 0, 8, 8, true}, {3, 2, 8, 24, true}, {1, 0, 8, 8, false}} {
		got := tokenScorer(&Options{}, of.t1, of.t2).value(definitionOf(ELL), pairCounts{of.a, of.b})
		if math.IsInf(got, 0) || math.IsNaN(got) == of.defined {
			t.Errorf("%+v: %v", of, got)
		}
	}
}

func TestMeasuresAgainstExactFractions(t *testing.T) {
	for _, k := range []naive.Keyness{
		{A: 1, T1: 1, T2: 1},
		{A: 1, B: 1, T1: 1, T2: 1},
		{A: 5, B: 7, T1: 5, T2: 7},
		{A: 5, B: 7, T1: 50, T2: 70},
		{B: 3, T1: 10, T2: 3},
		{A: 4, T1: 4, T2: 9},
		{A: 69, B: 68, T1: 12000, T2: 11900},
		{A: 1 << 40, B: 1 << 20, T1: 1 << 44, T2: 1 << 43},
		{A: 1, B: 0, T1: 1 << 44, T2: 1 << 43},
		{A: 1<<40 + 1, B: 1<<40 - 1, T1: 1 << 44, T2: 1 << 44},
	} {
		compareTable(t, k)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		bits1, bits2 := 1+r.IntN(30), 1+r.IntN(30)
		k := naive.Keyness{T1: 1 + r.Int64N(1<<bits1), T2: 1 + r.Int64N(1<<bits2)}
		k.A, k.B = r.Int64N(1+min(k.T1, 1+r.Int64N(k.T1))), r.Int64N(1+min(k.T2, 1+r.Int64N(k.T2)))
		if k.A+k.B > 0 {
			compareTable(t, k)
		}
	}
}

// The p-values of R's fisher.test, which quanteda's measure exact gives, and of pchisq.
func TestPValuesOfR(t *testing.T) {
	for _, c := range []struct {
		k     naive.Keyness
		exact float64
	}{
		{naive.Keyness{A: 100, B: 10, T1: 10000, T2: 10000}, 6.5456522931105284e-20},
		{naive.Keyness{A: 6, B: 2, T1: 17, T2: 12}, 0.4083471084970336},
		{naive.Keyness{A: 1, B: 4, T1: 17, T2: 12}, 0.12963664687802617},
		{naive.Keyness{A: 0, B: 7, T1: 50, T2: 40}, 0.002495331662861827},
		{naive.Keyness{A: 5, B: 0, T1: 50, T2: 40}, 0.063181211573307638},
		{naive.Keyness{A: 1234, B: 56, T1: 2000000, T2: 1000000}, 1.1616166530391448e-145},
	} {
		s, x := tokenScorer(&Options{Exact: true}, float64(c.k.T1), float64(c.k.T2)), pairCounts{float64(c.k.A), float64(c.k.B)}
		if got, want := s.lnP(LL, x), math.Log(c.exact); !near(got, want, 1e-8) {
			t.Errorf("%+v: ln p is %v, that of R %v", c.k, got, want)
		}
		s.Exact = false
		for m, want := range map[Measure]float64{
			LL: pvalue.ChiSquare(math.Abs(c.k.LL()), 1), LogRatio: pvalue.ChiSquare(math.Abs(c.k.LL()), 1), G2: pvalue.ChiSquare(math.Abs(c.k.G2()), 1),
			Chi: pvalue.ChiSquare(math.Abs(c.k.Chi(true)), 1), Z: pvalue.Normal(c.k.Z()),
		} {
			testkit.Equal(t, near(s.lnP(m, x), want, 1e-12), true, c.k, "ln p of", m, "want", want)
		}
	}
}
