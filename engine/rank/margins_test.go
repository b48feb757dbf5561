package rank_test

import (
	"math"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

// informationGain returns Σ over the classes of their two cells' A/N·ln(N·A/(df·n_c)), by its definition.
func informationGain(x *rank.Explanation) (sum float64) {
	part := func(observed, margin, size float64) float64 {
		if observed == 0 {
			return 0
		}
		return observed / float64(x.N) * math.Log(float64(x.N)*observed/(margin*size))
	}
	for _, c := range x.Tables {
		n := float64(c.A + c.C)
		sum += part(float64(c.A), float64(x.DF), n) + part(float64(c.C), float64(x.N-x.DF), n)
	}
	return sum
}

// Labels are as many as documents, though those with a term have more or fewer, and the other way round.
func TestGainWhereLabelsAreAsManyAsDocuments(t *testing.T) {
	for _, c := range []*corpus.Corpus{
		enginetest.Build(t, "a,b:both both one", ":none", "a:one", "b:both", "a:one some", "b:some none", "a,c:both some", ":none some", "c:one", "c:some", "c:rest", "a:rest", "b:rest", "b:one"),
		enginetest.Build(t, "a:one", ":none", "a:one some", "b:some", "b:rest one", "c:some rest", ":none"),
		enginetest.Build(t, "a,b:both", "a:one", "a:one some", "b:some", "b:rest one", "c:some rest", "a,c:both"),
	} {
		r := enginetest.RankAll(t, c, rank.Options{Measure: rank.IG})
		for i := range r.Len() {
			x := testkit.Must(rank.Explain(t.Context(), c, c.Term(i), rank.Options{}))
			if got, want := r.Values()[i], informationGain(x); math.Abs(got-want) > 1e-13 {
				t.Errorf("%s: %v, want %v", c.Term(i), got, want)
			}
		}
	}
}

// A class that every document has tells nothing, and is not the largest of those without a term: the
// largest value over the classes is that of their values one by one.
func TestClassThatEveryDocumentHas(t *testing.T) {
	for name, c := range map[string]*corpus.Corpus{
		"of documents": enginetest.Build(t, "all,big:most", "all,big:most", "all,big:most", "all,big:most few", "all,small:one", "all,tiny:one two", "all:rest", "all:few"),
		"of tokens":    enginetest.Build(t, "all,big:most most most most", "all,big:most", "all,small:one", "all,small:one two", "all,tiny:two"),
		"alone":        enginetest.Build(t, "all:one", "all:two two", "all:one two"),
	} {
		for _, m := range rank.KnownMeasures() {
			if !m.Combinable {
				continue
			}
			largest := map[string]float64{}
			for e := range testkit.All(rank.Cells(t.Context(), c, rank.Options{Measure: rank.Measure(m.Name)})) {
				if v, ok := largest[e.Term]; !ok || e.Value > v {
					largest[e.Term] = e.Value
				}
			}
			r := enginetest.RankAll(t, c, rank.Options{Measure: rank.Measure(m.Name), Combine: rank.Max})
			for e := range r.All() {
				if want := largest[e.Term]; e.Value != want && math.Abs(e.Value-want) > 1e-14*math.Abs(want) {
					t.Errorf("%s, %s of %s: %v, want %v", name, m.Name, e.Term, e.Value, want)
				}
			}
		}
	}
}
