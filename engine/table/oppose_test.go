package table_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Two tables that are opposed have the counts of the corpora that are opposed.
func TestOppose(t *testing.T) {
	a := enginetest.Build(t, "x:moon moon sun", "y:sun sun sun", "x:star")
	b := enginetest.Build(t, "y:moon", "z:comet comet moon")
	whole := testkit.Must(testkit.Must(corpus.Contrast(t.Context(), a, b, corpus.ContrastOptions{})).Statistics(t.Context(), corpus.CountOptions{}))
	ofA, ofB := testkit.Must(a.Statistics(t.Context(), corpus.CountOptions{})), testkit.Must(b.Statistics(t.Context(), corpus.CountOptions{}))
	got, squares, err := table.Oppose(ofA, ofB, [2]string{corpus.ClassTarget, corpus.ClassReference})
	if err != nil || !squares {
		t.Fatal(squares, err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	if !slices.Equal(got.Classes(), whole.Classes()) || !got.Cells.Same(&whole.Cells.Margins) || got.Cells.FirstDifference(&whole.Cells) >= 0 {
		t.Errorf("%+v, want %+v", got.Cells, whole.Cells)
	}

	several := testkit.Must(enginetest.Build(t, "x,y:moon moon", "x:sun").Statistics(t.Context(), corpus.CountOptions{}))
	got, squares, err = table.Oppose(several, ofB, [2]string{"several", "b"})
	if err != nil || squares {
		t.Errorf("squares of documents with several classes: %v, %v", squares, err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	if _, _, err := table.Oppose(nil, ofB, [2]string{"a", "b"}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
}
