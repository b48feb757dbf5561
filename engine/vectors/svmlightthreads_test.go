package vectors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/table"
)

// The text is that of the rows of the corpus one after the other, for any number of threads, be
// it made from rows or from lists.
func TestWriteSVMLightOnThreads(t *testing.T) {
	for _, c := range rowValues {
		var docs []document.Document
		for range 5 { // so that there are several chunks
			for _, d := range countedDocuments(c.value) {
				d.ID = fmt.Sprint(len(docs))
				docs = append(docs, d)
			}
		}
		if len(docs) < 4*documentsAtOnce {
			t.Fatalf("%d documents are too few", len(docs))
		}
		counted, _ := selectedOf(t, docs)
		listed, _ := selectedOf(t, docs)
		_, selected := selectedOf(t, without("a", docs))
		listed.Index() // makes the lists
		for _, weight := range []table.Weighting{TF, table.LTC} {
			plain := testkit.Must(New(selected, weight))
			var want bytes.Buffer
			testkit.OK(WriteSVMLight(&want, plain.Corpus(t.Context(), listed)))
			_, unseen := plain.Unseen()
			for _, threads := range []int{1, 2, 5} {
				for name, of := range map[string]*corpus.Corpus{"rows": counted, "lists": listed} {
					tr := testkit.Must(New(selected, weight))
					var got bytes.Buffer
					testkit.OK(tr.WriteSVMLight(t.Context(), &got, of, threads))
					testkit.EqualSlices(t, got.Bytes(), want.Bytes(), c.name, weight, threads, "threads, from", name,
						"another text")
					if _, n := tr.Unseen(); n != unseen || n == 0 {
						t.Errorf("%s, %d threads: %d labels are not seen, want %d", c.name, threads, n, unseen)
					}
				}
			}
		}
	}
}

// batchesOf cuts documents into batches of growing length.
func batchesOf(docs []document.Document) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for n := 1; len(docs) > 0; n++ {
			n = min(n, len(docs))
			if !yield(streamOf(docs[:n]), nil) {
				return
			}
			docs = docs[n:]
		}
	}
}

// The text of raw documents is that of their rows one after the other, for any number of threads.
func TestWriteBatches(t *testing.T) {
	for _, c := range rowValues {
		docs := slices.Repeat(countedDocuments(c.value), 3)
		_, s := selectedOf(t, without("a", docs))
		docs[7].Features = append(slices.Clone(docs[7].Features), document.Feature{Term: "nowhere else", Value: 3})
		for _, weight := range []table.Weighting{TF, table.LTC} {
			plain := testkit.Must(New(s, weight))
			var want bytes.Buffer
			testkit.OK(WriteSVMLight(&want, plain.Documents(t.Context(), streamOf(docs))))
			terms, labels := plain.Unseen()
			for _, threads := range []int{1, 2, 5} {
				tr := testkit.Must(New(s, weight))
				var got bytes.Buffer
				testkit.OK(tr.WriteBatches(t.Context(), &got, batchesOf(docs), threads))
				testkit.EqualSlices(t, got.Bytes(), want.Bytes(), c.name, weight, threads, "threads: another text")
				if nTerms, nLabels := tr.Unseen(); nTerms != terms || nLabels != labels || terms == 0 || labels == 0 {
					t.Errorf("%s, %d threads: %d occurrences and %d labels are not seen, want %d and %d", c.name, threads, nTerms, nLabels, terms, labels)
				}
			}
		}
	}
}

// The error is that of the first document that has one, and a piece before it that comes late keeps
// nobody waiting for ever.
func TestWriteBatchesErrors(t *testing.T) {
	docs := slices.Repeat(countedDocuments(rowValues[0].value), 5)
	_, s := selectedOf(t, docs)
	broken := slices.Clone(docs)
	for _, i := range []int{900, 1000, 1001} {
		broken[i].ID, broken[i].Features = fmt.Sprint("broken", i), []document.Feature{{Term: "x", Value: math.Inf(1)}}
	}
	tr := testkit.Must(New(s, TF))
	if tr.WriteBatches(t.Context(), nil, batchesOf(docs), 1) == nil || tr.WriteBatches(t.Context(), io.Discard, nil, 1) == nil {
		t.Error("nil is no error")
	}
	cause := errors.New("enough")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, threads := range []int{1, 2, 7} {
		for range 20 {
			var named *ingest.DocumentError
			if err := tr.WriteBatches(t.Context(), io.Discard, batchesOf(broken), threads); !errors.As(err, &named) || named.ID != "broken900" {
				t.Errorf("%d threads: %v", threads, err)
			}
		}
		testkit.Is(t, tr.WriteBatches(cancelled, io.Discard, batchesOf(docs), threads), cause, threads, "threads")
		for pieces := range 3 {
			testkit.Is(t, tr.WriteBatches(t.Context(), &limitedWriter{pieces: pieces}, batchesOf(docs), threads),
				errFull, threads, "threads", pieces, "pieces")
		}
		slow := func(yield func(document.Stream, error) bool) {
			first := true
			for docs, err := range batchesOf(docs) {
				if first {
					own := docs
					docs = func(yield func(document.Document, error) bool) {
						time.Sleep(20 * time.Millisecond)
						own(yield)
						panic("late")
					}
				}
				first = false
				if !yield(docs, err) {
					return
				}
			}
		}
		testkit.Says(t, tr.WriteBatches(t.Context(), io.Discard, slow, threads), "panicked: late", threads, "threads")
		testkit.Says(t, tr.WriteBatches(t.Context(), panicking{}, batchesOf(docs), threads), "panicked: writer",
			threads, "threads")
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("writer") }

// without returns documents without a label.
func without(label string, docs []document.Document) []document.Document {
	docs = slices.Clone(docs)
	for i := range docs {
		docs[i].Labels = slices.DeleteFunc(slices.Clone(docs[i].Labels), func(l string) bool { return l == label })
	}
	return docs
}

// A limited writer takes so many pieces of text, then fails.
type limitedWriter struct {
	pieces int
	short  bool // fails by writing too little
	at     atomic.Int32
}

var errFull = errors.New("full")

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.at.Add(1) != 1 {
		panic("two goroutines write")
	}
	defer w.at.Add(-1)
	if w.pieces--; w.pieces >= 0 {
		return len(p), nil
	}
	if w.short {
		return len(p) - 1, nil
	}
	return 0, errFull
}

func TestWriteSVMLightOfCorpusErrors(t *testing.T) {
	docs := slices.Repeat(countedDocuments(rowValues[0].value), 5)
	c, s := selectedOf(t, docs)
	tr := testkit.Must(New(s, TF))
	if tr.WriteSVMLight(t.Context(), nil, c, 1) == nil || tr.WriteSVMLight(t.Context(), io.Discard, nil, 1) == nil {
		t.Error("nil is no error")
	}
	cancelled, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, threads := range []int{1, 3} {
		testkit.Is(t, tr.WriteSVMLight(cancelled, io.Discard, c, threads), cause, threads, "threads")
		for pieces := range 3 {
			testkit.Is(t, tr.WriteSVMLight(t.Context(), &limitedWriter{pieces: pieces}, c, threads), errFull, threads,
				"threads", pieces, "pieces")
			testkit.Is(t, tr.WriteSVMLight(t.Context(), &limitedWriter{pieces: pieces, short: true}, c, threads),
				io.ErrShortWrite, threads, "threads", pieces, "pieces")
		}
	}
	tr.weight, tr.idf = table.TFIDF, slices.Repeat([]float64{1e300}, len(s.Features))
	var named *ingest.DocumentError
	testkit.Equal(t, errors.As(tr.WriteSVMLight(t.Context(), io.Discard, c, 2), &named), true,
		"a weight that is not finite")
}
