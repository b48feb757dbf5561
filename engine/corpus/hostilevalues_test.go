package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// hostileDocuments are documents that somebody might hand to the library, with whether
// an index takes them.
func hostileDocuments() map[string]struct {
	doc document.Document
	ok  bool
} {
	type entry = struct {
		doc document.Document
		ok  bool
	}
	all := map[string]entry{}
	value := func(v float64, ok bool) {
		all[fmt.Sprintf("value %v", v)] = entry{document.Document{ID: "h", Labels: []string{"a"}, Features: []document.Feature{{Term: "x", Value: v}, {Term: "y", Value: 1}}}, ok}
	}
	for _, v := range []float64{
		math.SmallestNonzeroFloat64, 1e-300, math.SmallestNonzeroFloat32, 1e-46, .1, 254, 255, 256, 1<<24 + 1,
		1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<53 - 1e6, 1e15 + .5,
	} {
		value(v, true)
	}
	for _, v := range []float64{0, math.Copysign(0, -1), -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, 1e39, 1e300, math.MaxFloat64, math.Nextafter(math.MaxFloat32, math.Inf(1)), 1 << 63, 1 << 53} {
		value(v, false)
	}
	text := func(name string, id, label string, term string, ok bool) {
		all[name] = entry{document.Document{ID: id, Labels: []string{label}, Features: []document.Feature{{Term: term, Value: 2}, {Term: "plain", Value: 1}}}, ok}
	}
	huge := strings.Repeat("w", 1<<20)
	for name, s := range map[string]string{
		"empty": "", "NUL": "\x00", "two NULs": "\x00\x00", "huge": huge, "line feed": "a\nb\t\\", "separator": "\u2028<&>", "replacement": "\ufffd", "hash": "#x", "not a character": "\uffff",
	} {
		text(name+" id", s, "a", "t", true)
		text(name+" label", "h", s, "t", true)
		text(name+" term", "h", "a", s, true)
	}
	for name, s := range map[string]string{"broken": "\xff", "cut": "caf\xc3", "surrogate": "\xed\xa0\x80", "overlong": "\xc0\x80"} {
		text(name+" id", s, "a", "t", true)
		text(name+" label", "h", s, "t", false)
		text(name+" term", "h", "a", s, true)
	}
	beyond := strings.Repeat("w", ingest.MaxName+1)
	text("beyond id", beyond, "a", "t", false)
	text("beyond label", "h", beyond, "t", false)
	text("beyond term", "h", "a", beyond, false)
	text("term twice", "h", "a", "plain", false)
	return all
}

// beside are plain documents around the one that is tried.
func beside(d document.Document) []document.Document {
	plain := func(id, label string) document.Document {
		return document.Document{ID: id, Labels: []string{label}, Features: []document.Feature{{Term: "x", Value: 1}, {Term: "z", Value: 3}}}
	}
	return []document.Document{plain("p", "b"), d, plain("q", "c")}
}

// contents tells what a corpus has of each document, in input order.
func contents(t *testing.T, c *corpus.Corpus) string {
	t.Helper()
	var b strings.Builder
	ids := testkit.Must(c.DocumentIDs())
	order := testkit.Must(c.InputOrder())
	for _, d := range order {
		var labels []string
		for _, l := range c.Labels(int(d)) {
			labels = append(labels, c.Classes()[l])
		}
		fmt.Fprintf(&b, "%q %q\n", ids[d], labels)
	}
	b.Write(summaryFile(t, c))
	return b.String()
}

// What is built can be saved, and what is saved opens, verifies and has the same
// content; what cannot is refused by an error that names the document.
func TestWhateverIsSavedOpens(t *testing.T) {
	for name, h := range hostileDocuments() {
		for _, threads := range []int{1, 2} {
			t.Run(fmt.Sprintf("%.40q/%d", name, threads), func(t *testing.T) {
				c, err := corpus.BuildBatches(t.Context(), document.InBatches(beside(h.doc)), corpus.Options{Threads: threads})
				if !h.ok {
					refused(t, err, h.doc.ID)
					return
				}
				testkit.OK(err)
				var file bytes.Buffer
				testkit.Must(c.Write(t.Context(), &file, corpus.SaveOptions{}))
				back := testkit.Must(corpus.Decode(file.Bytes()))
				testkit.OK(back.Verify())
				testkit.Equal(t, contents(t, back), contents(t, c))
				wantDocument(t, back, h.doc)
			})
		}
	}
}

// refused wants an error about the document.
func refused(t *testing.T, err error, id string) {
	t.Helper()
	var of *ingest.DocumentError
	if !errors.As(err, &of) || of.ID != id || !errors.Is(err, ingest.ErrBadDocument) && !errors.Is(err, ingest.ErrOverflow) {
		t.Fatalf("%.300v", err)
	}
	if len(err.Error()) > 1000 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// wantDocument wants the names, labels and values that were given.
func wantDocument(t *testing.T, c *corpus.Corpus, d document.Document) {
	t.Helper()
	ids := testkit.Must(c.DocumentIDs())
	order, _ := c.InputOrder()
	doc := order[1]
	testkit.Equal(t, ids[doc], d.ID, "document", c.Labels(int(doc)))
	testkit.Equal(t, c.Classes()[c.Labels(int(doc))[0]], d.Labels[0], "document", ids[doc], c.Labels(int(doc)))
	forward := testkit.Must(c.Index().Forward(t.Context()))
	for _, f := range d.Features {
		term, ok := c.Lookup(f.Term)
		if !ok || !slices.Contains(forward.Terms(int(doc)), uint32(term)) {
			t.Errorf("term %.40q is not there", f.Term)
		}
	}
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(c.Terms())}))
	transformer := testkit.Must(vectors.New(s, ""))
	place := 0
	for row := range testkit.All(transformer.Corpus(t.Context(), c)) {
		if place == 1 {
			for i, index := range row.Index {
				for _, f := range d.Features {
					if f.Term == s.Features[index-1].Term && row.Value[i] != float32(f.Value) {
						t.Errorf("%.40q has %v, not %v", f.Term, row.Value[i], f.Value)
					}
				}
			}
		}
		place++
	}
}

// summaryFile gives the file of all counts, which must open.
func summaryFile(t *testing.T, c *corpus.Corpus) []byte {
	t.Helper()
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, s))
	testkit.Is(t, testkit.Err(corpus.DecodeStatistics(file.Bytes())), nil, "statistics")
	return file.Bytes()
}

// The file of a build within a bound on memory follows the same rules.
func TestWhateverIsSavedWithinABoundOpens(t *testing.T) {
	for name, h := range hostileDocuments() {
		var file bytes.Buffer
		_, err := ingest.BuildTo(t.Context(), &file, document.InBatches(beside(h.doc)), corpus.Options{MaxMemory: ingest.MinMemory, TempDir: t.TempDir(), Threads: 1})
		if !h.ok {
			refused(t, err, h.doc.ID)
			continue
		}
		testkit.Is(testkit.Stop(t), err, nil, name)
		testkit.Is(t, testkit.Err(corpus.Decode(file.Bytes())), nil, name)
	}
}

// Sums beyond what can be told exactly are refused: where documents come one by one,
// where they are merged, and where a corpus is held against another.
func TestTokensDoNotOverflow(t *testing.T) {
	counted := func(id string, values ...float64) document.Document {
		d := document.Document{ID: id, Labels: []string{id[:1]}}
		for i, v := range values {
			d.Features = append(d.Features, document.Feature{Term: string(rune('p' + i)), Value: v})
		}
		return d
	}
	c := func(docs ...document.Document) (*corpus.Corpus, error) {
		return corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{Threads: 1})
	}
	half := float64(1 << 52)
	for name, docs := range map[string][]document.Document{
		"counts":      {counted("a1", half, 1), counted("b1", half-1), counted("culprit", 2)},
		"real values": {counted("a1", 1<<62, .5), counted("b1", .25), counted("culprit", 1<<62)},
	} {
		_, err := c(docs...)
		var of *ingest.DocumentError
		if !errors.Is(err, ingest.ErrOverflow) || !errors.As(err, &of) || of.ID != "culprit" {
			t.Errorf("%s: %v", name, err)
		}
	}
	exact := testkit.Must(c(counted("a1", half, 1), counted("b1", half-1)))
	info, err := exact.Info(t.Context())
	testkit.OK(err)
	testkit.Equal(t, info.Tokens, 1<<53, "tokens")
	large := testkit.Must(c(counted("a1", 1<<62, .5), counted("b1", 1)))
	var file bytes.Buffer
	if err := corpus.Merge(t.Context(), &file, corpus.MergeOptions{AllowRepeats: true}, large, large); !errors.Is(err, ingest.ErrOverflow) || file.Len() > 0 {
		t.Errorf("merged: %v", err)
	}
	testkit.Is(t, testkit.Err(corpus.Contrast(t.Context(), large, large, corpus.ContrastOptions{Threads: 1})),
		ingest.ErrOverflow, "against")
}
