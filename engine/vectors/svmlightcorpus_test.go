package vectors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/store"
)

// The text is that of the rows of the corpus one after the other, for any number of threads, be
// it made from rows or from lists.
func TestWriteSVMLightOfCorpus(t *testing.T) {
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
		for _, weight := range []Weighting{TF, LTC} {
			plain, err := New(selected, weight)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := WriteSVMLight(&want, plain.Corpus(t.Context(), listed)); err != nil {
				t.Fatal(err)
			}
			_, unseen := plain.Unseen()
			for _, threads := range []int{1, 2, 5} {
				for name, of := range map[string]*corpus.Corpus{"rows": counted, "lists": listed} {
					tr, err := New(selected, weight)
					if err != nil {
						t.Fatal(err)
					}
					var got bytes.Buffer
					if err := tr.WriteSVMLight(t.Context(), &got, of, threads); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got.Bytes(), want.Bytes()) {
						t.Errorf("%s, %s, %d threads, from %s: another text", c.name, weight, threads, name)
					}
					if _, n := tr.Unseen(); n != unseen || n == 0 {
						t.Errorf("%s, %d threads: %d labels are not seen, want %d", c.name, threads, n, unseen)
					}
				}
			}
		}
	}
}

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
	tr, err := New(s, TF)
	if err != nil {
		t.Fatal(err)
	}
	if tr.WriteSVMLight(t.Context(), nil, c, 1) == nil || tr.WriteSVMLight(t.Context(), io.Discard, nil, 1) == nil {
		t.Error("nil is no error")
	}
	cancelled, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, threads := range []int{1, 3} {
		if err := tr.WriteSVMLight(cancelled, io.Discard, c, threads); !errors.Is(err, cause) {
			t.Errorf("%d threads: %v", threads, err)
		}
		for pieces := range 3 {
			if err := tr.WriteSVMLight(t.Context(), &limitedWriter{pieces: pieces}, c, threads); !errors.Is(err, errFull) {
				t.Errorf("%d threads, %d pieces: %v", threads, pieces, err)
			}
			if err := tr.WriteSVMLight(t.Context(), &limitedWriter{pieces: pieces, short: true}, c, threads); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%d threads, %d pieces: %v", threads, pieces, err)
			}
		}
	}
	tr.weight, tr.idf = store.TFIDF, slices.Repeat([]float64{1e300}, len(s.Features))
	var named *ingest.DocumentError
	if err := tr.WriteSVMLight(t.Context(), io.Discard, c, 2); !errors.As(err, &named) {
		t.Errorf("a weight that is not finite: %v", err)
	}
}
