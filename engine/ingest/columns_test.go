package ingest_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

// wordyDocuments have words that are frequent and words that are rare.
func wordyDocuments(r *rand.Rand, n int) []document.Document {
	docs := make([]document.Document, n)
	for i := range docs {
		var text []string
		for range 1 + r.IntN(40) {
			text = append(text, fmt.Sprintf("w%d", int(200*r.Float64()*r.Float64()*r.Float64())))
		}
		docs[i] = document.Document{ID: fmt.Sprint(i), Text: []byte(strings.Join(text, " ")), Labels: []string{"ab"[i%2 : i%2+1]}}
	}
	return docs
}

// The names of columns are the terms of an analysis without hashes that fall into them, on any number of threads and
// however often dictionaries are given up.
func TestNamesOfColumns(t *testing.T) {
	for _, bound := range []int64{64 << 20, 0} {
		ingest.BoundNames(t, bound)
		r := rand.New(rand.NewPCG(4, 1))
		for _, o := range []analysis.Options{{HashBits: 3}, {HashBits: 12, NGrams: "1-2"}, {HashBits: 6, Tokens: "char_wb", NGrams: "2-3"}} {
			docs := wordyDocuments(r, 60)
			plain := o
			plain.HashBits = 0
			a := testkit.Must(analysis.New(plain))
			counts, byColumn := map[string]int{}, map[string][]string{}
			for _, d := range docs {
				for _, term := range a.Terms(d.Text) {
					if counts[term]++; counts[term] == 1 {
						column := fmt.Sprint(o.ColumnOf([]byte(term)))
						byColumn[column] = append(byColumn[column], term)
					}
				}
			}
			var columns []string
			for column := range byColumn {
				columns = append(columns, column)
				slices.SortFunc(byColumn[column], func(x, y string) int { return cmp.Or(counts[y]-counts[x], strings.Compare(x, y)) })
			}
			columns = columns[:len(columns)/2+1]
			const most = 4
			for _, threads := range []int{1, 2, 16} {
				got := testkit.Must(ingest.NameColumns(t.Context(), enginetest.InBatches(docs, 7), o, threads, most, columns))
				terms, leftOut := 0, 0
				for i, column := range columns {
					want := byColumn[column]
					terms, leftOut = terms+len(want), leftOut+max(0, len(want)-most)
					if want = want[:min(len(want), most)]; !slices.Equal(got.Of[i], want) {
						t.Errorf("%+v, %d threads: column %s is %q, want %q", o, threads, column, got.Of[i], want)
					}
				}
				testkit.Equal(t, got.Terms, terms, "terms and", "left out")
				testkit.Equal(t, got.LeftOut, leftOut, "terms and", "left out")
			}
		}
	}
	hashed := analysis.Options{HashBits: 3}
	testkit.Fails(t, testkit.Err(ingest.NameColumns(t.Context(), nil, hashed, 1, 1, nil)), "nil batches have names")
	if _, err := ingest.NameColumns(t.Context(), enginetest.InBatches(nil, 1), hashed, 1, 1, []string{"8"}); err == nil || !strings.Contains(err.Error(), "none of 2^3 columns") {
		t.Error(err)
	}
	if _, err := ingest.NameColumns(t.Context(), enginetest.InBatches(nil, 1), analysis.Options{}, 1, 1, nil); err == nil {
		t.Error("terms have names")
	}
}

// Columns make the same index on any number of threads, whether documents are counted or kept, whole or cut into
// segments; and all count the same distinct terms.
func TestHashedCorporaDoNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	docs := wordyDocuments(r, 200)
	for _, o := range []ingest.Options{
		{Analysis: analysis.Options{HashBits: 10, NGrams: "1-2"}},
		{Analysis: analysis.Options{HashBits: 30, NGrams: "1-3", Stop: "english"}},
		{Analysis: analysis.Options{HashBits: 7, Tokens: "char_wb", NGrams: "3-5"}, MaxMemory: ingest.MinMemory},
		{Analysis: analysis.Options{HashBits: 8}, Segment: 5},
	} {
		plain := o.Analysis
		plain.HashBits = 0
		distinct := map[string]bool{}
		for _, d := range docs {
			for _, term := range testkit.Must(analysis.New(plain)).Terms(d.Text) {
				distinct[term] = true
			}
		}
		var first []byte
		for _, threads := range []int{1, 2, 16} {
			o.Threads, o.Distinct, o.TempDir = threads, &analysis.Distinct{}, t.TempDir()
			c := testkit.Must(corpus.BuildBatches(t.Context(), enginetest.InBatches(docs, 1+threads), o))
			data := enginetest.BytesOf(t, c)
			if first == nil {
				first = data
			}
			testkit.EqualSlices(t, data, first, o.Analysis, "another index on", threads, "threads")
			if got, _ := o.Distinct.Terms(); got != float64(len(distinct)) {
				t.Errorf("%+v, %d threads: %v distinct terms, want %d", o.Analysis, threads, got, len(distinct))
			}
			if !o.Tallies() {
				continue
			}
			o.Distinct = &analysis.Distinct{}
			counted := testkit.Must(ingest.Count(t.Context(), enginetest.InBatches(docs, 1+threads), o))
			if got, _ := o.Distinct.Terms(); got != float64(len(distinct)) || counted.Names.Len() != c.Terms() {
				t.Errorf("%+v, %d threads: %v distinct terms in %d columns, want %d in %d", o.Analysis, threads, got, counted.Names.Len(), len(distinct), c.Terms())
			}
		}
	}
}

// Documents that come counted have no texts to hash.
func TestCountedDocumentsAreNotHashed(t *testing.T) {
	docs := []document.Document{{ID: "counted", Features: []document.Feature{{Term: "7", Value: 1}}, Labels: []string{"a"}}}
	o := ingest.Options{Analysis: analysis.Options{HashBits: 4}}
	_, built := corpus.BuildBatches(t.Context(), enginetest.InBatches(docs, 1), o)
	_, counted := ingest.Count(t.Context(), enginetest.InBatches(docs, 1), o)
	for _, err := range []error{built, counted} {
		testkit.Says(t, err, `document "counted": it comes counted, and hash bits make columns of texts`)
	}
}
