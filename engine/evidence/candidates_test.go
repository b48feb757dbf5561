package evidence_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/usage"
)

// An index leaves out no document with an occurrence, and of a single word none but those are left.
func TestCandidatesHaveAllOccurrences(t *testing.T) {
	docs := naiveTexts(rand.New(rand.NewPCG(11, 12)), 300)
	told := 0
	for _, o := range []corpus.Options{
		{},
		{Analysis: analysis.Options{Stem: "porter2", NGrams: "1-2"}},
		{Analysis: analysis.Options{NGrams: "2"}},
		{MinDF: 20},
		{Analysis: analysis.Options{Tokens: "char_wb", NGrams: "3"}},
		{Analysis: analysis.Options{Tokens: "zh-bigrams"}},
	} {
		o.Unlabelled = true
		if o.Analysis.Tokens == "" {
			o.Analysis.Tokens = "words"
		}
		c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), o))
		for _, pattern := range []string{"moon", "m??nl*", "the moon", "moonlight art", "running", "state of art", "* cafe", "ru*", "the", "汉字", " ca", strings.Repeat("long", 70) + "?"} {
			if strings.HasPrefix(o.Analysis.Tokens, "char") != (pattern == " ca") {
				continue
			}
			search := evidence.Search{Patterns: []string{pattern}}
			only := testkit.Must(evidence.FindCandidates(t.Context(), c, search))
			all := testkit.Must(evidence.Lines(t.Context(), document.InBatches(docs), o.Analysis, evidence.LineOptions{All: true}, search))
			some := testkit.Must(evidence.Lines(t.Context(), only.Of(document.InBatches(docs)), o.Analysis, evidence.LineOptions{All: true}, search))
			if !slices.Equal(all.Of[0].Lines, some.Of[0].Lines) {
				t.Errorf("%+v, %q: %d lines of candidates, %d of all", o.Analysis, pattern, len(some.Of[0].Lines), len(all.Of[0].Lines))
			}
			if oneWord := !strings.Contains(strings.TrimSpace(pattern), " "); !only.Any && oneWord && len(only.Names) != all.Of[0].Documents {
				t.Errorf("%+v, %q: %d candidates, %d documents", o.Analysis, pattern, len(only.Names), all.Of[0].Documents)
			}
			if lacksWords := o.MinDF > 0 || o.Analysis.NGrams == "2"; lacksWords && !only.Any {
				t.Errorf("%+v, %q: the index tells what it cannot know", o.Analysis, pattern)
			}
			if !only.Any {
				told++
			}
		}
	}
	if told < 20 {
		t.Errorf("the index told of %d searches", told)
	}
}

// What no document has is named.
func TestAbsentWords(t *testing.T) {
	docs := []document.Document{{ID: "1", Text: []byte("the moon rose")}, {ID: "2", Text: []byte("the sea")}, {ID: "3", Text: []byte("a star")}}
	c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{Unlabelled: true}))
	search := evidence.Search{Patterns: []string{"moon sea", "the comet", "x*y moon"}}
	want := []string{"comet", "x*y"}
	only := testkit.Must(evidence.FindCandidates(t.Context(), c, search))
	if !slices.Equal(only.Absent, want) || len(only.Names) != 0 || only.Any {
		t.Errorf("%+v", only)
	}
	found := testkit.Must(evidence.Lines(t.Context(), document.InBatches(docs), analysis.Options{}, evidence.LineOptions{}, search))
	if !slices.Equal(found.Of[0].Absent, want) || found.Of[0].Occurrences != 0 {
		t.Errorf("%+v", found.Of[0])
	}
	if near := found.Nearest("moan"); !slices.Equal(near, []string{"moon"}) {
		t.Errorf("near: %q", near)
	}
	if _, err := evidence.FindCandidates(t.Context(), c, evidence.Search{Patterns: []string{"*"}}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("*: %v", err)
	}
	if _, err := evidence.FindCandidates(t.Context(), nil); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("nil: %v", err)
	}
}

// More lines than are kept are an error that says what to do, and nothing is kept of them.
func TestTooManyLines(t *testing.T) {
	docs := texts(strings.Repeat("moon ", evidence.MostLines+1))
	o := evidence.LineOptions{All: true}
	if _, err := evidence.Lines(t.Context(), docs, analysis.Options{}, o, evidence.OfTerms("moon")...); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "take a sample") {
		t.Error(err)
	}
	found := testkit.Must(evidence.Lines(t.Context(), docs, analysis.Options{}, evidence.LineOptions{Most: 2}, evidence.OfTerms("moon")...))
	if found.Of[0].Occurrences != evidence.MostLines+1 || len(found.Of[0].Lines) != 2 {
		t.Errorf("%d lines of %d", len(found.Of[0].Lines), found.Of[0].Occurrences)
	}
}
