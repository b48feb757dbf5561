package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
)

// manyTexts are documents of random words, some long, some with other letters,
// and of features.
func manyTexts(n int) (docs []document.Document) {
	r := rand.New(rand.NewPCG(61, 62))
	words := []string{"x", "Über", "naïve", "一二三", "一二三四五六七八九十", strings.Repeat("long", 10), strings.Repeat("x", 300), "the", "running"}
	for d := range n {
		doc := document.Document{ID: strconv.Itoa(d), Labels: []string{"c" + strconv.Itoa(r.IntN(7))}}
		if r.IntN(5) == 0 {
			doc.Labels = append(doc.Labels, "c"+strconv.Itoa(r.IntN(7)))
		}
		if r.IntN(10) == 0 {
			for i := range r.IntN(20) {
				doc.Features = append(doc.Features, document.Feature{Term: "T" + strconv.Itoa(i*i), Value: float64(1 + r.IntN(300))})
			}
		}
		if doc.Features == nil {
			for range r.IntN(200) {
				if w := r.IntN(5000); w < len(words) {
					doc.Text = append(doc.Text, words[w]...)
				} else {
					doc.Text = fmt.Appendf(doc.Text, "w%d", w*w/1000)
				}
				doc.Text = append(doc.Text, ' ')
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

func each(docs []document.Document) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func bytesOf(t *testing.T, c *engine.Corpus) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The same documents give the same bytes, whoever counts them.
func TestBuildOnThreads(t *testing.T) {
	docs := manyTexts(3000)
	real := append(manyTexts(1500), document.Document{ID: "r", Labels: []string{"c"}, Features: []document.Feature{{Term: "T4", Value: 0.1}}})
	for name, c := range map[string]struct {
		docs []document.Document
		opt  engine.Options
	}{
		"plain":   {docs, engine.Options{}},
		"stems":   {docs, engine.Options{Analysis: analysis.Options{Stem: "porter", Stop: "smart"}}},
		"bigrams": {docs, engine.Options{Analysis: analysis.Options{Tokens: "zh-bigrams"}}},
		"unicode": {docs, engine.Options{Analysis: analysis.Options{Tokens: "unicode"}}},
		"n-grams": {docs[:1000], engine.Options{Analysis: analysis.Options{NGrams: "1-3", Stop: "glasgow"}}},
		"bounds":  {docs, engine.Options{MinDF: 2, MaxDF: 0.5}},
		"real":    {real, engine.Options{}},
		"dedupe":  {append(docs, docs[100:300]...), engine.Options{Dedupe: true}},
	} {
		c.opt.Threads = 1
		first, err := engine.Build(t.Context(), each(c.docs), c.opt)
		if err != nil {
			t.Fatal(err)
		}
		want := bytesOf(t, first)
		for _, threads := range []int{1, 2, 3, 8} {
			c.opt.Threads = threads
			corpus, err := engine.Build(t.Context(), each(c.docs), c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytesOf(t, corpus), want) {
				t.Errorf("%s: a stream on %d threads gives other bytes", name, threads)
			}
			corpus, err = engine.BuildBatches(t.Context(), document.InBatches(c.docs), c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytesOf(t, corpus), want) {
				t.Errorf("%s: batches on %d threads give other bytes", name, threads)
			}
		}
	}
}

func TestDedupe(t *testing.T) {
	docs := texts("a:One two", "b:three", "b: one\nTWO ", "a:one two", "c:three", "b:one two three")
	for _, threads := range []int{1, 2} {
		c, err := engine.Build(t.Context(), docs, engine.Options{Dedupe: true, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		i := must(c.Info(t.Context()))
		if i.Documents != 3 || i.Provenance.Repeats != 3 || i.Provenance.Relabelled != 2 || i.Classes != 2 {
			t.Errorf("%d threads: %+v", threads, i)
		}
		if _, ok := i.ClassSizes["c"]; ok {
			t.Error("a class without documents is left")
		}
	}
	c, err := engine.Build(t.Context(), docs, engine.Options{})
	if err != nil || must(c.Info(t.Context())).Documents != 6 || must(c.Info(t.Context())).Provenance.Repeats != 0 {
		t.Errorf("%+v, %v", must(c.Info(t.Context())), err)
	}
}

// The error of the first document wins, and no goroutine goes on.
func TestBuildErrors(t *testing.T) {
	docs := manyTexts(5000)
	docs[1000].Text, docs[1000].Features = nil, []document.Feature{{Term: "x", Value: -1}}
	docs[4000].Text, docs[4000].Features = nil, []document.Feature{{Term: "x", Value: -2}}
	for _, threads := range []int{1, 2, 8} {
		for range 5 {
			_, err := engine.Build(t.Context(), each(docs), engine.Options{Threads: threads})
			if err == nil || !strings.Contains(err.Error(), `document "1000": the value of term "x" is -1`) {
				t.Fatalf("%d threads: %v", threads, err)
			}
		}
	}
	broken := errors.New("broken")
	for _, threads := range []int{1, 2} {
		_, err := engine.Build(t.Context(), func(yield func(document.Document, error) bool) {
			_ = yield(docs[0], nil) && yield(document.Document{}, broken)
		}, engine.Options{Threads: threads})
		if !errors.Is(err, broken) {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, threads := range []int{1, 2} {
		c, err := engine.Build(t.Context(), texts("a:one "+long, "b:two "+long+" "+long), engine.Options{Threads: threads})
		if err != nil || must(c.Info(t.Context())).Provenance.LongTokens != 3 {
			t.Errorf("%+v, %v", must(c.Info(t.Context())).Provenance, err)
		}
	}
}
