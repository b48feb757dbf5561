package words_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/words"
)

// statisticsOf returns the statistics of a corpus as their file has them.
func statisticsOf(t *testing.T, c *corpus.Corpus) *table.Table {
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))))
	return testkit.Must(corpus.DecodeStatistics(file.Bytes()))
}

// wordCounts returns the occurrences of the words of texts, and their number.
func wordCounts(lines []string) (counts map[string]int64, tokens int64) {
	counts = map[string]int64{}
	for _, line := range lines {
		for _, word := range strings.Fields(line) {
			counts[word]++
			tokens++
		}
	}
	return counts, tokens
}

// A driftOfWord is what the test expects of a word.
type driftOfWord struct {
	change string
	value  float64
	p      float64 // corrected
}

// naiveDrift computes the change of every word from the texts, its value, and its p-value
// by Holm's procedure over all words.
func naiveDrift(earlier, later []string, value func(naive.Keyness) float64, p func(value float64) float64) map[string]driftOfWord {
	before, t2 := wordCounts(earlier)
	after, t1 := wordCounts(later)
	all := map[string]driftOfWord{}
	var order []string
	for _, counts := range []map[string]int64{before, after} {
		for word := range counts {
			if _, known := all[word]; known {
				continue
			}
			k := naive.Keyness{A: after[word], B: before[word], T1: t1, T2: t2}
			w := driftOfWord{change: "steady", value: value(k)}
			switch sign := k.Sign(); {
			case k.B == 0:
				w.change = "new"
			case k.A == 0:
				w.change = "gone"
			case sign > 0:
				w.change = "rising"
			case sign < 0:
				w.change = "falling"
			}
			w.p = p(w.value)
			all[word], order = w, append(order, word)
		}
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Compare(all[a].p, all[b].p) })
	largest := 0.0
	for i, word := range order {
		w := all[word]
		largest = max(largest, min(1, float64(len(order)-i)*w.p))
		w.p = largest
		all[word] = w
	}
	return all
}

// The changes between random corpora, by log-likelihood and by log odds, are those that
// are computed from the texts, of statistics as well as of the corpora.
func TestDriftAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	measures := []struct {
		name  words.Measure
		value func(naive.Keyness) float64
		p     func(float64) float64
	}{
		{words.G2, naive.Keyness.G2, func(v float64) float64 { return math.Erfc(math.Sqrt(math.Abs(v) / 2)) }},
		{words.Z, naive.Keyness.Z, func(v float64) float64 { return math.Erfc(math.Abs(v) / math.Sqrt2) }},
	}
	seen := map[string]int{}
	for round := range 20 {
		earlier, later := randomTexts(r, 1+r.IntN(8), 40), randomTexts(r, 1+r.IntN(8), 60)
		m := measures[round%2]
		want := naiveDrift(earlier, later, m.value, m.p)
		a, b := corpusOf(t, corpus.Options{}, earlier...), corpusOf(t, corpus.Options{}, later...)
		d := testkit.Must(words.Keyness(t.Context(), b, a, words.KeynessOptions{Drift: true, Measure: m.name}))
		of := testkit.Must(words.Keyness(t.Context(), statisticsOf(t, b), statisticsOf(t, a), words.KeynessOptions{Drift: true, Measure: m.name, Threads: 3}))
		testkit.Equal(testkit.Stop(t), d.Tested, len(want), "and", "terms tested of")
		testkit.Equal(testkit.Stop(t), of.Tested, len(want), "and", "terms tested of")
		found := 0
		for i, changed := range d.Lists {
			if changed.Passed != len(changed.Keys) || !slices.IsSortedFunc(changed.Keys, func(x, y words.Key) int { return order(m.name, x, y) }) {
				t.Errorf("%s: %d of %d keys, or not in order", changed.Name, len(changed.Keys), changed.Passed)
			}
			for j, k := range changed.Keys {
				w := want[k.Term]
				if w.change != changed.Name || k.List != w.change || !near(k.Value, w.value) || !near(math.Pow(10, k.Log10Corrected), w.p) {
					t.Errorf("%s is %s, %v, p %v; want %+v", k.Term, changed.Name, k.Value, math.Pow(10, k.Log10Corrected), w)
				}
				k.Target.Dispersion, k.Reference.Dispersion = words.Dispersion{}, words.Dispersion{}
				same := of.Lists[i].Keys[j]
				if !math.IsNaN(same.Target.Dispersion.DP) || !math.IsNaN(same.Reference.Dispersion.D) {
					t.Errorf("%s has a dispersion in statistics: %+v", k.Term, same)
				}
				same.Target.Dispersion, same.Reference.Dispersion = words.Dispersion{}, words.Dispersion{}
				testkit.Equal(t, fmt.Sprintf("%x", same), fmt.Sprintf("%x", k), "the statistics give", same,
					"the corpora", k)
			}
			seen[changed.Name] += len(changed.Keys)
			found += len(changed.Keys)
		}
		for _, w := range want {
			if w.change == "steady" {
				found++
			}
		}
		testkit.Equal(t, found, len(want))
	}
	for _, change := range []string{"new", "gone", "rising", "falling"} {
		if seen[change] < 20 {
			t.Errorf("only %d terms were %s", seen[change], change)
		}
	}
}

// Top bounds each change, and MaxP all of them; statistics are told from corpora in
// warnings only.
func TestDriftBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	a, b := corpusOf(t, corpus.Options{}, randomTexts(r, 20, 200)...), corpusOf(t, corpus.Options{}, randomTexts(r, 20, 260)...)
	all := testkit.Must(words.Keyness(t.Context(), b, a, words.KeynessOptions{Drift: true}))
	top := testkit.Must(words.Keyness(t.Context(), statisticsOf(t, b), a, words.KeynessOptions{Drift: true, Top: 2}))
	for i, changed := range all.Lists {
		cut := top.Lists[i]
		if cut.Passed != changed.Passed || len(cut.Keys) != 2 || cut.Keys[0].Term != changed.Keys[0].Term || cut.Keys[1].Term != changed.Keys[1].Term {
			t.Errorf("%s: %+v of %d", cut.Name, cut.Keys, changed.Passed)
		}
	}
	if len(all.Warnings) != 0 || len(top.Warnings) != 1 || !strings.Contains(top.Warnings[0], "the target is statistics") {
		t.Errorf("warnings %q and %q", all.Warnings, top.Warnings)
	}
	testkit.Is(t, testkit.Err(words.Keyness(t.Context(), a, a, words.KeynessOptions{Drift: true, MaxP: .01})), words.ErrNoKeys,
		"no change")
	if k := testkit.Must(testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, randomTexts(r, 3, 9)...), a, words.KeynessOptions{Drift: true})).Of(t.Context(), "shared")); k.List == "new" || k.List == "gone" {
		t.Errorf("a word of both is %s", k.List)
	}
	testkit.Says(t, testkit.Err(words.Keyness(t.Context(), a, statisticsOf(t, enginetest.Iris(t)), words.KeynessOptions{Drift: true})),
		"real numbers", "real values")
}
