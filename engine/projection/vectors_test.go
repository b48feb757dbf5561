package projection_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// The bits are the same on every CPU and for every build.
func TestProjectionBits(t *testing.T) {
	r, digest := rand.New(rand.NewPCG(8, 8)), fnv.New64a()
	for _, shape := range naive.Shapes {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
		for _, o := range []projection.Options{{}, {Rule: projection.Literal, Discriminate: projection.DiscriminateLogPR, Base: 10, Unit: true}} {
			o.Occurrences = true
			p, err := projection.Project(t.Context(), c, o)
			if errors.Is(err, selection.ErrNothingSelected) {
				continue
			}
			testkit.OK(err)
			for _, x := range p.Terms {
				fmt.Fprintf(digest, "%s %d %x %x %x %x\n", x.Term, x.Class, x.Chi, x.Total, x.PR, x.PRMax)
			}
			for _, v := range vectorsOf(p.Corpus(t.Context(), c)) {
				fmt.Fprintf(digest, "%d %x\n", v.Index, v.Weights)
			}
		}
	}
	testkit.Equal(t, fmt.Sprintf("%x", digest.Sum64()), projectionDigest, "digest")
}

// Two right and two wrong, one of which has a label besides that nobody could know, and
// a document that says nothing.
func TestRuleScore(t *testing.T) {
	c := enginetest.Build(t, "a: ships ships", "b: wings wings", "c: wheels wheels", "c: lorries")
	p := project(t, c, projection.Options{})
	lines := []string{"a: ships", "b,elsewhere,elsewhere: wings", "a: wings", "elsewhere,beyond: nothing", ": wheels"}
	want := projection.RuleScore{Documents: 5, Guessed: 1, Labelled: 4, Labels: 6, Right: 2}
	for _, all := range []iter.Seq2[projection.Vector, error]{
		p.Documents(t.Context(), enginetest.Texts(lines...)), p.Corpus(t.Context(), enginetest.Build(t, lines...)),
	} {
		var got projection.RuleScore
		for v := range testkit.All(all) {
			got.Add(v)
		}
		if got != want || got.Accuracy() != .5 || got.MicroF1() != .4 { // 2·2/(4+6)
			t.Errorf("%+v: %v, %v", got, got.Accuracy(), got.MicroF1())
		}
	}
	if none := (projection.RuleScore{}); none.Accuracy() != 0 || none.MicroF1() != 0 {
		t.Error(none)
	}
}

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
		testkit.Is(t, err, ingest.ErrBadDocument, "a term twice")
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
	testkit.Same(t, counted, raw, "but raw")
	var out bytes.Buffer
	testkit.OK(vectors.WriteSVMLight(&out, func(yield func(vectors.Row, error) bool) {
		for v, err := range p.Corpus(t.Context(), c) {
			if !yield(v.Row, err) {
				return
			}
		}
	}))
	want := ""
	for _, v := range counted {
		want += map[string]string{"1": "1", "2": "0", "3": "0,1", "4": ""}[v.ID]
		for i, k := range v.Index {
			want += fmt.Sprintf(" %d:%v", k, v.Value[i])
		}
		want += "\n"
	}
	testkit.Equal(t, out.String(), want)
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
