package ingest_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// countsOf lists the documents of a corpus with their labels and counts, in the order of the input.
func countsOf(t *testing.T, c *corpus.Corpus) (all []string) {
	x := c.Index()
	ids := testkit.Must(c.DocumentIDs())
	weights := testkit.Must(c.Index().Weights(t.Context(), table.TF))
	docs := map[uint32][]string{}
	for term := range c.Terms() {
		it := testkit.Must(c.Postings(term)).Iterator()
		for i := 0; it.HasNext(); i++ {
			d := it.Next()
			docs[d] = append(docs[d], fmt.Sprintf("%s=%v", c.Term(term), weights.Of(term)[i]))
		}
	}
	for _, d := range testkit.Must(x.InputOrder()) {
		var labels []string
		for _, l := range c.Labels(int(d)) {
			labels = append(labels, c.Classes()[l])
		}
		all = append(all, fmt.Sprintf("%s %s: %s", ids[d], strings.Join(labels, ","), strings.Join(docs[d], " ")))
	}
	return all
}

// naiveSegments are the documents that the segments of texts are.
func naiveSegments(docs []document.Document, a *analysis.Analyzer, n int) (segments []document.Document, short int) {
	for _, d := range docs {
		terms := a.Terms(d.Text)
		if len(terms) < n {
			short++
		}
		for ; len(terms) >= n; terms = terms[n:] {
			counts := map[string]float64{}
			for _, term := range terms[:n] {
				counts[term]++
			}
			features := []document.Feature{}
			for term, v := range counts {
				features = append(features, document.Feature{Term: term, Value: v})
			}
			segments = append(segments, document.Document{ID: d.ID, Labels: d.Labels, Features: features})
		}
	}
	return segments, short
}

// Segments are what cutting the terms of each document gives, in one batch or many, on one thread or
// more, in memory or not.
func TestSegments(t *testing.T) {
	docs := slices.DeleteFunc(enginetest.ManyTexts(30), func(d document.Document) bool { return d.Features != nil })
	for _, o := range []analysis.Options{{}, {Tokens: "words", Stop: "english"}, {Tokens: "words", NGrams: "2"}, {Tokens: "char", NGrams: "3"}, {Tokens: "char_wb", NGrams: "3-3"}, {Tokens: "unicode", Stem: "porter2"}} {
		checked := o
		if o.Tokens == "" {
			checked.Tokens = "words"
		}
		for _, n := range []int{1, 7} {
			want, short := naiveSegments(docs, testkit.Must(analysis.New(checked)), n)
			counted := testkit.Must(corpus.Build(t.Context(), document.Of(want...), corpus.Options{Analysis: checked, Unlabelled: true}))
			for threads, memory := range []int64{0, 0, ingest.MinMemory, 0} {
				c := testkit.Must(corpus.BuildBatches(t.Context(), enginetest.InBatches(docs, 1+5*threads), corpus.Options{Analysis: o, Segment: n, Unlabelled: true, Threads: threads + 1, MaxMemory: memory, TempDir: t.TempDir()}))
				testkit.Equal(testkit.Stop(t), strings.Join(countsOf(t, c), "\n"),
					strings.Join(countsOf(t, counted), "\n"), o, n, "tokens", "segments")
				p := c.Provenance()
				if p.Short != short || p.Segment != n || p.Analysis.Tokens != checked.Tokens {
					t.Errorf("%+v, %d tokens: %+v, want %d short documents", o, n, p, short)
				}
				testkit.OK(c.Close())
			}
		}
	}
}

func TestErrorsOfSegments(t *testing.T) {
	of := func(text string) []document.Document {
		return []document.Document{{ID: "a", Text: []byte(text)}, {ID: "b", Text: []byte("two words")}}
	}
	counted := append(of("some words"), document.Document{ID: "c", Features: []document.Feature{{Term: "x", Value: 1}}})
	for want, c := range map[string]struct {
		docs []document.Document
		o    corpus.Options
		kind error
	}{
		"a segment must have a positive number":                 {of("words"), corpus.Options{Segment: -1}, usage.ErrUsage},
		"segments of one text may be alike":                     {of("words"), corpus.Options{Segment: 2, Dedupe: true}, usage.ErrUsage},
		"n-grams of several lengths (1-2)":                      {of("words"), corpus.Options{Segment: 2, Analysis: analysis.Options{NGrams: "1-2"}}, usage.ErrUsage},
		"none of the 2 documents has 3 tokens":                  {of("words"), corpus.Options{Segment: 3}, ingest.ErrEmpty},
		"the corpus has no documents":                           {nil, corpus.Options{Segment: 3}, ingest.ErrEmpty},
		`document "c": it comes counted, and segments need its`: {counted, corpus.Options{Segment: 2}, ingest.ErrBadDocument},
	} {
		c.o.Unlabelled = true
		testkit.Refused(t, testkit.Err(corpus.Build(t.Context(), document.Of(c.docs...), c.o)), c.kind, want)
	}
	testkit.Equal(t, (&ingest.Options{Segment: 3}).Tallies(), false, "segments are counted without documents")
}

// Texts cut differently are not compared or merged.
func TestSegmentsOfDifferentLengths(t *testing.T) {
	build := func(n int) *corpus.Corpus {
		return testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one two three four", "b:five six seven eight"), corpus.Options{Segment: n}))
	}
	whole, three, four := build(0), build(3), build(4)
	for _, pair := range [][2]*corpus.Corpus{{whole, three}, {three, four}} {
		x, y := enginetest.StatisticsOf(t, pair[0], ""), enginetest.StatisticsOf(t, pair[1], "")
		var different *table.DifferenceError
		if err := table.Comparable(x, y); !errors.As(err, &different) || different.Setting != "length of segments" {
			t.Errorf("%v", err)
		}
		if err := corpus.Merge(t.Context(), io.Discard, corpus.MergeOptions{}, pair[:]...); !errors.As(err, &different) || different.Setting != "length of segments" {
			t.Errorf("%v", err)
		}
	}
	testkit.OK(table.Comparable(enginetest.StatisticsOf(t, three, ""), enginetest.StatisticsOf(t, build(3), "")))
}
