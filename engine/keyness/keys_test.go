package keyness_test

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
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/table"
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
	change keyness.Change
	value  float64
	p      float64 // corrected
}

// naiveDrift computes the change of every word from the texts, its value, and its p-value
// by Holm's procedure over all words.
func naiveDrift(earlier, later []string, value func(naive.Keyness) float64, p func(value float64) float64) map[string]driftOfWord {
	before, t2 := wordCounts(earlier)
	after, t1 := wordCounts(later)
	words := map[string]driftOfWord{}
	var order []string
	for _, counts := range []map[string]int64{before, after} {
		for word := range counts {
			if _, known := words[word]; known {
				continue
			}
			k := naive.Keyness{A: after[word], B: before[word], T1: t1, T2: t2}
			w := driftOfWord{change: keyness.Steady, value: value(k)}
			switch sign := k.Sign(); {
			case k.B == 0:
				w.change = keyness.New
			case k.A == 0:
				w.change = keyness.Gone
			case sign > 0:
				w.change = keyness.Rising
			case sign < 0:
				w.change = keyness.Falling
			}
			w.p = p(w.value)
			words[word], order = w, append(order, word)
		}
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Compare(words[a].p, words[b].p) })
	largest := 0.0
	for i, word := range order {
		w := words[word]
		largest = max(largest, min(1, float64(len(order)-i)*w.p))
		w.p = largest
		words[word] = w
	}
	return words
}

// The changes between random corpora, by log-likelihood and by log odds, are those that
// are computed from the texts, of statistics as well as of the corpora.
func TestDriftAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	measures := []struct {
		name  keyness.Measure
		value func(naive.Keyness) float64
		p     func(float64) float64
	}{
		{keyness.G2, naive.Keyness.G2, func(v float64) float64 { return math.Erfc(math.Sqrt(math.Abs(v) / 2)) }},
		{keyness.Z, naive.Keyness.Z, func(v float64) float64 { return math.Erfc(math.Abs(v) / math.Sqrt2) }},
	}
	seen := map[keyness.Change]int{}
	for round := range 20 {
		earlier, later := randomTexts(r, 1+r.IntN(8), 40), randomTexts(r, 1+r.IntN(8), 60)
		m := measures[round%2]
		words := naiveDrift(earlier, later, m.value, m.p)
		a, b := texts(t, corpus.Options{}, earlier...), texts(t, corpus.Options{}, later...)
		d := testkit.Must(keyness.Drift(t.Context(), a, b, keyness.Options{Measure: m.name}))
		of := testkit.Must(keyness.Drift(t.Context(), statisticsOf(t, a), statisticsOf(t, b), keyness.Options{Measure: m.name, Threads: 3}))
		testkit.Equal(testkit.Stop(t), d.Tested, len(words), "and", "terms tested of")
		testkit.Equal(testkit.Stop(t), of.Tested, len(words), "and", "terms tested of")
		found := 0
		for i, changed := range d.Changes {
			if changed.Passed != len(changed.Keys) || !slices.IsSortedFunc(changed.Keys, func(x, y keyness.Key) int { return order(m.name, x, y) }) {
				t.Errorf("%s: %d of %d keys, or not in order", changed.Change, len(changed.Keys), changed.Passed)
			}
			for j, k := range changed.Keys {
				w := words[k.Term]
				if w.change != changed.Change || k.Change() != w.change || !near(k.Value, w.value) || !near(math.Pow(10, k.Log10Corrected), w.p) {
					t.Errorf("%s is %s, %v, p %v; want %+v", k.Term, changed.Change, k.Value, math.Pow(10, k.Log10Corrected), w)
				}
				k.Target.Dispersion, k.Reference.Dispersion = keyness.Dispersion{}, keyness.Dispersion{}
				same := of.Changes[i].Keys[j]
				if !math.IsNaN(same.Target.Dispersion.DP) || !math.IsNaN(same.Reference.Dispersion.D) {
					t.Errorf("%s has a dispersion in statistics: %+v", k.Term, same)
				}
				same.Target.Dispersion, same.Reference.Dispersion = keyness.Dispersion{}, keyness.Dispersion{}
				testkit.Equal(t, fmt.Sprintf("%x", same), fmt.Sprintf("%x", k), "the statistics give", same,
					"the corpora", k)
			}
			seen[changed.Change] += len(changed.Keys)
			found += len(changed.Keys)
		}
		for _, w := range words {
			if w.change == keyness.Steady {
				found++
			}
		}
		testkit.Equal(t, found, len(words))
	}
	for _, change := range []keyness.Change{keyness.New, keyness.Gone, keyness.Rising, keyness.Falling} {
		if seen[change] < 20 {
			t.Errorf("only %d terms were %s", seen[change], change)
		}
	}
}

// Top bounds each change, and MaxP all of them; statistics are told from corpora in
// warnings only.
func TestDriftBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	a, b := texts(t, corpus.Options{}, randomTexts(r, 20, 200)...), texts(t, corpus.Options{}, randomTexts(r, 20, 260)...)
	all := testkit.Must(keyness.Drift(t.Context(), a, b, keyness.Options{}))
	top := testkit.Must(keyness.Drift(t.Context(), a, statisticsOf(t, b), keyness.Options{Top: 2}))
	for i, changed := range all.Changes {
		cut := top.Changes[i]
		if cut.Passed != changed.Passed || len(cut.Keys) != 2 || cut.Keys[0].Term != changed.Keys[0].Term || cut.Keys[1].Term != changed.Keys[1].Term {
			t.Errorf("%s: %+v of %d", cut.Change, cut.Keys, changed.Passed)
		}
	}
	if len(all.Warnings) != 0 || len(top.Warnings) != 1 || !strings.Contains(top.Warnings[0], "the target is statistics") {
		t.Errorf("warnings %q and %q", all.Warnings, top.Warnings)
	}
	testkit.Is(t, testkit.Err(keyness.Drift(t.Context(), a, a, keyness.Options{MaxP: .01})), keyness.ErrNoKeys,
		"no change")
	if k := testkit.Must(testkit.Must(keyness.Drift(t.Context(), a, texts(t, corpus.Options{}, randomTexts(r, 3, 9)...), keyness.Options{})).Of(t.Context(), "shared")); k.Change() == keyness.New || k.Change() == keyness.Gone {
		t.Errorf("a word of both is %s", k.Change())
	}
	testkit.Says(t, testkit.Err(keyness.Drift(t.Context(), statisticsOf(t, enginetest.Iris(t)), a, keyness.Options{})),
		"real numbers", "real values")
}
