package corpus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// within streams some of the documents.
func within(docs document.Stream, keep []bool) document.Stream {
	return func(yield func(document.Document, error) bool) {
		i := 0
		for d, err := range docs {
			if kept := keep[i]; kept && !yield(d, err) {
				return
			}
			i++
		}
	}
}

// numbersOf gives the numbers of documents that are given by their names, which are
// their places.
func numbersOf(c *corpus.Corpus, keep []bool) *roaring.Bitmap {
	docs := roaring.New()
	for d := range c.Documents() {
		place := 0
		if _, err := fmt.Sscan(testkit.Must(c.DocumentIDs())[d], &place); err == nil && keep[place] {
			docs.Add(uint32(d))
		}
	}
	return docs
}

// bare is the index file of a corpus without its provenance.
func bare(t *testing.T, c *corpus.Corpus) []byte {
	t.Helper()
	x := testkit.Must(store.Decode(enginetest.BytesOf(t, c)))
	x.Meta = nil
	var b bytes.Buffer
	testkit.Must(store.Write(t.Context(), &b, postings.Whole(x), store.WriteOptions{Cells: store.HasCells(x)}))
	return b.Bytes()
}

func randomKeep(r *rand.Rand, n int) []bool {
	keep, share := make([]bool, n), r.Float64()
	for d := range keep {
		keep[d] = r.Float64() < share
	}
	return keep
}

// A subset is the corpus of its documents, to the last byte but for the provenance.
func TestSubsetIsTheBuildOfItsDocuments(t *testing.T) {
	compared, refused, tried := 0, 0, 0
	for _, shape := range naive.Shapes {
		for _, r := range testkit.Cases(t, 60) {
			tried++
			all := naive.RandomCorpus(r, shape)
			if r.IntN(3) == 0 {
				makeReal(r, all)
			}
			keep := randomKeep(r, len(all.Docs))
			c := enginetest.CorpusOf(t, all)
			want, wantErr := corpus.Build(t.Context(), within(enginetest.StreamOf(all), keep), corpus.Options{})
			for _, threads := range []int{1, 3} {
				got, err := c.Subset(t.Context(), numbersOf(c, keep), corpus.SubsetOptions{Threads: threads})
				if wantErr != nil {
					if err == nil || errors.Is(wantErr, ingest.ErrNoLabels) != errors.Is(err, ingest.ErrNoLabels) {
						t.Fatalf("%s: %v, want %v", shape.Name, err, wantErr)
					}
					refused++
					continue
				}
				testkit.OK(err)
				testkit.EqualSlices(testkit.Stop(t), bare(t, got), bare(t, want), shape.Name, threads,
					"threads: another corpus than that of the documents")
				compared++
			}
		}
	}
	t.Logf("%d compared, %d refused", compared, refused)
	if compared < tried {
		t.Errorf("only %d of the subsets were compared", compared)
	}
}

// makeReal gives some documents values that are not counts.
func makeReal(r *rand.Rand, c naive.Corpus) {
	for _, d := range c.Docs {
		if r.IntN(3) > 0 {
			continue
		}
		for t := range c.Terms {
			if v := d.Counts[t]; v > 0 {
				d.Counts[t] = v + []float64{.5, .1, 0}[r.IntN(3)]
			}
		}
	}
}

// Parts that keep the classes of the whole have the reference's values for these,
// those without documents included.
func TestSubsetsWithEmptyClassesAgainstNaive(t *testing.T) {
	for i, shape := range naive.Shapes {
		if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 72))
		for range 12 {
			all := naive.RandomCorpus(r, shape)
			keep := randomKeep(r, len(all.Docs))
			c := enginetest.CorpusOf(t, all)
			part, err := c.Subset(t.Context(), numbersOf(c, keep), corpus.SubsetOptions{KeepClasses: true})
			if errors.Is(err, corpus.ErrNoDocuments) || errors.Is(err, ingest.ErrEmpty) {
				continue
			}
			testkit.OK(err)
			testkit.EqualSlices(testkit.Stop(t), part.Classes(), c.Classes(), "classes")
			enginetest.CompareCorpusWithNaive(t, part, naiveWithin(all, keep))
			sameAsCountedWithin(t, c, part, numbersOf(c, keep))
			testkit.Equal(testkit.Stop(t), t.Failed(), false, shape.Name, keep, "of", all)
		}
	}
}

// naiveWithin has some of the documents and the terms in them.
func naiveWithin(c naive.Corpus, keep []bool) naive.Corpus {
	part := naive.Corpus{Classes: c.Classes}
	number := map[int]int{}
	for d, doc := range c.Docs {
		if !keep[d] {
			continue
		}
		counts := map[int]float64{}
		for t, tf := range doc.Counts {
			if _, ok := number[t]; !ok {
				number[t] = len(part.Terms)
				part.Terms = append(part.Terms, c.Terms[t])
			}
			counts[number[t]] = tf
		}
		part.Docs = append(part.Docs, naive.Doc{Labels: doc.Labels, Counts: counts})
	}
	return part
}

// sameAsCountedWithin compares the one-pass scores of a subset with those of the whole
// corpus's counts restricted to its documents.
func sameAsCountedWithin(t *testing.T, c, part *corpus.Corpus, docs *roaring.Bitmap) {
	t.Helper()
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Within: docs}))
	for _, by := range []string{"chi", "ig", "ttest", "g2tf", "logodds"} {
		got := testkit.Must(rank.Several(t.Context(), part, rank.Options{Measure: rank.Measure(by)}))
		want := testkit.Must(rank.Terms(t.Context(), s, rank.Options{Measure: rank.Measure(by)}))
		enginetest.SameRanking(t, by, got[0], want)
	}
}

// Folds: what is selected without one is applied to it, and nothing reads text.
func TestFolds(t *testing.T) {
	c := newFoldCorpus(t)
	fold := func(expr string, opt corpus.SubsetOptions) *corpus.Corpus {
		f := testkit.Must(corpus.ParseQuery(expr, docLists))
		m := testkit.Must(c.Match(f))
		opt.Docs = f.String()
		return testkit.Must(c.Subset(t.Context(), m.Docs, opt))
	}
	train, test := fold("not file=odd", corpus.SubsetOptions{}), fold("file=odd", corpus.SubsetOptions{KeepClasses: true})
	s := testkit.Must(selection.Select(t.Context(), train, selection.Options{Keep: selection.Best(3)}))
	tr := testkit.Must(vectors.New(s, "tfidf"))
	var ids []string
	for row := range testkit.All(tr.Corpus(t.Context(), test)) {
		ids = append(ids, row.ID)
	}
	testkit.EqualSlices(t, ids, []string{"d1", "d3", "d5"}, "documents")
	var features bytes.Buffer
	testkit.OK(s.WriteTSV(&features))
	testkit.Contains(t, features.String(), `"subsets":[{"docs":"not file=odd","documents":3,"of":6,"hash":"`,
		"is not in")
	testkit.Equal(t, len(testkit.Must(selection.Read(&features, "features.tsv")).Provenance.Subsets), 1)
}

func newFoldCorpus(t *testing.T) *corpus.Corpus {
	return enginetest.Build(t, "a:one two", "b:two three", "a:three one", "a:one", "b:two four", "a,b:four")
}

func TestSubsetRecordsEachStep(t *testing.T) {
	c := newFoldCorpus(t)
	half := testkit.Must(c.Subset(t.Context(), roaring.BitmapOf(0, 2, 4), corpus.SubsetOptions{Docs: "half"}))
	one := testkit.Must(half.Subset(t.Context(), roaring.BitmapOf(1), corpus.SubsetOptions{}))
	other := testkit.Must(half.Subset(t.Context(), roaring.BitmapOf(2), corpus.SubsetOptions{}))
	s := one.Provenance().Subsets
	if len(s) != 2 || s[0].Docs != "half" || s[0].Of != 6 || s[1].Of != 3 || s[1].Documents != 1 || s[1] == other.Provenance().Subsets[1] {
		t.Errorf("%+v", s)
	}
	testkit.Equal(t, len(half.Provenance().Subsets), 1, "a subset has changed the whole")
	testkit.Equal(t, len(c.Provenance().Subsets), 0, "a subset has changed the whole")
}

func TestSubsetRefuses(t *testing.T) {
	c := enginetest.Build(t, "a:one two", ":three", "a:", "b:one")
	last := uint32(c.Documents() - 1) // unlabelled
	for name, r := range map[string]struct {
		docs *roaring.Bitmap
		opt  corpus.SubsetOptions
		want error
		text string
	}{
		"nothing":       {roaring.New(), corpus.SubsetOptions{}, corpus.ErrNoDocuments, "none of the 4 was asked for"},
		"no match":      {roaring.New(), corpus.SubsetOptions{Docs: "id=x"}, corpus.ErrNoDocuments, "none of the 4 matches id=x"},
		"beyond":        {roaring.BitmapOf(4), corpus.SubsetOptions{}, usage.ErrUsage, "document 4 was asked for; the corpus has 4"},
		"no label":      {roaring.BitmapOf(last), corpus.SubsetOptions{}, ingest.ErrNoLabels, "none of the 1 documents"},
		"no term":       {roaring.BitmapOf(1), corpus.SubsetOptions{}, ingest.ErrEmpty, "none of the 1 documents asked for has a term"},
		"no term, kept": {roaring.BitmapOf(1), corpus.SubsetOptions{KeepClasses: true}, ingest.ErrEmpty, "none of the 1 documents asked for has a term"},
	} {
		part, err := c.Subset(t.Context(), r.docs, r.opt)
		if part != nil || !errors.Is(err, r.want) || !strings.Contains(err.Error(), r.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if part, err := c.Subset(t.Context(), roaring.BitmapOf(last), corpus.SubsetOptions{KeepClasses: true}); err != nil || part.Documents() != 1 {
		t.Errorf("an unlabelled document with the classes kept: %v", err)
	}
	part, err := c.Subset(t.Context(), roaring.BitmapOf(1), corpus.SubsetOptions{KeepEmpty: true})
	if err != nil || part.Documents() != 1 || part.Terms() != 0 {
		t.Fatalf("an empty document with the empty kept: %v", err)
	}
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(1)}))
	rows := 0
	for r, err := range testkit.Must(vectors.New(s, "")).Corpus(t.Context(), part) {
		if rows++; err != nil || len(r.Index) > 0 {
			t.Errorf("row %v, %v", r, err)
		}
	}
	testkit.Equal(t, rows, 1)
}

// Wherever it is cancelled, a subset or a comparison is none.
func TestCancelledSubsets(t *testing.T) {
	c := enginetest.ManyChunks(t)
	docs := roaring.New()
	docs.AddRange(50, 200)
	for name, f := range map[string]func(ctx context.Context) (*corpus.Corpus, error){
		"subset": func(ctx context.Context) (*corpus.Corpus, error) {
			return c.Subset(ctx, docs, corpus.SubsetOptions{Threads: 1})
		},
		"against": func(ctx context.Context) (*corpus.Corpus, error) {
			return corpus.Contrast(ctx, c, c, corpus.ContrastOptions{Threads: 1})
		},
	} {
		checks := 0
		for {
			part, err := f(faults.NewCountdown(t, checks))
			if err == nil {
				break
			}
			if !errors.Is(err, faults.ErrStop) || part != nil {
				t.Fatalf("%s, stopped at check %d: %v", name, checks, err)
			}
			checks++
		}
		if checks < 8 {
			t.Errorf("%s: looked only %d times whether it was cancelled", name, checks)
		}
	}
}
