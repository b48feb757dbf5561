package words_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// corpusOf builds a corpus of unlabelled documents.
func corpusOf(t *testing.T, o corpus.Options, lines ...string) *corpus.Corpus {
	var docs []document.Document
	for i, line := range lines {
		docs = append(docs, document.Document{ID: fmt.Sprint("d", i), Text: []byte(line)})
	}
	o.Unlabelled = true
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), o))
}

// randomTexts returns documents of words with the frequencies of a natural text, some of
// them empty.
func randomTexts(r *rand.Rand, n, words int) []string {
	lines := make([]string, n)
	for i := range lines {
		var b strings.Builder
		for range r.IntN(80) {
			fmt.Fprintf(&b, "w%d ", int(float64(words)*math.Pow(r.Float64(), 3)))
		}
		lines[i] = b.String()
	}
	lines[0] += " shared"
	return lines
}

// spreadOf returns the occurrences of a term in texts, and their tokens.
func spreadOf(lines []string, term string) (s naive.Spread, df int, tf int64) {
	for _, line := range lines {
		words, n := strings.Fields(line), int64(0)
		for _, w := range words {
			if w == term {
				n++
			}
		}
		if tf += n; n > 0 {
			df++
		}
		s.Occurrences, s.Tokens = append(s.Occurrences, n), append(s.Tokens, int64(len(words)))
	}
	return s, df, tf
}

func near(got, want float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= 1e-12*max(math.Abs(want), .01)
}

// Every key of random corpora has the frequencies, the measures and the dispersion of the
// reference, whichever measure ranks them, and their order is that of their values.
func TestKeysAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	measures := words.KeynessMeasures()
	for round := range 10 {
		a, b := randomTexts(r, 1+r.IntN(12), 15), randomTexts(r, 1+r.IntN(12), 20)
		m := measures[round%len(measures)]
		c := testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...), words.KeynessOptions{Measure: m}))
		if len(c.Lists[0].Keys) != c.Lists[0].Passed || len(c.Lists[1].Keys) != c.Lists[1].Passed || len(c.Lists[0].Keys)+len(c.Lists[1].Keys) > c.Tested {
			t.Errorf("%d and %d keys of %d, %d and %d passed", len(c.Lists[0].Keys), len(c.Lists[1].Keys), c.Tested, c.Lists[0].Passed, c.Lists[1].Passed)
		}
		for term := range c.Counts() {
			key := testkit.Must(c.Of(t.Context(), term))
			compareKey(t, m, &key, a, b, c)
			list := map[int][]words.Key{1: c.Lists[0].Keys, -1: c.Lists[1].Keys}[key.Sign]
			if key.Sign != 0 && !slices.ContainsFunc(list, func(k words.Key) bool { return k.Term == key.Term }) {
				t.Errorf("%s is missing among the keys", key.Term)
			}
		}
		for _, list := range [][]words.Key{c.Lists[0].Keys, c.Lists[1].Keys} {
			testkit.Equal(t, slices.IsSortedFunc(list, func(x, y words.Key) int { return order(m, x, y) }), true,
				"keys by", m, "are not in order")
		}
	}
}

// order is that of keys with the same sign.
func order(m words.Measure, x, y words.Key) int {
	v, w := x.Value, y.Value
	if x.Sign < 0 && m != words.ELL && m != words.BIC {
		v, w = -v, -w
	}
	switch {
	case math.IsNaN(v) != math.IsNaN(w):
		return cmp.Compare(boolInt(math.IsNaN(v)), boolInt(math.IsNaN(w)))
	case v != w && !math.IsNaN(v):
		return cmp.Compare(w, v)
	}
	return cmp.Or(cmp.Compare(y.Target.TF+y.Reference.TF, x.Target.TF+x.Reference.TF), cmp.Compare(x.Term, y.Term))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareKey(t *testing.T, m words.Measure, key *words.Key, a, b []string, c *words.Comparison) {
	t.Helper()
	left, df1, tf1 := spreadOf(a, key.Term)
	right, df2, tf2 := spreadOf(b, key.Term)
	k := naive.Keyness{A: tf1, B: tf2}
	for i := range left.Tokens {
		k.T1 += left.Tokens[i]
	}
	for i := range right.Tokens {
		k.T2 += right.Tokens[i]
	}
	if int64(c.Target.Tokens) != k.T1 || int64(c.Reference.Tokens) != k.T2 || c.Target.Documents != len(a) || c.Reference.Documents != len(b) {
		t.Fatalf("sides %+v, %+v; want %d and %d tokens", c.Target, c.Reference, k.T1, k.T2)
	}
	if key.Sign != k.Sign() || key.Target.TF != int(tf1) || key.Reference.TF != int(tf2) || key.Target.DF != df1 || key.Reference.DF != df2 {
		t.Fatalf("%+v, want %d in %d and %d in %d", key, tf1, df1, tf2, df2)
	}
	values := map[words.Measure][2]float64{
		words.LL: {key.Of(words.LL), k.LL()}, words.G2: {key.Of(words.G2), k.G2()}, words.Chi: {key.Of(words.Chi), k.Chi(true)}, words.Z: {key.Of(words.Z), k.Z()},
		words.LogRatio: {key.Of(words.LogRatio), k.LogRatio()}, words.Diff: {key.Of(words.Diff), k.Diff()}, words.ELL: {key.Of(words.ELL), k.ELL()},
		words.OddsRatio: {key.Of(words.OddsRatio), k.OddsRatio()}, words.BIC: {key.Of(words.BIC), k.BIC()}, words.PMI: {key.Of(words.PMI), k.PMI()},
	}
	values["value"] = [2]float64{key.Value, values[m][0]}
	for i, of := range []struct {
		use    words.Use
		spread naive.Spread
	}{{key.Target, left}, {key.Reference, right}} {
		d, s := of.use.Dispersion, of.spread
		values[words.Measure(fmt.Sprint("DP", i))] = [2]float64{d.DP, s.DP()}
		values[words.Measure(fmt.Sprint("DPNorm", i))] = [2]float64{d.DPNorm, s.DPNorm()}
		values[words.Measure(fmt.Sprint("D", i))] = [2]float64{d.D, s.JuillandD()}
	}
	values["per million"] = [2]float64{key.Target.PerMillion, 1e6 * float64(tf1) / float64(k.T1)}
	for name, v := range values {
		testkit.Equal(t, near(v[0], v[1]), true, key.Term, name, "is", v[0], "want", v[1])
	}
}

// The keys do not depend on threads, and Top cuts the lists.
func TestThreadsAndTop(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	many := func(n int) (lines []string) {
		for range n {
			lines = append(lines, fmt.Sprintf("%s t%d u%d", strings.Join(randomTexts(r, 1, 1500), " "), r.IntN(6000), r.IntN(6000)))
		}
		return lines
	}
	target, reference := corpusOf(t, corpus.Options{}, many(1000)...), corpusOf(t, corpus.Options{}, many(600)...)
	for _, m := range words.KeynessMeasures() {
		all := testkit.Must(words.Keyness(t.Context(), target, reference, words.KeynessOptions{Measure: m, MinFreq: 4, Threads: 1}))
		for _, threads := range []int{1, 4} {
			c := testkit.Must(words.Keyness(t.Context(), target, reference, words.KeynessOptions{Measure: m, MinFreq: 4, Threads: threads, Top: 30}))
			got, want := fmt.Sprint(c.Lists[0].Keys, c.Lists[1].Keys), fmt.Sprint(all.Lists[0].Keys[:30], all.Lists[1].Keys[:30])
			if got != want || c.Lists[0].Passed != len(all.Lists[0].Keys) || c.Lists[1].Passed != len(all.Lists[1].Keys) {
				t.Errorf("%s with %d threads:\n%.300s\nwant\n%.300s", m, threads, got, want)
			}
		}
	}
}

// The bounds are of the corpus that uses the term more, and keep what is at them, of keys of either sign. The correction
// counts the terms within them.
func TestBounds(t *testing.T) {
	target := corpusOf(t, corpus.Options{}, "up up up", "up two", "both both", "both")
	reference := corpusOf(t, corpus.Options{}, "down down down", "down one", "both both", "both")
	of := func(o words.KeynessOptions) string {
		c, err := words.Keyness(t.Context(), target, reference, o)
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		fmt.Fprint(&b, c.Tested, ":")
		for i, list := range c.Lists {
			for _, k := range list.Keys {
				fmt.Fprint(&b, " ", "+-"[i:i+1], k.Term)
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		o    words.KeynessOptions
		want string
	}{
		{words.KeynessOptions{}, "5: +up +two -down -one"},
		{words.KeynessOptions{MaxP: 1}, "5: +up +two -down -one"},
		{words.KeynessOptions{MinFreq: 3}, "3: +up -down"},
		{words.KeynessOptions{MinFreq: 4}, "2: +up -down"},
		{words.KeynessOptions{MinRange: 2}, "3: +up -down"},
		{words.KeynessOptions{Measure: words.LogRatio, Top: 1}, "5: +up -down"},
		{words.KeynessOptions{MinFreq: 5, MinRange: 1}, "no key words: none of the 5 terms has the least frequency, 5, and the least range, 1, in the corpus that uses it more"},
		{words.KeynessOptions{MinRange: 3}, "no key words: none of the 5 terms has the least frequency, 0, and the least range, 3, in the corpus that uses it more"},
		{words.KeynessOptions{MaxP: 1e-9}, "no key words: none of the 5 terms tested has a p-value of 1e-09 or less, by correction holm"},
	} {
		testkit.Equal(t, of(c.o), c.want, c.o)
	}
	if _, err := words.Keyness(t.Context(), target, target, words.KeynessOptions{}); !errors.Is(err, words.ErrNoKeys) || !errors.Is(err, usage.ErrNothing) || !strings.Contains(err.Error(), "both corpora use each of the 3 terms tested alike") {
		t.Errorf("a corpus against itself: %v", err)
	}
	// Eight terms of which each is there once have corrected p-values of 1.
	r := testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, "aa bb cc dd"), corpusOf(t, corpus.Options{}, "ee ff gg hh"), words.KeynessOptions{MaxP: 1}))
	if len(r.Lists[0].Keys) != 4 || r.Lists[0].Keys[0].Log10Corrected != 0 {
		t.Errorf("p-values of 1 at most: %+v", r.Lists[0].Keys)
	}
}

// Corrected p-values against a correction by hand.
func TestCorrections(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	target, reference := corpusOf(t, corpus.Options{}, randomTexts(r, 20, 20)...), corpusOf(t, corpus.Options{}, randomTexts(r, 20, 30)...)
	for _, correction := range append([]string{words.Holm, words.BH, words.None}, "") {
		c := testkit.Must(words.Keyness(t.Context(), target, reference, words.KeynessOptions{Correction: correction, MinFreq: 2}))
		var tested []words.Key
		for term := range c.Counts() {
			if k := testkit.Must(c.Of(t.Context(), term)); !math.IsNaN(k.Log10Corrected) {
				tested = append(tested, k)
			}
		}
		if len(tested) != c.Tested || c.Tested < 10 {
			t.Fatalf("%d have a corrected p-value, %d were tested", len(tested), c.Tested)
		}
		slices.SortFunc(tested, func(a, b words.Key) int { return cmp.Compare(a.Log10P, b.Log10P) })
		m := float64(len(tested))
		want := make([]float64, len(tested))
		for i, k := range tested {
			p := math.Pow(10, k.Log10P)
			switch correction {
			case words.None:
				want[i] = p
			case words.BH:
				want[i] = 1
				for j := i; j < len(tested); j++ {
					want[i] = min(want[i], math.Pow(10, tested[j].Log10P)*m/float64(j+1))
				}
			default:
				if want[i] = min(1, p*(m-float64(i))); i > 0 {
					want[i] = max(want[i], want[i-1])
				}
			}
			testkit.Close(t, math.Pow(10, k.Log10Corrected), want[i], 0, 1e-9*want[i], correction, k.Term)
		}
	}
}

// One document has no dispersion, nor has a term that a corpus lacks; empty documents are no
// parts.
func TestDispersionWithoutParts(t *testing.T) {
	target, reference := corpusOf(t, corpus.Options{}, "apple pear", "", ""), corpusOf(t, corpus.Options{}, "plum pear", "pear bread bread")
	c := testkit.Must(words.Keyness(t.Context(), target, reference, words.KeynessOptions{}))
	if len(c.Warnings) != 1 || c.Warnings[0] != "the target is one document: the dispersion in it is undefined" {
		t.Errorf("warnings %q", c.Warnings)
	}
	k := testkit.Must(c.Of(t.Context(), "apple"))
	if d := k.Target.Dispersion; !math.IsNaN(d.DP) || !math.IsNaN(d.DPNorm) || !math.IsNaN(d.D) {
		t.Errorf("dispersion in one document: %+v", d)
	}
	if d := k.Reference.Dispersion; !math.IsNaN(d.DP) || k.Reference.TF != 0 || k.Reference.PerMillion != 0 {
		t.Errorf("dispersion of an absent term: %+v", k.Reference)
	}
	if k = testkit.Must(c.Of(t.Context(), "pear")); math.IsNaN(k.Reference.Dispersion.D) {
		t.Errorf("dispersion in two documents: %+v", k.Reference)
	}
	for wrong, near := range map[string]string{"aple": "apple", "plumm": "plum"} { // the first term and the last one
		_, err := c.Of(t.Context(), wrong)
		if !errors.Is(err, usage.ErrNothing) || !strings.Contains(err.Error(), "did you mean "+near) || !strings.Contains(err.Error(), "neither corpus has it") {
			t.Errorf("a term in neither: %v", err)
		}
	}
}

func TestBadInput(t *testing.T) {
	plain := corpusOf(t, corpus.Options{}, "apple pear", "plum")
	stemmed := corpusOf(t, corpus.Options{Analysis: analysis.Options{Stem: "porter2"}}, "apples", "pears")
	pruned := corpusOf(t, corpus.Options{MinDF: 2}, "apple pear", "apple")
	var difference *table.DifferenceError
	for _, c := range []struct {
		name              string
		target, reference *corpus.Corpus
		o                 words.KeynessOptions
		is                func(error) bool
		text              string
	}{
		{"nil", nil, plain, words.KeynessOptions{}, is(usage.ErrUsage), "nil corpus"},
		{"nil reference", plain, nil, words.KeynessOptions{}, is(usage.ErrUsage), "nil corpus"},
		{"stemmed", plain, stemmed, words.KeynessOptions{}, func(err error) bool { return errors.As(err, &difference) && errors.Is(err, usage.ErrData) }, "stem"},
		{"pruned", plain, pruned, words.KeynessOptions{}, is(table.ErrPruned), "the reference"},
		{"real values", enginetest.Iris(t), enginetest.Iris(t), words.KeynessOptions{}, is(usage.ErrData), "real numbers"},
		{"measure", plain, plain, words.KeynessOptions{Measure: "l1"}, is(usage.ErrUsage), "did you mean ll"},
		{"title of a measure", plain, plain, words.KeynessOptions{Measure: "log_likelihood"}, is(usage.ErrUsage), "did you mean ll (log-likelihood)?"},
		{"name in another program", plain, plain, words.KeynessOptions{Measure: "textstat_keyness"}, is(usage.ErrUsage), "did you mean ll (log-likelihood)?"},
		{"words of another program", plain, plain, words.KeynessOptions{Measure: "fighting words"}, is(usage.ErrUsage), "did you mean z (z score of weighted log odds)?"},
		{"words of a title", plain, plain, words.KeynessOptions{Measure: "odds ratio"}, is(usage.ErrUsage), "did you mean or (odds ratio)?"},
		{"one more measure", plain, plain, words.KeynessOptions{Also: []words.Measure{"zetta"}}, is(usage.ErrUsage), "did you mean zeta"},
		{"log_ratio", plain, plain, words.KeynessOptions{Measure: "log_ratio"}, is(usage.ErrUsage), "did you mean logratio (log ratio)?"},
		{"words", plain, plain, words.KeynessOptions{Measure: "simple maths"}, is(usage.ErrUsage), "did you mean simplemaths (simple maths)?"},
		{"unit", plain, plain, words.KeynessOptions{CountBy: "document"}, is(usage.ErrUsage), "did you mean documents"},
		{"confidence", plain, plain, words.KeynessOptions{Conf: 1}, is(usage.ErrUsage), "below 1, not 1"},
		{"negative confidence", plain, plain, words.KeynessOptions{Conf: -.5}, is(usage.ErrUsage), "above 0"},
		{"confidence that is no number", plain, plain, words.KeynessOptions{Conf: math.NaN()}, is(usage.ErrUsage), "confidence"},
		{"smoothing", plain, plain, words.KeynessOptions{Smooth: math.Inf(1)}, is(usage.ErrUsage), "positive numbers"},
		{"negative smoothing", plain, plain, words.KeynessOptions{Smooth: -1}, is(usage.ErrUsage), "positive numbers"},
		{"c of zetalog", plain, plain, words.KeynessOptions{ZetaC: math.NaN()}, is(usage.ErrUsage), "c of zetalog"},
		{"correction", plain, plain, words.KeynessOptions{Correction: "bonferroni"}, is(usage.ErrUsage), "holm"},
		{"p", plain, plain, words.KeynessOptions{MaxP: 2}, is(usage.ErrUsage), "p-value"},
		{"not a number", plain, plain, words.KeynessOptions{MaxP: math.NaN()}, is(usage.ErrUsage), "p-value"},
		{"negative", plain, plain, words.KeynessOptions{MinFreq: -1}, is(usage.ErrUsage), "negative"},
	} {
		_, err := words.Keyness(t.Context(), c.target, c.reference, c.o)
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(words.Keyness(ctx, plain, corpusOf(t, corpus.Options{}, "bread"), words.KeynessOptions{})),
		context.Canceled, "cancelled")
}

func is(kind error) func(error) bool { return func(err error) bool { return errors.Is(err, kind) } }

// Rates per million divide by words, whatever n-grams are counted beside them.
func TestRatesAreOfWords(t *testing.T) {
	target, reference := []string{"new york is new", "york"}, []string{"old york is old"}
	for option, want := range map[string]struct {
		words int
		rates map[string]float64
	}{
		"":    {5, map[string]float64{"new": 400_000, "york": 400_000}},
		"1-2": {5, map[string]float64{"new": 400_000, "new york": 200_000}},
		"1-3": {5, map[string]float64{"york": 400_000, "new york is": 200_000}},
		"2":   {3, map[string]float64{"new york": 1e6 / 3.}},
		"2-3": {3, map[string]float64{"new york": 1e6 / 3., "york is new": 1e6 / 3.}},
	} {
		opt := corpus.Options{Analysis: analysis.Options{NGrams: option}}
		c := testkit.Must(words.Keyness(t.Context(), corpusOf(t, opt, target...), corpusOf(t, opt, reference...), words.KeynessOptions{}))
		testkit.Equal(t, c.Target.Words, want.words, option, "words")
		for term, rate := range want.rates {
			testkit.Equal(t, testkit.Must(c.Of(t.Context(), term)).Target.PerMillion, rate, option, term, "is there",
				"times in a million")
		}
	}
}

// A term that both corpora use alike is tested where either has it often enough and in enough documents.
func TestTestedWhereUsedAlike(t *testing.T) {
	large := corpusOf(t, corpus.Options{}, "like like much much", "like like much much")
	small := corpusOf(t, corpus.Options{}, "like like", "less less")
	for _, o := range []words.KeynessOptions{{MinFreq: 4}, {MinRange: 2}} {
		for _, sides := range [][2]*corpus.Corpus{{large, small}, {small, large}} {
			c := testkit.Must(words.Keyness(t.Context(), sides[0], sides[1], o))
			if like := testkit.Must(c.Of(t.Context(), "like")); c.Tested != 2 || math.IsNaN(like.Log10Corrected) || like.List != "neither" {
				t.Errorf("%+v: %d tested, %s: %v", o, c.Tested, like.List, like.Log10Corrected)
			}
		}
	}
}
