package words_test

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/words"
)

// ofTokens returns the frequencies of a term in two collections.
func ofTokens(a, b []string, term string) naive.Keyness {
	left, _, tf1 := spreadOf(a, term)
	right, _, tf2 := spreadOf(b, term)
	k := naive.Keyness{A: tf1, B: tf2}
	for _, n := range left.Tokens {
		k.T1 += n
	}
	for _, n := range right.Tokens {
		k.T2 += n
	}
	return k
}

// ofDocuments returns the documents of two collections with a term, and all, empty ones too, as
// the frequencies of the reference.
func ofDocuments(a, b []string, term string) naive.Keyness {
	_, d1, _ := spreadOf(a, term)
	_, d2, _ := spreadOf(b, term)
	return naive.Keyness{A: int64(d1), B: int64(d2), T1: int64(len(a)), T2: int64(len(b))}
}

// A cellsCase is a measure of counts with what the reference says of it.
type cellsCase struct {
	o         words.KeynessOptions
	documents bool
	// value returns that of the target against the reference; of negative keys where oneSided is
	// set, that of the reference against the target is taken, and negated.
	value     func(k naive.Keyness, tested int64) float64
	oneSided  bool
	tolerance float64
}

// swapped is the reference against the target.
func swapped(k naive.Keyness) naive.Keyness { return naive.Keyness{A: k.B, B: k.A, T1: k.T2, T2: k.T1} }

func (c *cellsCase) of(tokens, documents naive.Keyness, tested int64) (sign int, value, lnP float64) {
	k, p := tokens, math.Abs(tokens.LL())
	if c.documents {
		k, p = documents, math.Abs(documents.G2())
	}
	value = c.value(k, tested)
	if c.oneSided && k.Sign() < 0 {
		value = -c.value(swapped(k), tested)
	}
	return k.Sign(), value, math.Log(math.Erfc(math.Sqrt(p / 2)))
}

// ratOf returns a value that is a fraction.
func ratOf(of func(naive.Keyness) *big.Rat) func(naive.Keyness, int64) float64 {
	return func(k naive.Keyness, _ int64) float64 { v, _ := of(k).Float64(); return v }
}

func plain(of func(naive.Keyness) float64) func(naive.Keyness, int64) float64 {
	return func(k naive.Keyness, _ int64) float64 { return of(k) }
}

var cellsCases = func() []cellsCase {
	conf := big.NewRat(95, 100)
	k := func(smooth *big.Rat) func(k naive.Keyness) *big.Rat {
		return func(k naive.Keyness) *big.Rat { return k.SimpleMaths(smooth) }
	}
	lrc := func(k naive.Keyness, tested int64) float64 { return k.LRC(conf, tested) }
	pos := func(k naive.Keyness, tested int64) float64 { return k.LRCPos(conf, tested) }
	single := func(of func(naive.Keyness, int64) float64) func(naive.Keyness, int64) float64 {
		return func(k naive.Keyness, _ int64) float64 { return of(k, 1) }
	}
	log := func(c *big.Rat) func(naive.Keyness) float64 {
		return func(k naive.Keyness) float64 { return k.ZetaLog(c) }
	}
	return []cellsCase{
		{o: words.KeynessOptions{Measure: words.SimpleMaths}, value: ratOf(k(big.NewRat(1, 1)))},
		{o: words.KeynessOptions{Measure: words.SimpleMaths, Smooth: 2500.5}, value: ratOf(k(big.NewRat(5001, 2)))},
		{o: words.KeynessOptions{Measure: words.LRC}, value: lrc, tolerance: 1e-12},
		{o: words.KeynessOptions{Measure: words.LRC, Correction: words.None}, value: single(lrc), tolerance: 1e-12},
		{o: words.KeynessOptions{Measure: words.LRC, Correction: words.BH, Conf: .5}, value: func(k naive.Keyness, m int64) float64 { return k.LRC(big.NewRat(1, 2), m) }, tolerance: 1e-12},
		{o: words.KeynessOptions{Measure: words.LRC, CountBy: "documents", Correction: words.None}, documents: true, value: single(lrc), tolerance: 1e-12},
		{o: words.KeynessOptions{Measure: words.LRCPos}, value: pos, oneSided: true, tolerance: 1e-12},
		{o: words.KeynessOptions{Measure: words.TDK}, documents: true, value: plain(naive.Keyness.LL)},
		{o: words.KeynessOptions{Measure: words.LL, CountBy: "documents"}, documents: true, value: plain(naive.Keyness.LL)},
		{o: words.KeynessOptions{Measure: words.LogRatio, CountBy: "documents"}, documents: true, value: plain(naive.Keyness.LogRatio)},
		{o: words.KeynessOptions{Measure: words.OddsRatio, CountBy: "documents"}, documents: true, value: plain(naive.Keyness.OddsRatio)},
		{o: words.KeynessOptions{Measure: words.Zeta}, documents: true, value: ratOf(naive.Keyness.Zeta)},
		{o: words.KeynessOptions{Measure: words.ZetaCraig}, documents: true, value: ratOf(naive.Keyness.ZetaCraig)},
		{o: words.KeynessOptions{Measure: words.ZetaEder}, documents: true, value: ratOf(naive.Keyness.ZetaEder)},
		{o: words.KeynessOptions{Measure: words.ZetaLog}, documents: true, value: plain(log(big.NewRat(11, 10)))},
		{o: words.KeynessOptions{Measure: words.ZetaLog, ZetaC: .5}, documents: true, value: plain(log(big.NewRat(1, 2)))},
		{o: words.KeynessOptions{Measure: words.JLH}, documents: true, value: ratOf(naive.Keyness.JLH), oneSided: true},
		{o: words.KeynessOptions{Measure: words.GND}, documents: true, value: plain(naive.Keyness.GND), oneSided: true},
	}
}()

// Every measure of counts has the values, signs, p-values and order of the reference in random
// corpora, from statistics as from documents, with any number of threads.
func TestMeasuresOfCellsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for round := range 4 {
		a, b := randomTexts(r, 2+r.IntN(60), 25), randomTexts(r, 2+r.IntN(60), 30)
		x, y := corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...)
		for _, of := range cellsCases {
			of.o.Threads, of.tolerance = 1+round%3, max(of.tolerance, 1e-12)
			c := testkit.Must(words.Keyness(t.Context(), x, y, of.o))
			same := testkit.Must(words.Keyness(t.Context(), statisticsOf(t, x), statisticsOf(t, y), of.o))
			signs := map[int]int{}
			for term := range c.Counts() {
				key := testkit.Must(c.Of(t.Context(), term))
				sign, value, lnP := of.of(ofTokens(a, b, term), ofDocuments(a, b, term), int64(c.Tested))
				if key.Sign != sign || key.Of(of.o.Measure) != key.Value || math.Abs(key.Log10P*math.Ln10-lnP) > 1e-9*max(1, math.Abs(lnP)) {
					t.Fatalf("%+v, %s: %+v; want sign %d, ln p %v", of.o, term, key, sign, lnP)
				}
				testkit.Close(testkit.Stop(t), key.Value, value, of.tolerance, 1e-13, of.o, term)
				if other := testkit.Must(same.Of(t.Context(), term)); other.Value != key.Value || other.Log10Corrected != key.Log10Corrected {
					t.Errorf("%s: statistics give %v, the corpora %v", term, other.Value, key.Value)
				}
				signs[key.Sign]++
			}
			if len(c.Lists[0].Keys) != signs[1] || len(c.Lists[1].Keys) != signs[-1] {
				t.Errorf("%+v: %d and %d keys, want %v", of.o, len(c.Lists[0].Keys), len(c.Lists[1].Keys), signs)
			}
			for _, keys := range [][]words.Key{c.Lists[0].Keys, c.Lists[1].Keys} {
				testkit.Equal(t, slices.IsSortedFunc(keys, of.compare), true, of.o, "keys are not in order")
			}
		}
	}
}

// The exact test of a measure of documents is one of documents.
func TestExactTestOfDocuments(t *testing.T) {
	x := corpusOf(t, corpus.Options{}, "apple apple", "apple pear", "apple", "plum")
	y := corpusOf(t, corpus.Options{}, "pear", "plum", "apple bread bread", "", "pear")
	c := testkit.Must(words.Keyness(t.Context(), x, y, words.KeynessOptions{Measure: words.Zeta, Exact: true}))
	got := testkit.Must(c.Of(t.Context(), "apple")).Log10P * math.Ln10
	testkit.Close(t, got, (pvalue.Table{A: 3, B: 1, C: 1, D: 4}).TwoSided(), 0, 1e-12, "ln p")
}

// compare orders keys of one sign: by value, of negative keys ascending; by the size of the
// log-likelihood for lrc; by frequency and by bytes.
func (c *cellsCase) compare(x, y words.Key) int {
	frequency := func(k words.Key) int {
		if c.documents {
			return k.Target.DF + k.Reference.DF
		}
		return k.Target.TF + k.Reference.TF
	}
	tie := func(k words.Key) float64 {
		if c.o.Measure == words.LRC {
			return math.Abs(k.Of(words.LL))
		}
		return 0
	}
	sign := float64(x.Sign)
	return cmp.Or(cmp.Compare(sign*y.Value, sign*x.Value), cmp.Compare(tie(y), tie(x)), cmp.Compare(frequency(y), frequency(x)), cmp.Compare(x.Term, y.Term))
}

// A comparison has the values of an optional measure only if it ranks or is asked for.
func TestOptionalMeasures(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear", "apple"), corpusOf(t, corpus.Options{}, "pear plum")
	for _, of := range []struct {
		o    words.KeynessOptions
		want bool
	}{
		{words.KeynessOptions{}, false}, {words.KeynessOptions{Measure: words.TDK}, true}, {words.KeynessOptions{Also: []words.Measure{words.TDK}}, true},
	} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, of.o))
		key := testkit.Must(c.Of(t.Context(), "apple"))
		if has := slices.Contains(c.Measures, words.TDK); has != of.want || math.IsNaN(key.Of(words.TDK)) == of.want {
			t.Errorf("%+v: %v of %v", of.o, key.Of(words.TDK), c.Measures)
		}
		testkit.Equal(t, near(key.Of(words.LL), naive.Keyness{A: 2, T1: 3, T2: 2}.LL()), true, of.o, "ll is",
			key.Of(words.LL))
	}
}
