package keyness_test

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
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/draw"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/usage"
)

// A goldenMethods has what the golden file says of key words and draws.
type goldenMethods struct {
	CorpusA struct{ Documents []string } `json:"corpus_a"`
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
		SplitHalf struct {
			Threshold float64
			Splits    []struct {
				Half    []int
				LL      map[string]float64
				Largest float64
				AtLeast int `json:"at_least_3.84"`
			}
			ExpectedFalse string `json:"expected_false_exact"`
			Observed      int
		} `json:"split_half"`
	}
}

func readGoldenMethods(t *testing.T) (g goldenMethods) {
	t.Helper()
	data := enginetest.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_methods.json")))
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Keyness.Permutations.LL) == 0 || len(g.Keyness.SplitHalf.Splits) == 0 || len(g.Keyness.Terms) == 0 {
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
		if v == "inf" {
			return math.Inf(1)
		}
	}
	t.Fatalf("%v is no number", v)
	return 0
}

// The engine has the golden values of the measures of documents.
func TestGoldenMeasuresOfDocuments(t *testing.T) {
	g := readGoldenMethods(t)
	target, reference := g.sides()
	x, y := texts(t, corpus.Options{}, target...), texts(t, corpus.Options{}, reference...)
	within := func(got, want, relative float64) bool {
		if math.IsNaN(want) || math.IsInf(want, 0) {
			return got == want || math.IsNaN(got) && math.IsNaN(want)
		}
		return math.Abs(got-want) <= max(1e-15, relative*math.Abs(want))
	}
	for _, of := range []struct {
		o                keyness.Options
		part, value, lnP string
	}{
		{keyness.Options{Measure: keyness.Wilcoxon}, "wilcoxon", "z", "lnp"},
		{keyness.Options{Measure: keyness.Wilcoxon, NoContinuity: true}, "wilcoxon", "z_uncorrected", "lnp_uncorrected"},
		{keyness.Options{Measure: keyness.RankBiserial}, "wilcoxon", "rank_biserial", "lnp"},
		{keyness.Options{Measure: keyness.Welch}, "welch", "t", "lnp"},
		{keyness.Options{Measure: keyness.Eta}, "", "eta", "tdk_lnp"},
		{keyness.Options{Measure: keyness.Eta, EtaAbsent: 1}, "", "eta_absent_1", "tdk_lnp"},
		{keyness.Options{Measure: keyness.RRF}, "", "rrf", ""},
	} {
		c := enginetest.Must(keyness.Compare(t.Context(), x, y, of.o))
		for term, leaves := range g.Keyness.Terms {
			if of.part != "" {
				leaves = leaves[of.part].(map[string]any)
			}
			key := enginetest.Must(c.Of(t.Context(), term))
			if want := goldenNumber(t, leaves[of.value]); !within(key.Value, want, 1e-12) {
				t.Errorf("%+v of %s is %v, want %v", of.o, term, key.Value, want)
			}
			if of.lnP == "" {
				continue
			}
			if want := goldenNumber(t, leaves[of.lnP]); !within(key.Log10P*math.Ln10, want, 1e-10) {
				t.Errorf("%+v: ln p of %s is %v, want %v", of.o, term, key.Log10P*math.Ln10, want)
			}
		}
	}
}

// All divisions, each taken once, give the golden hits, the division that was observed included.
func TestGoldenPermutations(t *testing.T) {
	g := readGoldenMethods(t)
	target, reference := g.sides()
	x, y := texts(t, corpus.Options{}, target...), texts(t, corpus.Options{}, reference...)
	want := g.Keyness.Permutations
	hits := func(lnP float64) int { return int(math.Round(math.Exp(lnP) * float64(want.Number))) }
	for _, o := range []keyness.Options{
		{Permutations: want.Number, Threads: 1}, {Permutations: 5000, Threads: 3, Correction: keyness.None}, {Permutations: want.Number, MaxT: true, Threads: 2},
	} {
		c := enginetest.Must(keyness.Compare(t.Context(), x, y, o))
		if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "only 792 divisions into 5 and 7") {
			t.Errorf("%+v: %q", o, c.Warnings)
		}
		_, lnP, largest, err := keyness.PermuteMeanDifference(t.Context(), x, y, o)
		if err != nil {
			t.Fatal(err)
		}
		for term := range g.Keyness.Terms {
			key := enginetest.Must(c.Of(t.Context(), term))
			if got := hits(key.Log10P * math.Ln10); got != want.LL[term] {
				t.Errorf("%+v: ll of %s is reached in %d divisions, want %d", o, term, got, want.LL[term])
			}
			if got := hits(lnP[term]); got != want.Means[term] {
				t.Errorf("%+v: the means of %s are reached in %d divisions, want %d", o, term, got, want.Means[term])
			}
			if !o.MaxT {
				continue
			}
			if got := hits(key.Log10Corrected * math.Ln10); got != want.LLLargest[term] {
				t.Errorf("ll of %s is reached by any term in %d divisions, want %d", term, got, want.LLLargest[term])
			}
			if got := hits(largest[term]); got != want.MeansLargest[term] {
				t.Errorf("the means of %s are reached by any term in %d divisions, want %d", term, got, want.MeansLargest[term])
			}
		}
	}
}

// One division less than there are: they are drawn, and p counts the observed one, too.
func TestDrawnPermutationsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 4))
	value := func(m keyness.Measure) func(x, y naive.Texts, term string) float64 {
		return func(x, y naive.Texts, term string) float64 {
			switch m {
			case keyness.LL:
				return naive.LLOf(x, y, term)
			case keyness.TDK:
				return naive.Keyness{A: x.Range(term), B: y.Range(term), T1: int64(len(x)), T2: int64(len(y))}.LL()
			}
			return judge(x, y, term, keyness.Options{Measure: m}).value
		}
	}
	for round, m := range []keyness.Measure{keyness.LL, keyness.TDK, keyness.Wilcoxon, keyness.Welch, keyness.Eta, keyness.RankBiserial} {
		a, b := randomTexts(r, 5+r.IntN(4), 12), randomTexts(r, 6+r.IntN(5), 12)
		all := tokensOf(slices.Concat(a, b))
		const draws, seed = 70, 7 // more than a block
		o := keyness.Options{Measure: m, Permutations: draws, Seed: seed, MaxT: true, MinRange: 2}
		var keys [2]map[string]keyness.Key
		var c *keyness.Comparison
		for i, threads := range []int{1, 1 + round%4} {
			o.Threads = threads
			c = enginetest.Must(keyness.Compare(t.Context(), texts(t, corpus.Options{}, a...), texts(t, corpus.Options{}, b...), o))
			keys[i] = map[string]keyness.Key{}
			for term := range c.Counts() {
				keys[i][term] = enginetest.Must(c.Of(t.Context(), term))
			}
		}
		var divisions [][]bool
		for number := range draws {
			in := make([]bool, len(all))
			for _, d := range draw.Order(len(all), seed, uint64(number))[:len(a)] {
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
			if want := p(values[term]); !near(key.Log10P, want) {
				t.Errorf("%s, %s: log p is %v, want %v", m, term, key.Log10P, want)
			}
			if want := p(largest); !math.IsNaN(key.Log10Corrected) && !near(key.Log10Corrected, want) {
				t.Errorf("%s, %s: corrected log p is %v, want %v", m, term, key.Log10Corrected, want)
			}
			if other := keys[1][term]; other.Log10P != key.Log10P || other.Log10Corrected != key.Log10Corrected && !math.IsNaN(key.Log10Corrected) {
				t.Errorf("%s, %s: another number of threads gives %v and %v, not %v and %v", m, term, other.Log10P, other.Log10Corrected, key.Log10P, key.Log10Corrected)
			}
		}
	}
}

// Halves of the reference have the golden values.
func TestGoldenSplitHalf(t *testing.T) {
	g := readGoldenMethods(t)
	target, reference := g.sides()
	c := enginetest.Must(keyness.Compare(t.Context(), texts(t, corpus.Options{}, target...), texts(t, corpus.Options{}, reference...), keyness.Options{}))
	halves := enginetest.Must(c.Halves(t.Context(), keyness.HalfOptions{B: 35}))
	want, sum := g.Keyness.SplitHalf, int64(0)
	for _, split := range want.Splits {
		var first []int
		for _, d := range split.Half {
			first = append(first, d-len(target))
		}
		i := slices.IndexFunc(halves, func(h keyness.Half) bool { return slices.Equal(h.First, first) })
		if i < 0 {
			t.Fatalf("no half is %v: %d", first, len(halves))
		}
		largest, reached := 0., 0
		for term, ll := range split.LL {
			got := math.Abs(halves[i].Values[term])
			if math.Abs(got-ll) > 1e-12*ll+1e-15 {
				t.Errorf("half %v: ll of %s is %v, want %v", first, term, got, ll)
			}
			if largest = max(largest, got); got >= want.Threshold {
				reached++
			}
		}
		if !near(largest, split.Largest) || reached != split.AtLeast {
			t.Errorf("half %v: largest %v, %d reached, want %+v", first, largest, reached, split)
		}
		sum += int64(reached)
	}
	if got := big.NewRat(sum, int64(len(want.Splits))).String(); got != want.ExpectedFalse {
		t.Errorf("%s false keys, want %s", got, want.ExpectedFalse)
	}
	s := enginetest.Must(c.SplitHalf(t.Context(), keyness.HalfOptions{B: 100, At: []float64{want.Threshold, 0}}))
	if s.Points[0].Keys != want.Observed || s.B != 35 || !s.Every || s.Documents != [2]int{3, 4} || len(s.Warnings) != 2 {
		t.Errorf("%+v", s)
	}
	if s.Points[1].Keys != 13 || s.Points[1].False != 11 { // the reference lacks two terms
		t.Errorf("at 0: %+v", s.Points[1])
	}
	if share := s.Points[0].Share(); share != s.Points[0].False/2 {
		t.Errorf("the share of %+v is %v", s.Points[0], share)
	}
}

// Halves that are drawn have the values, the counts and the largest values of the reference.
func TestSplitHalfAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 5))
	for round := range 4 {
		a, b := randomTexts(r, 4, 12), randomTexts(r, 12+r.IntN(3), 15)
		x, y := texts(t, corpus.Options{}, a...), texts(t, corpus.Options{}, b...)
		o := keyness.HalfOptions{B: 80, Seed: 3, At: []float64{1, 4}, Target: round%2 == 1}
		if o.Target {
			x, y = y, x
		}
		halved := tokensOf(b)
		c := enginetest.Must(keyness.Compare(t.Context(), x, y, keyness.Options{MinFreq: 3, Threads: 1 + round}))
		s := enginetest.Must(c.SplitHalf(t.Context(), o))
		reached := [2]float64{}
		for number := range o.B {
			in := make([]bool, len(halved))
			for _, d := range draw.Order(len(halved), o.Seed, uint64(number))[:len(halved)/2] {
				in[d] = true
			}
			first, second := halved.Divide(in)
			largest := 0.
			for term := range c.Counts() {
				f, t1 := first.Count(term)
				g, t2 := second.Count(term)
				if f+g == 0 {
					continue
				}
				k := naive.Keyness{A: f, B: g, T1: t1, T2: t2}
				if !(k.Sign() >= 0 && f >= 3 || k.Sign() <= 0 && g >= 3) {
					continue
				}
				v := math.Abs(k.LL())
				largest = max(largest, v)
				for i, at := range o.At {
					if v >= at {
						reached[i]++
					}
				}
			}
			if !near(s.Largest[number], largest) {
				t.Errorf("half %d: the largest value is %v, want %v", number, s.Largest[number], largest)
			}
		}
		for i, p := range s.Points {
			if !near(p.False, reached[i]/float64(o.B)) {
				t.Errorf("%v false keys, want %v", p.False, reached[i]/float64(o.B))
			}
		}
		if s.Of != map[bool]string{true: "target", false: "reference"}[o.Target] || s.Every {
			t.Errorf("%+v", s)
		}
	}
}

// Without thresholds keys are counted where the best 10, 20, 50 ... are.
func TestPlacesOfSplitHalf(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 6))
	x, y := texts(t, corpus.Options{}, randomTexts(r, 20, 60)...), texts(t, corpus.Options{}, randomTexts(r, 20, 70)...)
	c := enginetest.Must(keyness.Compare(t.Context(), x, y, keyness.Options{Measure: keyness.Wilcoxon, NoContinuity: true}))
	s := enginetest.Must(c.SplitHalf(t.Context(), keyness.HalfOptions{B: 3}))
	if len(s.Points) != 3 || len(s.Warnings) != 0 {
		t.Fatalf("%+v", s)
	}
	for i, least := range []int{10, 20, 50} {
		if p := s.Points[i]; p.Keys < least || i > 0 && p.At > s.Points[i-1].At {
			t.Errorf("%+v has less than %d keys", p, least)
		}
	}
}

func TestErrorsOfDraws(t *testing.T) {
	x, y := texts(t, corpus.Options{}, "apple pear", "apple"), texts(t, corpus.Options{}, "pear plum")
	for _, o := range []keyness.Options{{Permutations: -1}, {Permutations: keyness.MostDraws + 1}, {MaxT: true}, {Permutations: 9, Exact: true}} {
		if err := o.Validate(); !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := keyness.Compare(t.Context(), statisticsOf(t, x), y, keyness.Options{Permutations: 9}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "a permutation looks at every document") {
		t.Errorf("permutations of statistics: %v", err)
	}
	c := enginetest.Must(keyness.Compare(t.Context(), x, y, keyness.Options{}))
	for _, o := range []keyness.HalfOptions{{}, {B: -1}, {B: keyness.MostDraws + 1}, {B: 1, At: []float64{-1}}, {B: 1, At: []float64{math.NaN()}}} {
		if _, err := c.SplitHalf(t.Context(), o); !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := c.SplitHalf(t.Context(), keyness.HalfOptions{B: 1}); !errors.Is(err, usage.ErrData) || !strings.Contains(err.Error(), "cannot be halved") {
		t.Errorf("half of one document: %v", err)
	}
	if _, err := c.SplitHalf(t.Context(), keyness.HalfOptions{B: 1, Target: true}); err != nil {
		t.Errorf("halves of two documents: %v", err)
	}
	c = enginetest.Must(keyness.Compare(t.Context(), x, statisticsOf(t, y), keyness.Options{}))
	if _, err := c.SplitHalf(t.Context(), keyness.HalfOptions{B: 1}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "the reference is counts") {
		t.Errorf("halves of statistics: %v", err)
	}
}

// A measure that is not 0 where nothing differs gets a remark.
func TestUncentredPermutations(t *testing.T) {
	x, y := texts(t, corpus.Options{}, "apple pear", "apple", "fig"), texts(t, corpus.Options{}, "pear plum", "fig", "plum")
	for m, want := range map[keyness.Measure]bool{keyness.RRF: true, keyness.OddsRatio: true, keyness.LL: false, keyness.Wilcoxon: false} {
		c := enginetest.Must(keyness.Compare(t.Context(), x, y, keyness.Options{Measure: m, Permutations: 5}))
		if got := strings.Contains(fmt.Sprint(c.Warnings), "a negative key gets no small p-value"); got != want {
			t.Errorf("%s: %q", m, c.Warnings)
		}
	}
}

func TestWays(t *testing.T) {
	for n := range 30 {
		for k := range n + 1 {
			want := new(big.Int).Binomial(int64(n), int64(k))
			if got, few := keyness.Ways(n, k, 1<<30); !few || int64(got) != want.Int64() {
				t.Errorf("%d of %d: %d, want %v", k, n, got, want)
			}
			if _, few := keyness.Ways(n, k, int(want.Int64())-1); few && want.Int64() > 1 {
				t.Errorf("%d of %d are more than one less than %v", k, n, want)
			}
		}
	}
	if _, few := keyness.Ways(1<<31-1, 1<<30, keyness.MostDraws); few {
		t.Error("halves of two billion documents are few")
	}
}
