package rank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// numbers builds a corpus of documents with a number each, and terms that go with it more or less.
func numbers(t *testing.T, n int, number func(r *rand.Rand, d int) float64) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(42, 1))
	var docs []document.Document
	for d := range n {
		y := number(r, d)
		doc := document.Document{ID: fmt.Sprint(d), Labels: []string{strconv.FormatFloat(y, 'f', -1, 64)}, Features: []document.Feature{}}
		for i := range 12 {
			if r.NormFloat64()+float64(i%4)*y/20 > .5 {
				doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprint("t", i), Value: float64(1 + r.IntN(3))})
			}
		}
		docs = append(docs, doc)
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}

// The p-values by permutations are near those of the distributions, for few numbers and for as many as
// documents.
func TestPermutedTargets(t *testing.T) {
	const draws = 4000
	for name, number := range map[string]func(r *rand.Rand, d int) float64{
		"stars":         func(r *rand.Rand, _ int) float64 { return float64(1 + r.IntN(5)) },
		"all different": func(_ *rand.Rand, d int) float64 { return float64(d) / 50 },
	} {
		c := numbers(t, 300, number)
		for _, m := range rank.TargetMeasures() {
			o := rank.Options{Measure: rank.Measure(m.Name), PValues: true}
			if m.Name == string(rank.Spearman) {
				o.Weight = table.Binary
			}
			want := testkit.Must(rank.Terms(t.Context(), c, o))
			o.PValues = false
			got := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: o, B: draws, Seed: 7}))
			compared := 0
			for e := range got.All() {
				term, _ := want.Statistics().Names.Lookup(e.Term)
				p := math.Exp(want.LnP(term))
				if sigma := math.Sqrt(p * (1 - p) / draws); math.Abs(e.P-p) > 5*sigma+.01 {
					t.Errorf("%s: p of %s of %s is %v by permutations, %v by its distribution", name, m.Name, e.Term, e.P, p)
				}
				compared++
			}
			testkit.Equal(t, compared, 12, name)
		}
		_, err := rank.Permute(t.Context(), c, rank.PermuteOptions{By: rank.Options{Measure: rank.Spearman}, B: 9})
		testkit.Says(t, err, "--weight binary", "permutations of spearman of values")
		_, err = rank.MeasureStability(t.Context(), c, rank.StabilityOptions{By: rank.Options{Measure: rank.Spearman}, K: 2, Folds: 2})
		testkit.Says(t, err, "--weight binary", "samples of spearman of values")
	}
}
