package corpus_test

import (
	"errors"
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
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// labelled streams documents with one label instead of theirs.
func labelled(docs document.Stream, label string) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			d.Labels = []string{label}
			if !yield(d, err) {
				return
			}
		}
	}
}

func concat(streams ...document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, s := range streams {
			for d, err := range s {
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// A target against a reference has the scores of their documents with the two labels,
// to the last bit, and the reference's own.
func TestAgainst(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	for i, shape := range naive.Shapes {
		r, rounds := rand.New(rand.NewPCG(uint64(i), 81)), rounds
		if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
			rounds = 2
		}
		for range rounds {
			a, b := naive.RandomCorpus(r, shape), naive.RandomCorpus(r, shape)
			c := testkit.Must(corpus.Contrast(t.Context(), enginetest.CorpusOf(t, a), enginetest.CorpusOf(t, b), corpus.ContrastOptions{Threads: 1 + r.IntN(3)}))
			want := testkit.Must(corpus.Build(t.Context(), concat(labelled(enginetest.StreamOf(a), "target"), labelled(enginetest.StreamOf(b), "reference")), corpus.Options{}))
			for _, o := range enginetest.EveryScoring(1) {
				got := testkit.Must(rank.Several(t.Context(), c, o))
				built := testkit.Must(rank.Several(t.Context(), want, o))
				if o.Measure == "ocfs" && strings.Contains("tfidf-unit ltc", string(o.Weight)) {
					sameOpposed(t, got[0], built[0]) // sums of weights depend on the order of documents
				} else {
					enginetest.SameRanking(t, shape.Name+" "+string(o.Measure)+" "+string(o.Combine), got[0], built[0])
				}
			}
			enginetest.CompareCorpusWithNaive(t, c, naiveAgainst(a, b))
			testkit.Equal(testkit.Stop(t), t.Failed(), false, shape.Name, a, "against", b)
		}
	}
}

// sameOpposed compares by term.
func sameOpposed(t *testing.T, got, want *rank.Ranking) {
	t.Helper()
	values := map[string]float64{}
	for e := range want.All() {
		values[e.Term] = e.Value
	}
	for e := range got.All() {
		enginetest.CompareValue(t, e.Value, values[e.Term], 0, got.Measure, e.Term)
	}
}

// naiveAgainst puts two corpora into the classes of one.
func naiveAgainst(a, b naive.Corpus) naive.Corpus {
	c := naive.Corpus{Classes: []string{"target", "reference"}}
	number := map[string]int{}
	for class, side := range []naive.Corpus{a, b} {
		for _, d := range side.Docs {
			counts := map[int]float64{}
			for t, tf := range d.Counts {
				term := side.Terms[t]
				if _, ok := number[term]; !ok {
					number[term] = len(c.Terms)
					c.Terms = append(c.Terms, term)
				}
				counts[number[term]] = tf
			}
			c.Docs = append(c.Docs, naive.Doc{Labels: []int{class}, Counts: counts})
		}
	}
	return c
}

// The direction is in the tables of the target: more there than independence would
// have, or less.
func TestAgainstTellsTheDirection(t *testing.T) {
	target, reference := enginetest.Build(t, "x:orbit the", "y:orbit the moon", "x:orbit"), enginetest.Build(t, "z:the goal", "z:the goal the", ":the")
	c := testkit.Must(corpus.Contrast(t.Context(), target, reference, corpus.ContrastOptions{Threads: 0}))
	r := testkit.Must(rank.Class(t.Context(), c, corpus.ClassTarget, rank.Options{Measure: "g2"}))
	over := map[string]bool{}
	for e := range r.All() {
		over[e.Term] = e.A*e.D > e.B*e.C
	}
	if !over["orbit"] || !over["moon"] || over["goal"] || over["the"] {
		t.Errorf("%v", over)
	}
	p := c.Provenance()
	if p.Reference == nil || p.InputHash == p.Reference.InputHash || p.InputHash != target.Provenance().InputHash {
		t.Errorf("%+v", p)
	}
	if s, err := selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(2)}); err != nil || !slices.Equal(s.Classes, []string{"reference", "target"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestAgainstRefuses(t *testing.T) {
	a := enginetest.Build(t, "a:one two", "b:three")
	for setting, o := range map[string]analysis.Options{
		`the stem of the target is "none", that of the reference "porter"`:     {Stem: "porter"},
		`the tokens of the target is "words", that of the reference "letters"`: {Tokens: "letters"},
		`the stop words of the target is [], that of the reference [x y]`:      {StopWords: []string{"x", "y"}},
		`the max token of the target is 256, that of the reference 10`:         {MaxToken: 10},
		`the ngrams of the target is "", that of the reference "1-2"`:          {NGrams: "1-2"},
	} {
		b := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one", "b:two"), corpus.Options{Analysis: o}))
		_, err := corpus.Contrast(t.Context(), a, b, corpus.ContrastOptions{Threads: 0})
		var difference *table.DifferenceError
		if !errors.As(err, &difference) || !errors.Is(err, usage.ErrContradiction) || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	bounded := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one two", "b:two"), corpus.Options{MinDF: 2}))
	for what, sides := range map[string][2]*corpus.Corpus{"the target: ": {bounded, a}, "the reference: ": {a, bounded}} {
		if _, err := corpus.Contrast(t.Context(), sides[0], sides[1], corpus.ContrastOptions{Threads: 0}); !errors.Is(err, table.ErrPruned) || !strings.HasPrefix(err.Error(), what) {
			t.Error(err)
		}
	}
}

// Labels do not matter: a side may have none at all.
func TestAgainstUnlabelled(t *testing.T) {
	plain := testkit.Must(corpus.Build(t.Context(), enginetest.Texts(":one two", ":two"), corpus.Options{Unlabelled: true}))
	c, err := corpus.Contrast(t.Context(), plain, enginetest.Build(t, "a:two three"), corpus.ContrastOptions{Threads: 0})
	if err != nil || testkit.Must(c.Info(t.Context())).ClassSizes["target"] != 2 || testkit.Must(c.Info(t.Context())).ClassSizes["reference"] != 1 {
		t.Errorf("%v", err)
	}
}
