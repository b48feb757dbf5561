package corpus_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

// The same documents give the same bytes, whoever counts them.
func TestBuildOnThreads(t *testing.T) {
	several := []int{1, 2, 3, 8}
	if testing.Short() {
		several = []int{3}
	}
	docs := enginetest.ManyTexts(3000)
	real := append(enginetest.ManyTexts(1500), document.Document{ID: "r", Labels: []string{"c"}, Features: []document.Feature{{Term: "T4", Value: 0.1}}})
	for name, c := range map[string]struct {
		docs []document.Document
		opt  corpus.Options
	}{
		"plain":   {docs, corpus.Options{}},
		"stems":   {docs, corpus.Options{Analysis: analysis.Options{Stem: "porter", Stop: "smart"}}},
		"bigrams": {docs, corpus.Options{Analysis: analysis.Options{Tokens: "zh-bigrams"}}},
		"unicode": {docs, corpus.Options{Analysis: analysis.Options{Tokens: "unicode"}}},
		"n-grams": {docs[:1000], corpus.Options{Analysis: analysis.Options{NGrams: "1-3", Stop: "glasgow"}}},
		"bounds":  {docs, corpus.Options{MinDF: 2, MaxDF: 0.5}},
		"real":    {real, corpus.Options{}},
		"dedupe":  {append(docs, docs[100:300]...), corpus.Options{Dedupe: true}},
	} {
		c.opt.Threads = 1
		first := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(c.docs), c.opt))
		want := enginetest.BytesOf(t, first)
		for _, threads := range several {
			c.opt.Threads = threads
			counted := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(c.docs), c.opt))
			testkit.EqualSlices(t, enginetest.BytesOf(t, counted), want, name, "a stream on", threads,
				"threads gives other bytes")
			for kind, build := range map[string]func(context.Context, document.Batches, corpus.Options) (*corpus.Corpus, error){
				"batches": corpus.BuildBatches, "batches in memory": corpus.BuildInMemory,
			} {
				counted = testkit.Must(build(t.Context(), document.InBatches(c.docs), c.opt))
				testkit.EqualSlices(t, enginetest.BytesOf(t, counted), want, name, kind, "on", threads,
					"threads give other bytes")
			}
		}
	}
}

// What builds in memory refuses a bound on it, and counts what needs an index.
func TestInMemory(t *testing.T) {
	docs := enginetest.ManyTexts(300)
	bounded := corpus.Options{MaxMemory: 1 << 30}
	testkit.Is(t, testkit.Err(corpus.BuildInMemory(t.Context(), document.InBatches(docs), bounded)), usage.ErrUsage,
		"BuildInMemory with a bound")
	testkit.Is(t, testkit.Err(corpus.CountInMemory(t.Context(), document.InBatches(docs), bounded)), usage.ErrUsage,
		"CountInMemory with a bound")
	for _, opt := range []corpus.Options{{}, {MinDF: 2}, {Dedupe: true}} {
		var got, want bytes.Buffer
		for out, count := range map[*bytes.Buffer]func(context.Context, document.Batches, corpus.Options) (*corpus.Counted, error){
			&got: corpus.CountInMemory, &want: corpus.CountBatches,
		} {
			counted := testkit.Must(count(t.Context(), document.InBatches(docs), opt))
			testkit.Must(corpus.WriteStatistics(out, counted.Table))
		}
		testkit.EqualSlices(t, got.Bytes(), want.Bytes(), opt, "CountInMemory gives other statistics than CountBatches")
	}
}

func TestDedupe(t *testing.T) {
	docs := enginetest.Texts("a:One two", "b:three", "b: one\nTWO ", "a:one two", "c:three", "b:one two three")
	for _, threads := range []int{1, 2} {
		c := testkit.Must(corpus.Build(t.Context(), docs, corpus.Options{Dedupe: true, Threads: threads}))
		i := testkit.Must(c.Info(t.Context()))
		if i.Documents != 3 || i.Provenance.Repeats != 3 || i.Provenance.Relabelled != 2 || i.Classes != 2 {
			t.Errorf("%d threads: %+v", threads, i)
		}
		if _, ok := i.ClassSizes["c"]; ok {
			t.Error("a class without documents is left")
		}
	}
	c, err := corpus.Build(t.Context(), docs, corpus.Options{})
	if err != nil || testkit.Must(c.Info(t.Context())).Documents != 6 || testkit.Must(c.Info(t.Context())).Provenance.Repeats != 0 {
		t.Errorf("%+v, %v", testkit.Must(c.Info(t.Context())), err)
	}
}

// The error of the first document wins, and no goroutine goes on.
func TestBuildErrors(t *testing.T) {
	docs := enginetest.ManyTexts(5000)
	docs[1000].Text, docs[1000].Features = nil, []document.Feature{{Term: "x", Value: -1}}
	docs[4000].Text, docs[4000].Features = nil, []document.Feature{{Term: "x", Value: -2}}
	for _, threads := range []int{1, 2, 8} {
		for range 5 {
			_, err := corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{Threads: threads})
			testkit.Says(testkit.Stop(t), err, `document "1000": the value of term "x" is -1`, threads, "threads")
		}
	}
	broken := errors.New("broken")
	for _, threads := range []int{1, 2} {
		_, err := corpus.Build(t.Context(), func(yield func(document.Document, error) bool) {
			_ = yield(docs[0], nil) && yield(document.Document{}, broken)
		}, corpus.Options{Threads: threads})
		testkit.Is(t, err, broken, threads, "threads")
	}
}

func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, threads := range []int{1, 2} {
		c, err := corpus.Build(t.Context(), enginetest.Texts("a:one "+long, "b:two "+long+" "+long), corpus.Options{Threads: threads})
		if err != nil || testkit.Must(c.Info(t.Context())).Provenance.LongTokens != 3 {
			t.Errorf("%+v, %v", testkit.Must(c.Info(t.Context())).Provenance, err)
		}
	}
}
