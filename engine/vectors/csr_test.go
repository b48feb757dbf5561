package vectors

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// The matrix of a corpus has the rows of the corpus, to the last bit and for any number of
// threads, be it made from rows or from lists; terms that all documents have weigh nothing under idf, and leave no gap.
func TestCSROnThreads(t *testing.T) {
	fromRows := false
	for _, c := range rowValues {
		docs := countedDocuments(c.value)
		for i := range docs {
			docs[i].Features = append(docs[i].Features, document.Feature{Term: "everywhere", Value: 3})
		}
		counted, selected := selectedOf(t, docs)
		listed, _ := selectedOf(t, docs)
		listed.Index() // makes the lists
		gaps := false
		for _, weight := range table.Weightings() {
			tr := testkit.Must(New(selected, weight))
			for _, threads := range []int{1, 2, 5} {
				m := testkit.Must(tr.CSR(t.Context(), counted, threads))
				row := 0
				for want := range testkit.All(tr.Corpus(t.Context(), listed)) {
					from, to := m.Start[row], m.Start[row+1]
					got := Row{ID: want.ID, Labels: want.Labels, Value: m.Value[from:to]}
					for _, feature := range m.Index[from:to] {
						got.Index = append(got.Index, uint32(feature)+1)
					}
					testkit.Equal(testkit.Stop(t), sameRow(got, want), true, c.name, weight, threads, "threads", got,
						"want", want)
					gaps = gaps || len(want.Index) < len(docs[row].Features) && strings.HasPrefix(string(weight), "tfidf")
					row++
				}
				if row != len(m.Start)-1 || int(m.Start[row]) != len(m.Index) || len(m.Index) != len(m.Value) {
					t.Errorf("%s, %s: %d rows of %d, %d and %d elements", c.name, weight, len(m.Start)-1, row, len(m.Index), len(m.Value))
				}
			}
		}
		testkit.Equal(t, gaps, true, c.name, "no weight is 0")
		there, err := corpus.Rows(counted, func(*postings.Rows) error { return nil })
		if err != nil || there && counted.Index().Real() {
			t.Errorf("%s: rows are left: %v, %v", c.name, there, err)
		}
		fromRows = fromRows || there
	}
	testkit.Equal(t, fromRows, true, "no matrix was made from rows")
}

// selectedOf returns the corpus of documents and a selection of most of its terms.
func selectedOf(t *testing.T, docs []document.Document) (*corpus.Corpus, *selection.Selection) {
	c := testkit.Must(corpus.Build(t.Context(), streamOf(docs), corpus.Options{}))
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(61)}))
	return c, s
}

func TestCSRErrors(t *testing.T) {
	large := []document.Document{
		{ID: "small", Labels: []string{"a"}, Features: []document.Feature{{Term: "x", Value: 0.5}}},
		{ID: "huge", Labels: []string{"b"}, Features: []document.Feature{{Term: "x", Value: 1e18}, {Term: "y", Value: 1}}},
	}
	c, s := selectedOf(t, large)
	tr := testkit.Must(New(s, TF))
	testkit.Fails(t, testkit.Err(tr.CSR(t.Context(), nil, 1)), "a nil corpus is no error")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, threads := range []int{1, 3} {
		testkit.Is(t, testkit.Err(tr.CSR(cancelled, c, threads)), cause, threads, "threads")
	}
	tr.weight, tr.idf = table.TFIDF, slices.Repeat([]float64{1e30}, len(s.Features))
	var named *ingest.DocumentError
	if _, err := tr.CSR(t.Context(), c, 2); !errors.As(err, &named) || named.ID != "huge" {
		t.Errorf("a weight that is not finite: %v", err)
	}
}

// Numbers of places that need it are written as int64.
func TestWideNumbers(t *testing.T) {
	for wide, want := range map[bool]string{false: "'<i4'", true: "'<i8'"} {
		var out bytes.Buffer
		z := &npzWriter{zip: zip.NewWriter(&out)}
		z.whole("x", wide, 2, func(i int) int64 { return int64(i) - 1 })
		values := "\xff\xff\xff\xff\x00\x00\x00\x00"
		if wide {
			values = strings.Repeat("\xff", 8) + strings.Repeat("\x00", 8)
		}
		if z.err != nil || z.zip.Close() != nil || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "\n"+values) {
			t.Errorf("wide %v: %v: %q", wide, z.err, out.String())
		}
	}
	if beyondInt32(1<<31-1) || !beyondInt32(1<<31) {
		t.Error("int64 begins at another number than 2^31")
	}
}

// Texts have a fixed width unless that takes far more than they do.
func TestFixedWidth(t *testing.T) {
	repeat := func(n int, text string) *textList { return listOf(n, func(int) string { return text }) }
	odd := repeat(70_000, "ab")
	odd.add(strings.Repeat("é", 250)) // 250 characters, 70 MB for all
	for name, c := range map[string]struct {
		list  *textList
		width int
		fits  bool
	}{
		"none":          {&textList{}, 1, true},
		"empty":         {repeat(2, ""), 1, true},
		"no UTF-8":      {repeat(2, "a\xff\xfe"), 3, true},
		"zero within":   {repeat(2, "a\x00b"), 3, true},
		"zero at end":   {repeat(2, "a\x00"), 2, false},
		"large, alike":  {repeat(70_000, strings.Repeat("a", 250)), 250, true},
		"large, unlike": {odd, 250, false},
		"small, unlike": {listOf(60_000, func(i int) string { return strings.Repeat("a", 250*(i/59_999)) }), 250, true},
	} {
		if width, fits := fixedWidth(c.list); width != c.width || fits != c.fits {
			t.Errorf("%s: width %d, fits %v; want %d, %v", name, width, fits, c.width, c.fits)
		}
	}
}
