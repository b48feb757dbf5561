// Package enginetest has what the tests of several rooms of the engine need: corpora from
// texts, random shapes and real data (corpora.go, golden.go), every call of the public API
// that may be cancelled or fail (calls.go, passes.go), and checks that nothing is left
// behind (passes.go).
//
// Begin reading with corpora.go. Only tests import the package; its functions fail the test
// instead of returning errors.
package enginetest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// Texts streams documents given as "labels: text", the labels joined by commas.
func Texts(lines ...string) document.Stream {
	docs := make([]document.Document, len(lines))
	for i, line := range lines {
		labels, text, _ := strings.Cut(line, ":")
		docs[i] = document.Document{ID: fmt.Sprint("d", i), Text: []byte(text)}
		if labels != "" {
			docs[i].Labels = strings.Split(labels, ",")
		}
	}
	return document.Of(docs...)
}

// Build builds a corpus of the documents of [Texts].
func Build(t testing.TB, lines ...string) *corpus.Corpus {
	t.Helper()
	return testkit.Must(corpus.Build(t.Context(), Texts(lines...), corpus.Options{}))
}

// Iris builds a corpus of the iris data: documents with four real values.
func Iris(t *testing.T) *corpus.Corpus {
	t.Helper()
	file := testkit.Must(os.Open(testkit.Corpus(t, "iris.data")))
	defer file.Close()
	rows := testkit.Must(csv.NewReader(file).ReadAll())
	return CorpusFrom(t, func(i int) (d document.Document) {
		d.Labels = rows[i][4:]
		for f, text := range rows[i][:4] {
			d.Features = append(d.Features, document.Feature{Term: strconv.Itoa(f + 1), Value: testkit.Must(strconv.ParseFloat(text, 64))})
		}
		return d
	}, len(rows))
}

// CorpusOf builds the corpus of a naive one.
func CorpusOf(t testing.TB, c naive.Corpus) *corpus.Corpus {
	t.Helper()
	return testkit.Must(corpus.Build(t.Context(), StreamOf(c), corpus.Options{}))
}

// StreamOf streams the documents of a naive corpus.
func StreamOf(c naive.Corpus) document.Stream {
	docs := make([]document.Document, len(c.Docs))
	for d, counted := range c.Docs {
		docs[d] = document.Document{ID: fmt.Sprint(d), Features: []document.Feature{}}
		for _, l := range counted.Labels {
			docs[d].Labels = append(docs[d].Labels, c.Classes[l])
		}
		for t, term := range c.Terms {
			if tf := counted.Counts[t]; tf > 0 {
				docs[d].Features = append(docs[d].Features, document.Feature{Term: term, Value: tf})
			}
		}
	}
	return document.Of(docs...)
}

// CorpusOfSource returns the corpus of the index file of a source.
func CorpusOfSource(t testing.TB, src postings.Source) *corpus.Corpus {
	t.Helper()
	x := testkit.Must(postings.Build(t.Context(), src, postings.BuildOptions{Meta: []byte("{}")}))
	var file bytes.Buffer
	testkit.Must(store.Write(t.Context(), &file, postings.Whole(x), store.WriteOptions{}))
	return testkit.Must(corpus.Decode(file.Bytes()))
}

// StatisticsOf counts a corpus with a weighting; "" is none.
func StatisticsOf(t testing.TB, c *corpus.Corpus, weight string) *table.Table {
	t.Helper()
	return testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Weight: table.Weighting(weight)}))
}

// ManyChunks builds a corpus with enough terms for a pass of four chunks or more.
func ManyChunks(t *testing.T) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(51, 52))
	return CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{"c" + strconv.Itoa(r.IntN(5)), "c" + strconv.Itoa(r.IntN(5))}}
		for term := d % 10; term < 6_000; term += 50 + r.IntN(100) {
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term), Value: 1 + float64(r.IntN(8))/4})
		}
		return doc
	}, 300)
}

// CorpusFrom builds a corpus of the n documents that make returns, with their numbers as
// names.
func CorpusFrom(t *testing.T, make func(d int) document.Document, n int) *corpus.Corpus {
	t.Helper()
	var docs []document.Document
	for d := range n {
		doc := make(d)
		doc.ID = strconv.Itoa(d)
		docs = append(docs, doc)
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}

// ManyTexts returns n documents: most of random words, some of them long or with letters
// beyond ASCII, and some of features.
func ManyTexts(n int) (docs []document.Document) {
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

// Stream streams documents.
func Stream(docs []document.Document) document.Stream { return document.Of(docs...) }

// BytesOf returns the index file of a corpus.
func BytesOf(t *testing.T, c *corpus.Corpus) []byte {
	t.Helper()
	var b bytes.Buffer
	testkit.Must(c.WriteTo(&b))
	return b.Bytes()
}

// NewsgroupsCorpus builds a corpus of [Newsgroups].
func NewsgroupsCorpus(t testing.TB, split string, groups ...string) *corpus.Corpus {
	t.Helper()
	return testkit.Must(corpus.Build(t.Context(), Newsgroups(t, split, groups...).Documents(), corpus.Options{}))
}

// A Variant has documents and a way to analyse them.
type Variant struct {
	Docs []document.Document
	Opt  corpus.Options
}

// Variants returns by name documents with every tokenizer and other options of analysis.
func Variants() map[string]Variant {
	docs := ManyTexts(600)
	real := append(ManyTexts(400), document.Document{ID: "r", Labels: []string{"c"}, Features: []document.Feature{{Term: "T4", Value: 0.1}}})
	all := map[string]Variant{
		"stems":     {docs, corpus.Options{Analysis: analysis.Options{Stem: "porter2", Stop: "smart"}, Charset: "latin-1"}},
		"n-grams":   {docs[:200], corpus.Options{Analysis: analysis.Options{NGrams: "1-3", Stop: "glasgow"}}},
		"max-token": {docs, corpus.Options{Analysis: analysis.Options{MaxToken: 5}}},
		"real":      {real, corpus.Options{}},
	}
	for _, tokens := range analysis.Tokenizers() {
		all[tokens] = Variant{docs, corpus.Options{Analysis: analysis.Options{Tokens: tokens}}}
	}
	return all
}

// WithLabels returns a copy of c with other labels, given by document.
func WithLabels(c naive.Corpus, labels [][]string) naive.Corpus {
	c.Docs = slices.Clone(c.Docs)
	for d, names := range labels {
		c.Docs[d].Labels = nil
		for _, name := range names {
			c.Docs[d].Labels = append(c.Docs[d].Labels, slices.Index(c.Classes, name))
		}
	}
	return c
}

// InBatches cuts documents into batches of n.
func InBatches(docs []document.Document, n int) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for part := range slices.Chunk(docs, n) {
			if !yield(Stream(part), nil) {
				return
			}
		}
	}
}

// Rounds says how many random corpora of each shape a test has: All, but no more than Large for shapes with
// many documents or classes. Package cases chooses those that a run tries.
type Rounds struct {
	All, Large int
	// InTurn tries one shape after another, for a test that adds up over all of them.
	InTurn bool
}

// Each runs a test on the corpora, the shapes in parallel unless InTurn.
func (n Rounds) Each(t *testing.T, test func(t *testing.T, r *rand.Rand, c naive.Corpus)) {
	t.Helper()
	for _, shape := range naive.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			if !n.InTurn {
				t.Parallel()
			}
			count := n.All
			if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
				count = min(count, n.Large)
			}
			for round, r := range testkit.Cases(t, count) {
				c := naive.RandomCorpus(r, shape)
				test(t, r, c)
				testkit.Equal(testkit.Stop(t), t.Failed(), false, "round", round, c)
			}
		})
	}
}
