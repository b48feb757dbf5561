package words_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/words"
)

// ofTable returns x in corpora with these counts of it.
func ofTable(t *testing.T, k naive.Keyness, o words.KeynessOptions) *words.Key {
	o.AllowNone = true
	key := testkit.Must(testkit.Must(words.Keyness(t.Context(), ofCounts(k.A, k.T1), ofCounts(k.B, k.T2), o)).Of(t.Context(), "x"))
	return &key
}

// compareTable compares all measures of a table with the reference's.
func compareTable(t *testing.T, k naive.Keyness) {
	t.Helper()
	key := ofTable(t, k, words.KeynessOptions{})
	for m, want := range map[words.Measure]float64{
		words.LL: k.LL(), words.G2: k.G2(), words.Chi: k.Chi(true), words.Z: k.Z(), words.LogRatio: k.LogRatio(), words.Diff: k.Diff(),
		words.ELL: k.ELL(), words.OddsRatio: k.OddsRatio(), words.BIC: k.BIC(), words.PMI: k.PMI(),
	} {
		absolute := 1e-15
		switch m {
		case words.BIC: // of a difference that cancels
			absolute = 1e-12 * math.Abs(want-k.LL())
		case words.Chi: // likewise, near N/2
			absolute = 1e-12 * math.Abs(k.Chi(false))
		}
		testkit.Close(t, key.Of(m), want, 1e-12, absolute, k, m)
	}
	testkit.Close(t, ofTable(t, k, words.KeynessOptions{NoYates: true}).Of(words.Chi), k.Chi(false), 1e-12, 1e-15, k, "chi without correction")
	testkit.Equal(t, key.Sign, k.Sign(), k, "sign")
}

// The effect size of log-likelihood is undefined where an occurrence is expected, and defined above.
func TestEffectSizeAtAnExpectationOfOne(t *testing.T) {
	for _, of := range []struct {
		k       naive.Keyness
		defined bool
	}{
		{naive.Keyness{A: 2, T1: 8, T2: 8}, false},
		{naive.Keyness{A: 1, B: 1, T1: 8, T2: 8}, false},
		{naive.Keyness{A: 3, B: 1, T1: 8, T2: 24}, false},
		{naive.Keyness{A: 3, T1: 8, T2: 8}, true},
		{naive.Keyness{A: 3, B: 2, T1: 8, T2: 24}, true},
		{naive.Keyness{A: 1, T1: 8, T2: 8}, false},
	} {
		if got := ofTable(t, of.k, words.KeynessOptions{}).Of(words.ELL); math.IsInf(got, 0) || math.IsNaN(got) == of.defined {
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
		testkit.Close(t, ofTable(t, c.k, words.KeynessOptions{Exact: true}).Log10P*math.Ln10, math.Log(c.exact), 1e-8, 0, c.k, "ln p of R")
		for m, want := range map[words.Measure]float64{
			words.LL: pvalue.ChiSquare(math.Abs(c.k.LL()), 1), words.LogRatio: pvalue.ChiSquare(math.Abs(c.k.LL()), 1), words.G2: pvalue.ChiSquare(math.Abs(c.k.G2()), 1),
			words.Chi: pvalue.ChiSquare(math.Abs(c.k.Chi(true)), 1), words.Z: pvalue.Normal(c.k.Z()),
		} {
			testkit.Close(t, ofTable(t, c.k, words.KeynessOptions{Measure: m}).Log10P*math.Ln10, want, 1e-12, 1e-12, c.k, "ln p of", m)
		}
	}
}
