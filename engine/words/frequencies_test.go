package words_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// inClasses builds a corpus whose documents have the classes of their numbers: c0 and c1 in turn, some
// both, some none.
func inClasses(t *testing.T, lines []string) (*corpus.Corpus, map[string][]string) {
	var docs []document.Document
	of := map[string][]string{}
	for i, line := range lines {
		labels := [][]string{{"c0"}, {"c1"}, {"c0", "c1"}, nil}[i%4]
		docs = append(docs, document.Document{ID: fmt.Sprint("d", i), Text: []byte(line), Labels: labels})
		for _, label := range labels {
			of[label] = append(of[label], line)
		}
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{})), of
}

// Lists of random corpora, of a class and of statistics have the frequencies and the dispersion of the
// reference, and the order that was asked for.
func TestWordsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range 12 {
		lines := randomTexts(r, 8+r.IntN(12), 15)
		lines[1] += " shared"
		c, of := inClasses(t, lines)
		stats := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
		o := words.WordOptions{Order: words.WordOrders()[round%len(words.WordOrders())], Threads: 1 + round%3, MinFreq: round % 3, MinRange: round % 2}
		for _, class := range []string{"", "c0", "c1"} {
			want := lines
			if o.Class = class; class != "" {
				want = of[class]
			}
			compareWords(t, testkit.Must(words.Frequencies(t.Context(), c, o)), o, want, true)
			bare := o
			if strings.HasPrefix(string(o.Order), "d") && o.Order != words.ByDocuments {
				bare.Order = words.ByDocuments
			}
			compareWords(t, testkit.Must(words.Frequencies(t.Context(), stats, bare)), bare, want, false)
		}
		o.Class, o.ByClass = "", true
		compareByClass(t, testkit.Must(words.Frequencies(t.Context(), c, o)), of)
	}
}

// compareWords compares a list with the texts that it is of.
func compareWords(t *testing.T, l *words.WordList, o words.WordOptions, lines []string, spread bool) {
	t.Helper()
	terms, tokens, passed := map[string]bool{}, 0, 0
	for _, line := range lines {
		for _, w := range strings.Fields(line) {
			terms[w] = true
			tokens++
		}
	}
	for term := range terms {
		if _, df, tf := spreadOf(lines, term); int(tf) >= o.MinFreq && df >= o.MinRange {
			passed++
		}
	}
	if l.Documents != len(lines) || l.Tokens != tokens || l.Side.Words != tokens || l.Terms != len(terms) || l.Passed != passed || len(l.Words) != passed {
		t.Errorf("%d documents, %d tokens, %d words, %d terms, %d and %d of them; want %d, %d, %d, %d", l.Documents, l.Tokens, l.Side.Words, l.Terms, l.Passed, len(l.Words),
			len(lines), tokens, len(terms), passed)
	}
	for _, w := range l.Words {
		s, df, tf := spreadOf(lines, w.Term)
		if w.TF != int(tf) || w.DF != df || !near(w.PerMillion, 1e6*float64(tf)/float64(tokens)) || !near(w.Share, float64(df)/float64(len(lines))) {
			t.Errorf("%s: %d in %d documents, %v, %v; want %d in %d", w.Term, w.TF, w.DF, w.PerMillion, w.Share, tf, df)
		}
		d := w.Dispersion
		if spread && (!near(d.DP, s.DP()) || !near(d.DPNorm, s.DPNorm()) || !near(d.D, s.JuillandD())) || !spread && !(math.IsNaN(d.DP) && math.IsNaN(d.DPNorm) && math.IsNaN(d.D)) {
			t.Errorf("%s: %v, want %v %v %v", w.Term, d, s.DP(), s.DPNorm(), s.JuillandD())
		}
	}
	testkit.Equal(t, slices.IsSortedFunc(l.Words, func(v, w words.Word) int { return wordOrder(o.Order, &v, &w) }),
		true, "words by", o.Order, "are not in order")
}

// wordOrder is -1 if a word comes before another.
func wordOrder(o words.WordOrder, v, w *words.Word) int {
	keys := func(w *words.Word) []float64 {
		last := func(x float64) float64 {
			if math.IsNaN(x) {
				return math.Inf(1)
			}
			return x
		}
		counts := []float64{-float64(w.TF), -float64(w.DF)}
		switch o {
		case words.ByDocuments:
			return []float64{counts[1], counts[0]}
		case words.ByTerm:
			return nil
		case words.ByDP:
			return append([]float64{last(w.Dispersion.DP)}, counts...)
		case words.ByDPNorm:
			return append([]float64{last(w.Dispersion.DPNorm)}, counts...)
		case words.ByD:
			return append([]float64{last(-w.Dispersion.D)}, counts...)
		}
		return counts
	}
	if c := slices.Compare(keys(v), keys(w)); c != 0 {
		return c
	}
	return strings.Compare(v.Term, w.Term)
}

// compareByClass compares the uses of classes with their texts.
func compareByClass(t *testing.T, l *words.WordList, of map[string][]string) {
	t.Helper()
	testkit.EqualSlices(testkit.Stop(t), l.Classes, []string{"c0", "c1"}, "classes")
	for i, class := range l.Classes {
		tokens := 0
		for _, line := range of[class] {
			tokens += len(strings.Fields(line))
		}
		for at, w := range l.Words {
			_, df, tf := spreadOf(of[class], w.Term)
			if use := l.ByClass(nil, at)[i]; use.TF != int(tf) || use.DF != df || !near(use.PerMillion, 1e6*float64(tf)/float64(tokens)) {
				t.Errorf("%s in %s: %+v, want %d in %d", w.Term, class, use, tf, df)
			}
		}
	}
}

// A list that was written and read gives the keys of the corpus that it was made of, but for dispersions.
func TestListsOfWordsAreReferences(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, m := range []words.Measure{words.LL, words.LogRatio, words.TDK, words.Zeta, words.SimpleMaths, words.LRC} {
		a, b := randomTexts(r, 6, 15), randomTexts(r, 9, 20)
		target, reference := corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...)
		var text bytes.Buffer
		testkit.OK(testkit.Must(words.Frequencies(t.Context(), reference, words.WordOptions{})).WriteList(&text))
		list := testkit.Must(words.ReadFrequencyList(&text, "list", words.ListTotals{}))
		o := words.KeynessOptions{Measure: m}
		want := testkit.Must(words.Keyness(t.Context(), target, reference, o))
		got := testkit.Must(words.Keyness(t.Context(), target, list, o))
		testkit.Equal(t, got.Reference, want.Reference, m, "tests")
		testkit.Equal(t, got.Tested, want.Tested, m, "tests")
		none := words.Dispersion{}
		for i, keys := range [][2][]words.Key{{got.Lists[0].Keys, want.Lists[0].Keys}, {got.Lists[1].Keys, want.Lists[1].Keys}} {
			for j := range max(len(keys[0]), len(keys[1])) {
				g, w := keys[0][j], keys[1][j]
				g.Reference.Dispersion, w.Reference.Dispersion, g.Target.Dispersion, w.Target.Dispersion = none, none, none, none
				testkit.Equal(t, fmt.Sprint(g), fmt.Sprint(w), m, "list", i)
			}
		}
	}
}

// What cannot be listed is an error.
func TestWordsErrors(t *testing.T) {
	plain := corpusOf(t, corpus.Options{}, "one two two", "two three")
	classed, _ := inClasses(t, []string{"one two", "two three"})
	stats := testkit.Must(classed.Statistics(t.Context(), corpus.CountOptions{}))
	pruned := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("x:one two", "x:two"), corpus.Options{MinDF: 2}))
	for name, c := range map[string]struct {
		of   rank.Counted
		o    words.WordOptions
		want error
		text string
	}{
		"no corpus":       {nil, words.WordOptions{}, usage.ErrUsage, "nil"},
		"order":           {plain, words.WordOptions{Order: "size"}, usage.ErrUsage, `unknown order of words "size"`},
		"negative":        {plain, words.WordOptions{Top: -1}, usage.ErrUsage, "negative"},
		"two ways":        {classed, words.WordOptions{Class: "c0", ByClass: true}, usage.ErrUsage, "omit one"},
		"no such class":   {classed, words.WordOptions{Class: "c2"}, usage.ErrUsage, `unknown class "c2"`},
		"no classes":      {plain, words.WordOptions{ByClass: true}, usage.ErrNoLabels, "a list by class tells classes apart"},
		"no class":        {plain, words.WordOptions{Class: "c0"}, usage.ErrNoLabels, "--label-field"},
		"spread of cells": {stats, words.WordOptions{Order: words.ByDP}, usage.ErrUsage, "statistics do not know"},
		"too rare":        {plain, words.WordOptions{MinFreq: 4}, words.ErrNoWords, "none of the 3 terms has the least frequency, 4,"},
	} {
		testkit.Refused(t, testkit.Err(words.Frequencies(t.Context(), c.of, c.o)), c.want, c.text, name)
	}
	l := testkit.Must(words.Frequencies(t.Context(), pruned, words.WordOptions{}))
	if err := l.WriteList(&bytes.Buffer{}); !errors.Is(err, table.ErrPruned) || len(l.Warnings) == 0 {
		t.Errorf("a list of a part of the terms: %v, %q", err, l.Warnings)
	}
	odd := testkit.Must(corpus.Build(t.Context(), document.Of(document.Document{ID: "d", Features: []document.Feature{{Term: "a\tb", Value: 1}}}), corpus.Options{Unlabelled: true}))
	testkit.Says(t, testkit.Must(words.Frequencies(t.Context(), odd, words.WordOptions{})).WriteList(&bytes.Buffer{}),
		`"a\tb" has a tab`, "a term with a tab")
}
