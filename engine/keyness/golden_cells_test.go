package keyness

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A goldenNumber is a number of golden_methods.json, which has infinities as words.
type goldenNumber float64

func (n *goldenNumber) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"inf"`:
		*n = goldenNumber(math.Inf(1))
		return nil
	case `"-inf"`:
		*n = goldenNumber(math.Inf(-1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// A goldenFraction is a fraction of it.
type goldenFraction float64

func (f *goldenFraction) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return err
	}
	r, ok := new(big.Rat).SetString(word)
	if !ok {
		return os.ErrInvalid
	}
	v, _ := r.Float64()
	*f = goldenFraction(v)
	return nil
}

// goldenCells are the parts of golden_methods.json about counts of tokens and of documents.
type goldenCells struct {
	Keyness struct {
		T1, T2, N1, N2, Tested float64
		Terms                  map[string]struct {
			A, B, DF1, DF2   float64
			LL               goldenNumber
			SimpleMaths1     goldenNumber   `json:"simplemaths_1"`
			SimpleMaths100   goldenNumber   `json:"simplemaths_100"`
			SimpleMathsExact goldenFraction `json:"simplemaths_1_exact"`
			LRC              goldenNumber   `json:"lrc_95_bonferroni"`
			LRCUncorrected   goldenNumber   `json:"lrc_95_uncorrected"`
			LRCPos           goldenNumber   `json:"lrc_positive_95_bonferroni"`
			TDK              goldenNumber
			TDK4             goldenNumber `json:"tdk_4_cells"`
			LnP              goldenNumber `json:"tdk_lnp"`
			JLH, GND         goldenNumber
			JLHExact         goldenFraction `json:"jlh_exact"`
			Zeta             struct {
				Zeta      goldenNumber
				ZetaExact goldenFraction `json:"zeta_exact"`
				Craig     goldenNumber   `json:"zeta_craig"`
				Eder      goldenNumber   `json:"zeta_eder"`
				Log       goldenNumber   `json:"zeta_log2"`
			} `json:"zeta_documents"`
		}
	}
	Counts []struct {
		A, B, T1, T2   float64
		SimpleMaths1   goldenNumber `json:"simplemaths_1"`
		SimpleMaths100 goldenNumber `json:"simplemaths_100"`
		LRC1           goldenNumber `json:"lrc_0.95_m1"`
		LRCPos1        goldenNumber `json:"lrc_positive_0.95_m1"`
		LRC20000       goldenNumber `json:"lrc_0.95_m20000"`
		LRCPos20000    goldenNumber `json:"lrc_positive_0.95_m20000"`
		LRC500         goldenNumber `json:"lrc_0.999_m500"`
		LRCPos500      goldenNumber `json:"lrc_positive_0.999_m500"`
	} `json:"keyness_counts"`
}

func loadGoldenCells(t *testing.T) (g goldenCells) {
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_methods.json"), &g)
	return g
}

// ofTarget returns what the formula of a measure gives the target, whatever the sign of the key.
func ofTarget(m Measure, o Options, u Unit, t pairCounts, t1, t2 float64, tests int) float64 {
	s, d := newScorer(&o, newTotals(u, t1, t2), tests), definitionOf(m)
	switch {
	case d.bound != nil:
		return d.bound(s, t, t1, t2)
	case d.oneSided:
		var of [1]float64
		s.formula(d, target, []pairCounts{t}, of[:])
		return of[0]
	}
	return s.value(d, t)
}

func TestGoldenCells(t *testing.T) {
	g := loadGoldenCells(t)
	check := func(what string, m Measure, got float64, want goldenNumber, tolerance float64) {
		t.Helper()
		if !(got == float64(want) || math.Abs(got-float64(want)) <= max(tolerance*math.Abs(float64(want)), 1e-15)) {
			t.Errorf("%s: %s is %v, want %v", what, m, got, want)
		}
	}
	if len(g.Keyness.Terms) < 10 || len(g.Counts) < 10 {
		t.Fatalf("%d terms, %d counts", len(g.Keyness.Terms), len(g.Counts))
	}
	for term, want := range g.Keyness.Terms {
		tokens := func(m Measure, o Options, tests int) float64 {
			return ofTarget(m, o, Tokens, pairCounts{want.A, want.B}, g.Keyness.T1, g.Keyness.T2, tests)
		}
		documents := func(m Measure, o Options) float64 {
			return ofTarget(m, o, Documents, pairCounts{want.DF1, want.DF2}, g.Keyness.N1, g.Keyness.N2, 1)
		}
		tested := int(g.Keyness.Tested)
		check(term, LL, tokens(LL, Options{}, 1), want.LL, 1e-12)
		check(term, SimpleMaths, tokens(SimpleMaths, Options{}, 1), want.SimpleMaths1, 1e-12)
		check(term, SimpleMaths, tokens(SimpleMaths, Options{}, 1), goldenNumber(want.SimpleMathsExact), 1e-12)
		check(term, SimpleMaths, tokens(SimpleMaths, Options{Smooth: 100}, 1), want.SimpleMaths100, 1e-12)
		check(term, LRC, newScorer(&Options{}, newTotals(Tokens, g.Keyness.T1, g.Keyness.T2), tested).value(definitionOf(LRC), pairCounts{want.A, want.B}), want.LRC, 1e-9)
		check(term, LRC, newScorer(&Options{}, newTotals(Tokens, g.Keyness.T1, g.Keyness.T2), 1).value(definitionOf(LRC), pairCounts{want.A, want.B}), want.LRCUncorrected, 1e-9)
		check(term, LRCPos, tokens(LRCPos, Options{}, tested), want.LRCPos, 1e-9)
		check(term, TDK, documents(TDK, Options{}), want.TDK, 1e-12)
		check(term, G2, documents(G2, Options{}), want.TDK4, 1e-12)
		for _, m := range []Measure{TDK, Zeta, JLH, GND} {
			s, with := newScorer(&Options{}, newTotals(Documents, g.Keyness.N1, g.Keyness.N2), 1), pairCounts{want.DF1, want.DF2}
			check(term+", ln p", m, s.lnP(m, with), want.LnP, 1e-10)
		}
		check(term, JLH, documents(JLH, Options{}), want.JLH, 1e-12)
		check(term, JLH, documents(JLH, Options{}), goldenNumber(want.JLHExact), 1e-12)
		check(term, GND, documents(GND, Options{}), want.GND, 1e-12)
		check(term, Zeta, documents(Zeta, Options{}), want.Zeta.Zeta, 1e-12)
		check(term, Zeta, documents(Zeta, Options{}), goldenNumber(want.Zeta.ZetaExact), 1e-12)
		check(term, ZetaCraig, documents(ZetaCraig, Options{}), want.Zeta.Craig, 1e-12)
		check(term, ZetaEder, documents(ZetaEder, Options{}), want.Zeta.Eder, 1e-12)
		check(term, ZetaLog, documents(ZetaLog, Options{}), want.Zeta.Log, 1e-12)
	}
	for _, want := range g.Counts {
		of := func(m Measure, o Options, tests int) float64 {
			return ofTarget(m, o, Tokens, pairCounts{want.A, want.B}, want.T1, want.T2, tests)
		}
		lrc := func(conf float64, tests int) float64 {
			return newScorer(&Options{Conf: conf}, newTotals(Tokens, want.T1, want.T2), tests).value(definitionOf(LRC), pairCounts{want.A, want.B})
		}
		what := "counts"
		check(what, SimpleMaths, of(SimpleMaths, Options{}, 1), want.SimpleMaths1, 1e-12)
		check(what, SimpleMaths, of(SimpleMaths, Options{Smooth: 100}, 1), want.SimpleMaths100, 1e-12)
		check(what, LRC, lrc(0, 1), want.LRC1, 1e-9)
		check(what, LRC, lrc(.95, 20000), want.LRC20000, 1e-9)
		check(what, LRC, lrc(.999, 500), want.LRC500, 1e-9)
		check(what, LRCPos, of(LRCPos, Options{}, 1), want.LRCPos1, 1e-9)
		check(what, LRCPos, of(LRCPos, Options{Conf: .95}, 20000), want.LRCPos20000, 1e-9)
		check(what, LRCPos, of(LRCPos, Options{Conf: .999}, 500), want.LRCPos500, 1e-9)
	}
}
