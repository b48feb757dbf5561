package words_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// A goldenMethods has what the golden file says of key words and draws.
type goldenMethods struct {
	CorpusA struct{ Documents []string } `json:"corpus_a"`
	Counts  []map[string]any             `json:"keyness_counts"`
	Keyness struct {
		Target       []int
		Terms        map[string]map[string]any
		Permutations struct {
			Number       int
			LL           map[string]int
			Means        map[string]int `json:"mean_difference"`
			LLLargest    map[string]int `json:"ll_maxT"`
			MeansLargest map[string]int `json:"mean_difference_maxT"`
		}
	}
}

func readGoldenMethods(t *testing.T) (g goldenMethods) {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_methods.json")))
	testkit.OK(json.Unmarshal(data, &g))
	if len(g.Keyness.Permutations.LL) == 0 || len(g.Keyness.Terms) == 0 {
		t.Fatal("the golden file lacks a part")
	}
	return g
}

// sides returns the documents of the target and of the reference.
func (g *goldenMethods) sides() (target, reference []string) {
	for d, text := range g.CorpusA.Documents {
		if slices.Contains(g.Keyness.Target, d) {
			target = append(target, text)
		} else {
			reference = append(reference, text)
		}
	}
	return target, reference
}

// goldenNumber returns a value, NaN for null.
func goldenNumber(t *testing.T, v any) float64 {
	t.Helper()
	switch v := v.(type) {
	case nil:
		return math.NaN()
	case float64:
		return v
	case string:
		return testkit.Must(strconv.ParseFloat(v, 64))
	}
	t.Fatalf("%v is no number", v)
	return 0
}

// Corpora of any size have the golden values.
func TestGoldenCounts(t *testing.T) {
	for _, want := range readGoldenMethods(t).Counts {
		n := func(name string) int64 { return int64(want[name].(float64)) }
		x, y := ofCounts(n("a"), n("T1")), ofCounts(n("b"), n("T2"))
		for _, of := range []struct {
			o     words.KeynessOptions
			value string
		}{
			{words.KeynessOptions{Measure: words.SimpleMaths}, "simplemaths_1"},
			{words.KeynessOptions{Measure: words.SimpleMaths, Smooth: 100}, "simplemaths_100"},
			{words.KeynessOptions{Measure: words.LRC, Correction: words.None}, "lrc_0.95_m1"},
			{words.KeynessOptions{Measure: words.LRCPos, Correction: words.None}, "lrc_positive_0.95_m1"},
		} {
			of.o.AllowNone = true
			key := testkit.Must(testkit.Must(words.Keyness(t.Context(), x, y, of.o)).Of(t.Context(), "x"))
			if of.o.Measure != words.LRCPos || key.Sign >= 0 {
				testkit.Close(t, key.Value, goldenNumber(t, want[of.value]), 1e-9, 1e-15, of.o, want)
			}
		}
	}
}

// ofCounts returns a corpus with so many occurrences of x among all tokens.
func ofCounts(x, all int64) *words.FrequencyList {
	return testkit.Must(words.NewFrequencyList([]words.Frequency{{Term: "x", TF: x}, {Term: "others", TF: all - x}}, words.ListTotals{Tokens: all}))
}

// All divisions, each taken once, give the golden hits, the division that was observed included.
func TestGoldenPermutations(t *testing.T) {
	g := readGoldenMethods(t)
	target, reference := g.sides()
	x, y := corpusOf(t, corpus.Options{}, target...), corpusOf(t, corpus.Options{}, reference...)
	want := g.Keyness.Permutations
	hits := func(lnP float64) int { return int(math.Round(math.Exp(lnP) * float64(want.Number))) }
	for _, o := range []words.KeynessOptions{
		{Permutations: want.Number, Threads: 1}, {Permutations: 5000, Threads: 3, Correction: words.None}, {Permutations: want.Number, MaxT: true, Threads: 2},
	} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, o))
		if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "only 792 divisions into 5 and 7") {
			t.Errorf("%+v: %q", o, c.Warnings)
		}
		_, lnP, largest, err := words.PermuteMeanDifference(t.Context(), x, y, o)
		testkit.OK(err)
		for term := range g.Keyness.Terms {
			key := testkit.Must(c.Of(t.Context(), term))
			testkit.Equal(t, hits(key.Log10P*math.Ln10), want.LL[term], o, "ll of", term, "is reached in",
				"divisions")
			testkit.Equal(t, hits(lnP[term]), want.Means[term], o, "the means of", term, "are reached in", "divisions")
			if !o.MaxT {
				continue
			}
			testkit.Equal(t, hits(key.Log10Corrected*math.Ln10), want.LLLargest[term], "ll of", term,
				"is reached by any term in", "divisions")
			testkit.Equal(t, hits(largest[term]), want.MeansLargest[term], "the means of", term,
				"are reached by any term in", "divisions")
		}
	}
}

// One division less than there are: they are drawn, and p counts the observed one, too.
func TestDrawnPermutationsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 4))
	value := func(m words.Measure) func(x, y naive.Texts, term string) float64 {
		return func(x, y naive.Texts, term string) float64 {
			switch m {
			case words.LL:
				return naive.LLOf(x, y, term)
			case words.TDK:
				return naive.Keyness{A: x.Range(term), B: y.Range(term), T1: int64(len(x)), T2: int64(len(y))}.LL()
			}
			return judge(x, y, term, words.KeynessOptions{Measure: m}).value
		}
	}
	for round, m := range []words.Measure{words.LL, words.TDK, words.Wilcoxon, words.Welch, words.Eta, words.RankBiserial} {
		a, b := randomTexts(r, 5+r.IntN(4), 12), randomTexts(r, 6+r.IntN(5), 12)
		all := tokensOf(slices.Concat(a, b))
		const draws, seed = 70, 7 // more than a block
		o := words.KeynessOptions{Measure: m, Permutations: draws, Seed: seed, MaxT: true, MinRange: 2}
		var keys [2]map[string]words.Key
		var c *words.Comparison
		for i, threads := range []int{1, 1 + round%4} {
			o.Threads = threads
			c = testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...), o))
			keys[i] = map[string]words.Key{}
			for term := range c.Counts() {
				keys[i][term] = testkit.Must(c.Of(t.Context(), term))
			}
		}
		var divisions [][]bool
		for number := range draws {
			in := make([]bool, len(all))
			for _, d := range rank.DrawOrder(len(all), seed, uint64(number))[:len(a)] {
				in[d] = true
			}
			divisions = append(divisions, in)
		}
		values := map[string][]float64{}
		largest := make([]float64, draws)
		for term, key := range keys[0] {
			for number, in := range divisions {
				x, y := all.Divide(in)
				v := math.Abs(value(m)(x, y, term))
				values[term] = append(values[term], v)
				if !math.IsNaN(key.Log10Corrected) {
					largest[number] = max(largest[number], v)
				}
			}
		}
		for term, key := range keys[0] {
			observed := value(m)(tokensOf(a), tokensOf(b), term)
			p := func(values []float64) float64 {
				hits := 1
				for _, v := range values {
					if naive.Reaches(v, observed) {
						hits++
					}
				}
				return math.Log10(float64(hits) / (draws + 1))
			}
			testkit.Equal(t, near(key.Log10P, p(values[term])), true, m, term, "log p is", key.Log10P)
			if want := p(largest); !math.IsNaN(key.Log10Corrected) && !near(key.Log10Corrected, want) {
				t.Errorf("%s, %s: corrected log p is %v, want %v", m, term, key.Log10Corrected, want)
			}
			if other := keys[1][term]; other.Log10P != key.Log10P || other.Log10Corrected != key.Log10Corrected && !math.IsNaN(key.Log10Corrected) {
				t.Errorf("%s, %s: another number of threads gives %v and %v, not %v and %v", m, term, other.Log10P, other.Log10Corrected, key.Log10P, key.Log10Corrected)
			}
		}
	}
}

func TestErrorsOfDraws(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear", "apple"), corpusOf(t, corpus.Options{}, "pear plum")
	for _, o := range []words.KeynessOptions{{Permutations: -1}, {Permutations: rank.MostDraws + 1}, {MaxT: true}, {Permutations: 9, Exact: true}} {
		testkit.Is(t, testkit.Err(o.WithDefaults()), usage.ErrUsage, o)
	}
	if _, err := words.Keyness(t.Context(), statisticsOf(t, x), y, words.KeynessOptions{Permutations: 9}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "a permutation looks at every document") {
		t.Errorf("permutations of statistics: %v", err)
	}
}

// A measure that is not 0 where nothing differs gets a remark.
func TestUncentredPermutations(t *testing.T) {
	x, y := corpusOf(t, corpus.Options{}, "apple pear", "apple", "fig"), corpusOf(t, corpus.Options{}, "pear plum", "fig", "plum")
	for m, want := range map[words.Measure]bool{words.RRF: true, words.OddsRatio: true, words.LL: false, words.Wilcoxon: false} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, words.KeynessOptions{Measure: m, Permutations: 5}))
		testkit.Equal(t, strings.Contains(fmt.Sprint(c.Warnings), "a negative key gets no small p-value"), want, m,
			c.Warnings)
	}
}

func TestWays(t *testing.T) {
	for n := range 30 {
		for k := range n + 1 {
			want := new(big.Int).Binomial(int64(n), int64(k))
			if got, few := words.Ways(n, k, 1<<30); !few || int64(got) != want.Int64() {
				t.Errorf("%d of %d: %d, want %v", k, n, got, want)
			}
			if _, few := words.Ways(n, k, int(want.Int64())-1); few && want.Int64() > 1 {
				t.Errorf("%d of %d are more than one less than %v", k, n, want)
			}
		}
	}
	if _, few := words.Ways(1<<31-1, 1<<30, rank.MostDraws); few {
		t.Error("halves of two billion documents are few")
	}
}
