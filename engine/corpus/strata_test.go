package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// stratified returns random documents with classes, some several and some none, and a stratum.
// Real says that their values are no counts.
func stratified(seed uint64, n int, real bool) (docs []document.Document) {
	r := rand.New(rand.NewPCG(seed, 39))
	for i := range n {
		d := document.Document{ID: fmt.Sprint(i), Stratum: fmt.Sprint("h", r.IntN(5)), Features: []document.Feature{}}
		for _, class := range []string{"a", "a\x01", "b", "é"} {
			if r.IntN(3) == 0 {
				d.Labels = append(d.Labels, class)
			}
		}
		for term := range 30 {
			if r.IntN(term+2) == 0 {
				v := float64(1 + r.IntN(4))
				if real {
					v = 1e6 + r.Float64()
				}
				d.Features = append(d.Features, document.Feature{Term: fmt.Sprint("t", term), Value: v})
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// built returns the corpus of documents with a control, or without one.
func built(t *testing.T, docs []document.Document, o corpus.Options) *corpus.Corpus {
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), o))
}

// sameCounts fails the test unless two tables have the same counts.
func sameCounts(t *testing.T, what string, got, want *table.Table, real bool) {
	t.Helper()
	if !slices.Equal(got.Classes(), want.Classes()) || got.Terms() != want.Terms() || got.Documents() != want.Documents() || got.Cells.Labelled != want.Cells.Labelled {
		t.Fatalf("%s: %d documents, %v labelled, %d terms, classes %q; want %d, %v, %d, %q", what, got.Documents(), got.Cells.Labelled, got.Terms(), got.Classes(),
			want.Documents(), want.Cells.Labelled, want.Terms(), want.Classes())
	}
	if !real {
		if !got.Cells.Margins.Same(&want.Cells.Margins) || got.Cells.FirstDifference(&want.Cells) >= 0 {
			t.Fatalf("%s: the counts differ, first those of term %d", what, got.Cells.FirstDifference(&want.Cells))
		}
		return
	}
	var x, y table.Tile
	for term := range want.Terms() {
		got.Cells.Read(&x, term, term+1, true)
		want.Cells.Read(&y, term, term+1, true)
		if !slices.Equal(x.Class, y.Class) || !slices.Equal(x.A, y.A) {
			t.Fatalf("%s: term %d has the cells %v, %v; want %v, %v", what, term, x.Class, x.A, y.Class, y.A)
		}
		for i := range x.Class {
			if !near(x.S[i]+x.LowS[i], y.S[i]+y.LowS[i]) || !near(x.Q[i], y.Q[i]) || !near(x.M2[i], y.M2[i]) {
				t.Fatalf("%s: term %d has %v %v %v; want %v %v %v", what, term, x.S[i], x.Q[i], x.M2[i], y.S[i], y.Q[i], y.M2[i])
			}
		}
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-12*math.Max(math.Abs(x), math.Abs(y)) }

// A corpus with a control counts what a corpus without one counts, and the pairs besides.
func TestStrataAddUp(t *testing.T) {
	for seed := range uint64(4) {
		for _, real := range []bool{false, true} {
			docs := stratified(seed, 200, real)
			plain := enginetest.StatisticsOf(t, built(t, docs, corpus.Options{}), "")
			c := built(t, docs, corpus.Options{Control: "price", Threads: 3})
			s := enginetest.StatisticsOf(t, c, "")
			sameCounts(t, "built", s, plain, real)
			strata := s.Strata()
			if s.Provenance().Control != "price" || strata == nil || fmt.Sprint(strata.Names) != "[h0 h1 h2 h3 h4]" || plain.Strata() != nil {
				t.Fatalf("control %q, strata %v", s.Provenance().Control, strata)
			}
			for h, name := range strata.Names {
				n := 0
				for _, d := range docs {
					if d.Stratum == name {
						n++
					}
				}
				if strata.Documents[h] != float64(n) {
					t.Errorf("stratum %s has %v documents, want %d", name, strata.Documents[h], n)
				}
			}
			for i, label := range strata.Pairs.ClassNames {
				n, class, stratum := 0, int(strata.Class[i]), int(strata.Stratum[i])
				for _, d := range docs {
					in := class == table.AllClasses || slices.Contains(d.Labels, s.Classes()[class])
					if stratum >= 0 && in && d.Stratum == strata.Names[stratum] || stratum < 0 && len(d.Labels) == 0 {
						n++
					}
				}
				if strata.Pairs.Cells.ClassDocs[i] != float64(n) {
					t.Errorf("%q has %v documents, want %d", label, strata.Pairs.Cells.ClassDocs[i], n)
				}
			}
			if !real {
				for _, w := range []string{"tfidf", "ltc"} {
					sameWeights(t, enginetest.StatisticsOf(t, c, w), enginetest.StatisticsOf(t, built(t, docs, corpus.Options{}), w))
				}
			}
		}
	}
}

// sameWeights compares the sums of weights.
func sameWeights(t *testing.T, got, want *table.Table) {
	t.Helper()
	for i, w := range want.Cells.W {
		if !near(got.Cells.W[i], w) {
			t.Fatalf("weight %d is %v, want %v", i, got.Cells.W[i], w)
		}
	}
}

// Documents have the classes that they had.
func TestLabelsAreClasses(t *testing.T) {
	docs := stratified(7, 90, false)
	c := built(t, docs, corpus.Options{Control: "price"})
	ids := testkit.Must(c.DocumentIDs())
	for d, id := range ids {
		n := 0
		fmt.Sscan(id, &n)
		var classes []string
		for _, l := range c.Labels(d) {
			classes = append(classes, c.Classes()[l])
		}
		if !slices.Equal(classes, docs[n].Labels) {
			t.Errorf("document %s has %q, want %q", id, classes, docs[n].Labels)
		}
	}
	info := testkit.Must(c.Info(t.Context()))
	plain := testkit.Must(built(t, docs, corpus.Options{}).Info(t.Context()))
	if info.Classes != plain.Classes || info.Labelled != plain.Labelled || info.Cells != plain.Cells || info.Strata != 5 || plain.Strata != 0 {
		t.Errorf("info is %+v, want %+v", info, plain)
	}
	m := testkit.Must(c.Match(testkit.Must(corpus.ParseQuery("class=b", nil))))
	want := testkit.Must(built(t, docs, corpus.Options{}).Match(testkit.Must(corpus.ParseQuery("class=b", nil))))
	if m.Docs.GetCardinality() != want.Docs.GetCardinality() || m.Docs.IsEmpty() {
		t.Errorf("class=b matches %d documents, want %d", m.Docs.GetCardinality(), want.Docs.GetCardinality())
	}
}

// What is stored, merged, split, subtracted and counted in a part has the strata of one count.
func TestStrataThroughFiles(t *testing.T) {
	docs := stratified(3, 120, false)
	o := corpus.Options{Control: "price"}
	whole := built(t, docs, o)
	want := enginetest.StatisticsOf(t, whole, "")
	check := func(what string, got *table.Table, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		sameCounts(t, what, got, want, false)
		if got.Strata() == nil || got.Provenance().Control != "price" {
			t.Fatalf("%s: no strata", what)
		}
		sameCounts(t, what, got.Strata().Pairs, want.Strata().Pairs, false)
	}
	counted, err := ingest.Count(t.Context(), document.InBatches(docs), ingest.Options{Control: "price", Threads: 2})
	check("counted without an index", counted.Table, err)
	decoded, err := corpus.DecodeStatistics(bytesOfStatistics(want))
	check("decoded", decoded, err)
	index := testkit.Must(corpus.Decode(enginetest.BytesOf(t, whole)))
	check("an index file", enginetest.StatisticsOf(t, index, ""), nil)

	left, right := built(t, docs[:50], o), built(t, docs[50:], o)
	a, b := enginetest.StatisticsOf(t, left, ""), enginetest.StatisticsOf(t, right, "")
	sum, err := a.Add(b)
	check("added", sum, err)
	rest, err := want.Sub(b)
	if err != nil || rest.Strata() == nil || rest.Documents() != 50 || rest.Cells.FirstDifference(&a.Cells) >= 0 {
		t.Errorf("what is left: %v", err)
	}
	if rare, err := want.WithoutRare(3); err != nil || rare.Strata() == nil || !slices.Equal(rare.Classes(), want.Classes()) {
		t.Errorf("without rare terms: %v", err)
	}
	merged := testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{}, left, right)))
	check("merged", enginetest.StatisticsOf(t, merged, ""), nil)
	check("merged files", mergedFiles(t, a, b), nil)

	within := roaring.New()
	within.AddRange(10, 70)
	subset := testkit.Must(whole.Subset(t.Context(), within, corpus.SubsetOptions{KeepClasses: true}))
	of := enginetest.StatisticsOf(t, subset, "")
	counts, err := whole.Statistics(t.Context(), corpus.CountOptions{Within: within})
	if err != nil || counts.Strata() == nil || of.Strata() == nil || counts.Documents() != 60 || !slices.Equal(of.Cells.ClassDocs, counts.Cells.ClassDocs) {
		t.Errorf("a part: %v", err)
	}
}

func bytesOfStatistics(s *table.Table) []byte {
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, s))
	return file.Bytes()
}

// mergedFiles merges the files of two tables.
func mergedFiles(t *testing.T, tables ...*table.Table) *table.Table {
	var paths []string
	for i, s := range tables {
		paths = append(paths, filepath.Join(t.TempDir(), fmt.Sprint(i, ".stats")))
		testkit.OK(corpus.SaveStatistics(t.Context(), paths[i], s))
	}
	var out bytes.Buffer
	testkit.Must(corpus.MergeStatistics(t.Context(), &out, paths, corpus.StatisticsMergeOptions{}))
	return testkit.Must(corpus.DecodeStatistics(out.Bytes()))
}

// A control is part of what was counted: with another one, or none, nothing adds up.
func TestOtherControl(t *testing.T) {
	docs := stratified(1, 40, false)
	a, b := built(t, docs[:20], corpus.Options{Control: "price"}), built(t, docs[20:], corpus.Options{Control: "maker"})
	plain := built(t, docs[20:], corpus.Options{})
	for name, other := range map[string]*corpus.Corpus{"another": b, "none": plain} {
		s, o := enginetest.StatisticsOf(t, a, ""), enginetest.StatisticsOf(t, other, "")
		_, add := s.Add(o)
		_, sub := s.Sub(o)
		merge := corpus.Merge(t.Context(), io.Discard, corpus.MergeOptions{}, a, other)
		for call, err := range map[string]error{"add": add, "subtract": sub, "merge": merge} {
			if _, ok := errors.AsType[*table.DifferenceError](err); !ok || !strings.Contains(err.Error(), `"price"`) {
				t.Errorf("%s, %s: %v", name, call, err)
			}
		}
	}
}

// A target and a reference with strata have two classes, and no strata.
func TestContrastOfStrata(t *testing.T) {
	docs := stratified(1, 40, false)
	o := corpus.Options{Control: "price"}
	c := testkit.Must(corpus.Contrast(t.Context(), built(t, docs[:20], o), built(t, docs[20:], o), corpus.ContrastOptions{}))
	if s := enginetest.StatisticsOf(t, c, ""); s.Strata() != nil || len(s.Classes()) != 2 || s.Documents() != 40 {
		t.Errorf("%d documents, classes %q", s.Documents(), s.Classes())
	}
}

// What cannot be a pair of a class and a stratum is an error.
func TestBadStrata(t *testing.T) {
	for want, d := range map[string]document.Document{
		"it has no stratum":     {Labels: []string{"a"}},
		`the name "a\x1fb" has`: {Labels: []string{"a\x1fb"}, Stratum: "h"},
		`the name "h\x1f" has`:  {Labels: []string{"a"}, Stratum: "h\x1f"},
		"a label is empty":      {Labels: []string{""}, Stratum: "h"},
		"says its class":        {Stratum: "h"},
	} {
		d.Text = []byte("one two")
		for what, build := range map[string]func() error{
			"build": func() error {
				_, err := corpus.Build(t.Context(), document.Of(d), corpus.Options{Control: "price"})
				return err
			},
			"count": func() error {
				_, err := ingest.Count(t.Context(), document.InBatches([]document.Document{d}), ingest.Options{Control: "price"})
				return err
			},
		} {
			if err := build(); !errors.Is(err, usage.ErrData) && !errors.Is(err, ingest.ErrNoLabels) || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %v", want, what, err)
			}
		}
	}
}
