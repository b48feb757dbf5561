package projection_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/vectors"
)

// The largest class is the guess for a document that no cluster knows.
func TestProjectionGuesses(t *testing.T) {
	c := naive.Corpus{Terms: []string{"x", "y", "z"}, Classes: []string{"a", "b", "c"}}
	for d := range 9 {
		k := []int{0, 1, 1, 1, 1, 2, 2, 2, 2}[d]
		c.Docs = append(c.Docs, naive.Doc{Labels: []int{k}, Counts: map[int]float64{k: 2}})
	}
	p := project(t, enginetest.CorpusOf(t, c), projection.Options{})
	doc := document.Document{ID: "strange", Labels: []string{"elsewhere", "c"}, Features: []document.Feature{{Term: "unknown", Value: 1}}}
	for _, v := range vectorsOf(p.Documents(t.Context(), documentsOf(doc))) {
		if !v.Guessed || p.Classes[v.Predicted] != "b" || len(v.Index) != 0 || !slices.Equal(v.Labels, []int{2}) || !slices.Equal(v.Unseen, []string{"elsewhere"}) {
			t.Errorf("%+v", v)
		}
	}
	twice := document.Document{Features: []document.Feature{{Term: "x", Value: 1}, {Term: "x", Value: 2}}}
	for _, err := range p.Documents(t.Context(), documentsOf(twice)) {
		if !errors.Is(err, ingest.ErrBadDocument) {
			t.Errorf("a term twice: %v", err)
		}
	}
}

func documentsOf(docs ...document.Document) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// Text is analysed as the corpus was, and the vectors are written as svmlight.
func TestClusterVectorsAsSVMLight(t *testing.T) {
	docs := []document.Document{
		{ID: "1", Labels: []string{"sea"}, Text: []byte("Ships and boats, ships and sails.")},
		{ID: "2", Labels: []string{"air"}, Text: []byte("Wings and engines; wings!")},
		{ID: "3", Labels: []string{"air", "sea"}, Text: []byte("Boats with wings and engines: seaplanes")},
		{ID: "4", Text: []byte("Nothing of that kind")},
	}
	c := testkit.Must(corpus.Build(t.Context(), documentsOf(docs...), corpus.Options{}))
	p := project(t, c, projection.Options{Unit: true})
	counted, raw := vectorsOf(p.Corpus(t.Context(), c)), vectorsOf(p.Documents(t.Context(), documentsOf(docs...)))
	if !reflect.DeepEqual(counted, raw) {
		t.Errorf("%+v, but raw %+v", counted, raw)
	}
	var out bytes.Buffer
	w := vectors.NewSVMLightWriter(&out)
	for v := range testkit.All(p.Corpus(t.Context(), c)) {
		testkit.OK(w.Write(v.Row))
	}
	testkit.OK(w.Flush())
	want := ""
	for _, v := range counted {
		want += map[string]string{"1": "1", "2": "0", "3": "0,1", "4": ""}[v.ID]
		for i, k := range v.Index {
			want += fmt.Sprintf(" %d:%v", k, v.Value[i])
		}
		want += "\n"
	}
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A loop over vectors may end early.
func TestClusterVectorsStop(t *testing.T) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1])
	corpus := enginetest.CorpusOf(t, c)
	p := project(t, corpus, projection.Options{})
	for _, all := range []iter.Seq2[projection.Vector, error]{p.Corpus(t.Context(), corpus), p.Documents(t.Context(), enginetest.StreamOf(c))} {
		for v, err := range all {
			if v.ID != "0" || err != nil {
				t.Error(v.ID, err)
			}
			break
		}
	}
}

func firstError(all iter.Seq2[projection.Vector, error]) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
