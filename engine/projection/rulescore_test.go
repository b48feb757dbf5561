package projection_test

import (
	"iter"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/projection"
)

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
