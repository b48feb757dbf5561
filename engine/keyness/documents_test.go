package keyness_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/keyness"
)

// ofDocuments returns the documents of two collections with a term, and all, empty ones too, as
// the frequencies of the reference.
func ofDocuments(a, b []string, term string) naive.Keyness {
	_, d1, _ := spreadOf(a, term)
	_, d2, _ := spreadOf(b, term)
	return naive.Keyness{A: int64(d1), B: int64(d2), T1: int64(len(a)), T2: int64(len(b))}
}

// Measures of documents, and those of tokens that count documents, have the values, signs and
// p-values of the reference on numbers of documents, from statistics too.
func TestMeasuresThatCountDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for round := range 12 {
		a, b := randomTexts(r, 2+r.IntN(60), 25), randomTexts(r, 2+r.IntN(60), 30)
		x, y := texts(t, corpus.Options{}, a...), texts(t, corpus.Options{}, b...)
		for _, of := range []struct {
			o     keyness.Options
			value func(naive.Keyness) float64
		}{
			{keyness.Options{Measure: keyness.TDK}, naive.Keyness.LL},
			{keyness.Options{Measure: keyness.TDK, G2Cells: 4}, naive.Keyness.G2},
			{keyness.Options{Measure: keyness.LL, CountBy: keyness.Documents}, naive.Keyness.LL},
			{keyness.Options{Measure: keyness.LogRatio, CountBy: keyness.Documents}, naive.Keyness.LogRatio},
			{keyness.Options{Measure: keyness.OddsRatio, CountBy: keyness.Documents}, naive.Keyness.OddsRatio},
		} {
			of.o.Threads = 1 + round%3
			c := enginetest.Must(keyness.Compare(t.Context(), x, y, of.o))
			same := enginetest.Must(keyness.Compare(t.Context(), statisticsOf(t, x), statisticsOf(t, y), of.o))
			signs := map[int]int{}
			for term := range c.Counts() {
				key, k := enginetest.Must(c.Of(t.Context(), term)), ofDocuments(a, b, term)
				lnP := math.Log(math.Erfc(math.Sqrt(math.Abs(k.G2()) / 2)))
				if key.Sign != k.Sign() || !near(key.Value, of.value(k)) || key.Of(of.o.Measure) != key.Value || math.Abs(key.Log10P*math.Ln10-lnP) > 1e-9*max(1, math.Abs(lnP)) {
					t.Fatalf("%+v, %s: %+v; want sign %d, value %v, ln p %v", of.o, term, key, k.Sign(), of.value(k), lnP)
				}
				if other := enginetest.Must(same.Of(t.Context(), term)); other.Value != key.Value || other.Log10Corrected != key.Log10Corrected {
					t.Errorf("%s: statistics give %v, the corpora %v", term, other.Value, key.Value)
				}
				signs[key.Sign]++
			}
			if len(c.Positive) != signs[1] || len(c.Negative) != signs[-1] {
				t.Errorf("%+v: %d and %d keys, want %v", of.o, len(c.Positive), len(c.Negative), signs)
			}
		}
	}
}

// A comparison has the values of an optional measure only if it ranks or is asked for.
func TestOptionalMeasures(t *testing.T) {
	x, y := texts(t, corpus.Options{}, "apple pear", "apple"), texts(t, corpus.Options{}, "pear plum")
	for _, of := range []struct {
		o    keyness.Options
		want bool
	}{
		{keyness.Options{}, false}, {keyness.Options{Measure: keyness.TDK}, true}, {keyness.Options{Also: []keyness.Measure{keyness.TDK}}, true},
	} {
		c := enginetest.Must(keyness.Compare(t.Context(), x, y, of.o))
		key := enginetest.Must(c.Of(t.Context(), "apple"))
		if has := slices.Contains(c.Measures(), keyness.TDK); has != of.want || math.IsNaN(key.Of(keyness.TDK)) == of.want {
			t.Errorf("%+v: %v of %v", of.o, key.Of(keyness.TDK), c.Measures())
		}
		if !near(key.Of(keyness.LL), naive.Keyness{A: 2, T1: 3, T2: 2}.LL()) {
			t.Errorf("%+v: ll is %v", of.o, key.Of(keyness.LL))
		}
	}
}
