package rank_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
)

// Values of classes, and their cells, are those of the class whatever combination is asked for: with the
// same p-values.
func TestCellsAreThoseOfClasses(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "b:zz ww", "c:vv")
	o := rank.Options{Measure: rank.G2, Combine: rank.Sum, PValues: true}
	byClass := map[string]*rank.Ranking{}
	for _, class := range c.Classes() {
		r := testkit.Must(rank.Class(t.Context(), c, class, o))
		if byClass[class] = r; r.Combine != rank.ByClass {
			t.Errorf("the values of %s are by %q", class, r.Combine)
		}
	}
	cells := 0
	for e := range testkit.All(rank.Cells(t.Context(), c, o)) {
		r := byClass[e.Class]
		term := testkit.Must(r.Statistics().Lookup(e.Term))
		if cells++; e.Value != r.Values()[term] || e.Log10P != rank.Log10(r.LnP(term)) || e.Log10P > 0 {
			t.Errorf("%+v, want %v and %v", e, r.Values()[term], r.LnP(term))
		}
	}
	testkit.Equal(t, cells, len(byClass)*c.Terms())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := enginetest.Build(t, "a:xx", "b:yy")
	var last error
	for _, last = range rank.Cells(ctx, fresh, o) {
	}
	testkit.Is(t, last, context.Canceled, "cancelled")
}

// Several classes ranked at once are as one after the other, in the order asked for.
func TestClassesAtOnce(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "b:zz ww", "c:vv")
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
	for _, o := range []rank.Options{{PValues: true}, {Measure: rank.TTest, Signed: true}, {Measure: rank.G2TF, Positive: true}} {
		o.Combine = rank.ByClass
		rankings := testkit.Must(testkit.Must(o.Resolve()).Classes(t.Context(), s, 2, 0))
		testkit.Equal(testkit.Stop(t), len(rankings), 2)
		for i, class := range []string{"c", "a"} {
			want := testkit.Must(rank.Class(t.Context(), c, class, o))
			got := slices.Collect(rankings[i].Best(100))
			if rankings[i].Class != class || rankings[i].Test != want.Test || len(got) == 0 || !slices.Equal(got, slices.Collect(want.Best(100))) {
				t.Errorf("%s of %s: %+v, want %+v", o.Measure, class, got, slices.Collect(want.Best(100)))
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(testkit.Must(rank.Options{Combine: rank.ByClass}.Resolve()).Classes(ctx, s, 0)),
		context.Canceled, "cancelled")
}

// The p-value of the largest class value is that of its class, times the number of classes: of both tests.
func TestPValuesOfTheLargestClass(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "b:zz ww", "c:vv", "c:vv xx", "a:xx", "b:zz")
	for exact, title := range map[bool]string{false: "chi-square, 1 degree of freedom", true: "Fisher's exact test, two-sided"} {
		o := rank.Options{PValues: true, Exact: exact}
		largest := enginetest.RankAll(t, c, o)
		testkit.Equal(t, largest.Test, title+"; the largest of 3 classes, p times 3 (Bonferroni)")
		differ := 0
		for e := range largest.All() {
			r := testkit.Must(rank.Class(t.Context(), c, e.Class, o))
			testkit.Equal(t, r.Test, title)
			term := testkit.Must(r.Statistics().Lookup(e.Term))
			testkit.Close(t, largest.LnP(term), min(0, r.LnP(term)+math.Log(3)), 1e-12, 1e-15, e.Term, "exact", exact,
				"ln p")
			if table := (pvalue.Table{A: int64(e.A), B: int64(e.B), C: int64(e.C), D: int64(e.D)}); exact && r.LnP(term) != table.TwoSided() {
				t.Errorf("%s: ln p %v, that of its table %v", e.Term, r.LnP(term), table.TwoSided())
			}
			if plain := testkit.Must(rank.Class(t.Context(), c, e.Class, rank.Options{PValues: true})); plain.LnP(term) != r.LnP(term) {
				differ++
			}
		}
		testkit.Equal(t, differ > 0, exact, "exact", differ, "p-values differ from those of chi-square")
	}
	testkit.Equal(t, math.Signbit(rank.Log10(math.Copysign(0, -1))), false, "log10 of 1 is -0")
}

// A term is explained by every measure's own combination, whatever the options combine and test.
func TestExplainedByEveryMeasure(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "b:zz ww", "c:vv")
	x := testkit.Must(rank.Explain(t.Context(), c, "yy", rank.Options{Measure: rank.IG, Combine: rank.Sum, PValues: true, Exact: true}))
	testkit.Equal(testkit.Stop(t), len(x.Measures), len(rank.Measures()))
	for i, m := range rank.Measures() {
		e, r := x.Measures[i], enginetest.RankAll(t, c, rank.Options{Measure: rank.Measure(m.Name)})
		term := testkit.Must(r.Statistics().Lookup("yy"))
		if string(e.Measure) != m.Name || e.Combine != r.Combine || e.Value != r.Values()[term] || e.Of != c.Terms() || r.Top(e.Of)[e.Rank-1].Term != "yy" {
			t.Errorf("%+v, want %v by %s", e, r.Values()[term], r.Combine)
		}
		if !m.Combinable {
			if e.ByClass != nil || e.Best != 0 {
				t.Errorf("%+v has values of classes", e)
			}
			continue
		}
		for k, class := range c.Classes() {
			if want := testkit.Must(rank.Class(t.Context(), c, class, rank.Options{Measure: e.Measure})).Values()[term]; e.ByClass[k] != want || e.ByClass[e.Best] < want {
				t.Errorf("%+v: %v in %s", e, want, class)
			}
		}
	}
}

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
			testkit.Close(t, r.Values()[i], informationGain(x), 0, 1e-13, c.Term(i))
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
