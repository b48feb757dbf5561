package words_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// tokensOf returns texts as their tokens.
func tokensOf(lines []string) (x naive.Texts) {
	for _, line := range lines {
		x = append(x, strings.Fields(line))
	}
	return x
}

// judged is what the reference says of a term by a measure of documents.
type judged struct {
	value, lnP float64
	sign       int
}

// judge asks the reference.
func judge(target, reference naive.Texts, term string, o words.KeynessOptions) judged {
	ranks := naive.RankTest{First: target.Shares(term), Second: reference.Shares(term)}
	means := naive.MeanTest(ranks)
	float := func(v interface{ Float64() (float64, bool) }) float64 { f, _ := v.Float64(); return f }
	superiority := float(ranks.Superiority())
	byRank := func(value float64) judged {
		return judged{value, naive.LnP(ranks.Z()), sign(superiority - .5)}
	}
	ofMeans := func(value float64) judged {
		return judged{value, means.LnP(), sign(naive.MeanDifference(target, reference, term))}
	}
	switch o.Measure {
	case words.Wilcoxon:
		return byRank(ranks.Z())
	case words.PSup:
		return byRank(superiority)
	case words.RankBiserial:
		return byRank(2*superiority - 1)
	case words.Welch:
		t, _, _ := means.T()
		return ofMeans(t)
	case words.RRF:
		return ofMeans(naive.MeanRatio(target, reference, term, new(big.Rat)))
	}
	eta := float(naive.Eta(target, reference, term))
	documents := naive.Keyness{A: target.Range(term), B: reference.Range(term), T1: int64(len(target)), T2: int64(len(reference))}
	return judged{eta, naive.LnP(math.Sqrt(math.Abs(documents.G2()))), documents.Sign()}
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// byDocuments are the measures of documents, with their options.
var byDocuments = []words.KeynessOptions{
	{Measure: words.Wilcoxon},
	{Measure: words.PSup},
	{Measure: words.RankBiserial},
	{Measure: words.Welch},
	{Measure: words.RRF},
	{Measure: words.Eta},
}

// Every term of random corpora has the value, the p-value and the sign of the reference by each
// measure of documents, whatever the number of threads.
func TestMeasuresOfDocumentsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 2))
	for round := range 8 {
		a, b := randomTexts(r, 1+r.IntN(15), 20), randomTexts(r, 1+r.IntN(40), 25)
		if round == 7 { // all documents of a side alike, but for the empty ones
			a = []string{"w1 w2", "w2 w1", "", "w1 w2"}
		}
		x, y := corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...)
		target, reference := tokensOf(a), tokensOf(b)
		for _, o := range byDocuments {
			o.Threads = 1 + round%3
			c := testkit.Must(words.Keyness(t.Context(), x, y, o))
			signs := map[int]int{}
			for term := range c.Counts() {
				key, want := testkit.Must(c.Of(t.Context(), term)), judge(target, reference, term, o)
				if !near(key.Value, want.value) || key.Sign != want.sign || key.Of(o.Measure) != key.Value && !math.IsNaN(key.Value) {
					t.Fatalf("%+v, %q: value %v, sign %d, want %+v", o, term, key.Value, key.Sign, want)
				}
				if got := key.Log10P * math.Ln10; math.Abs(got-want.lnP) > 1e-10*max(1e-5, math.Abs(want.lnP)) || math.IsNaN(got) != math.IsNaN(want.lnP) {
					t.Fatalf("%+v, %q: ln p %v, want %v", o, term, got, want.lnP)
				}
				signs[key.Sign]++
			}
			if len(c.Lists[0].Keys) != signs[1] || len(c.Lists[1].Keys) != signs[-1] {
				t.Errorf("%+v: %d and %d keys, want %v", o, len(c.Lists[0].Keys), len(c.Lists[1].Keys), signs)
			}
		}
	}
}

// Keys by the rank sum have its effect sizes, and any keys the measures of documents that they are
// asked for.
func TestEffectSizesOfRankSum(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear", "apple"), corpusOf(t, corpus.Options{}, "pear plum", "plum")
	for _, o := range []words.KeynessOptions{{Measure: words.Wilcoxon}, {Also: []words.Measure{words.PSup, words.RankBiserial}}} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, o))
		key := testkit.Must(c.Of(t.Context(), "apple"))
		testkit.Equal(t, key.Of(words.PSup), 1, o, "superiority", "correlation")
		testkit.Equal(t, key.Of(words.RankBiserial), 1, o, "superiority", "correlation")
		testkit.Equal(t, slices.Contains(c.Measures, words.Wilcoxon), o.Measure == words.Wilcoxon, o,
			c.Measures)
	}
}

// Ties go by the number of documents.
func TestTiesOfDocuments(t *testing.T) {
	x := corpusOf(t, corpus.Options{}, "many few one", "many few", "many")
	y := corpusOf(t, corpus.Options{}, "other", "other")
	c := testkit.Must(words.Keyness(t.Context(), x, y, words.KeynessOptions{Measure: words.RRF}))
	var names []string
	for _, key := range c.Lists[0].Keys {
		names = append(names, key.Term)
	}
	testkit.Equal(t, strings.Join(names, " "), "many few one", "infinite values are ordered")
}

// A term that only the target has is a key of the target by the dispersion, however few documents have it, and is
// tested; a term that is only in the reference is a key of the reference.
func TestEtaOfTermsOfOneCorpus(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = "shared shared other"
	}
	many[7] += " rare rare"
	few := []string{"shared other", "shared gone", "other"}
	c := testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, many...), corpusOf(t, corpus.Options{}, few...), words.KeynessOptions{Measure: words.Eta, MinFreq: 1, MinRange: 1}))
	if key := testkit.Must(c.Of(t.Context(), "rare")); key.Sign != 1 || key.Value < 0 || key.Value >= .5 || math.IsNaN(key.Log10Corrected) {
		t.Errorf("rare, of the target alone: %+v", key)
	}
	if key := testkit.Must(c.Of(t.Context(), "gone")); key.Sign != -1 || key.Value > 0 || math.IsNaN(key.Log10Corrected) {
		t.Errorf("gone, of the reference alone: %+v", key)
	}
	if ll := testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, many...), corpusOf(t, corpus.Options{}, few...), words.KeynessOptions{MinFreq: 1, MinRange: 1})); ll.Tested != c.Tested {
		t.Errorf("%d terms are tested by eta, %d by ll", c.Tested, ll.Tested)
	}
}

// Measures of documents need documents, and say so; Fisher's exact test is none of shares.
func TestDocumentsAreNeeded(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear", "apple"), corpusOf(t, corpus.Options{}, "pear plum", "plum")
	for _, o := range byDocuments {
		for _, sides := range [][2]words.KeynessOptions{{o, {}}, {{}, o}} {
			asked := sides[0]
			asked.Also = []words.Measure{o.Measure}
			testkit.Refused(t, testkit.Err(words.Keyness(t.Context(), x, statisticsOf(t, y), asked)), usage.ErrUsage,
				"the reference is counts without documents", asked)
			testkit.Refused(t, testkit.Err(words.Keyness(t.Context(), statisticsOf(t, x), y, asked)), usage.ErrUsage,
				"the target is counts without documents", asked)
		}
		o.Exact = true
		testkit.Refused(t, testkit.Err(o.WithDefaults()), usage.ErrUsage, "exact", o)
	}
}

// Means of a single document have no test, which a warning says.
func TestWelchOfOneDocument(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear"), corpusOf(t, corpus.Options{}, "pear plum", "plum")
	for m, want := range map[words.Measure]bool{words.Welch: true, words.RRF: true, words.Wilcoxon: false} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, words.KeynessOptions{Measure: m}))
		if got := slices.ContainsFunc(c.Warnings, func(w string) bool { return strings.Contains(w, "the target is one document, whose shares") }); got != want {
			t.Errorf("%s: %q", m, c.Warnings)
		}
		testkit.Equal(t, math.IsNaN(testkit.Must(c.Of(t.Context(), "apple")).Log10P), want, m, "log p")
	}
}
