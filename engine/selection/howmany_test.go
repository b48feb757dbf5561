package selection_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func chosen(t *testing.T, c *corpus.Corpus, o selection.Options) *selection.Selection {
	t.Helper()
	s, err := selection.Select(t.Context(), c, o)
	if errors.Is(err, selection.ErrNothingSelected) {
		return &selection.Selection{}
	}
	testkit.OK(err)
	return s
}

func terms(s *selection.Selection) (names []string) {
	for _, f := range s.Features {
		names = append(names, f.Term)
	}
	return names
}

func singleLabelled(c naive.Corpus) bool {
	return !slices.ContainsFunc(c.Docs, func(d naive.Doc) bool { return len(d.Labels) != 1 })
}

func TestYatesAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 60, Large: 3}.Each(t, func(t *testing.T, _ *rand.Rand, c naive.Corpus) {
		tb, corpus := naive.Tabulate(c), enginetest.CorpusOf(t, c)
		s := enginetest.StatisticsOf(t, corpus, "")
		want, byCell := tb.Class("chi", naive.Options{Yates: true}), enginetest.ClassValues(t, s, rank.Options{Yates: true})
		for i, term := range c.Terms {
			for k, class := range c.Classes {
				enginetest.CompareValue(t, byCell[[2]string{term, class}].Value, want[i][k], 0, "yates", term, class)
			}
		}
		for _, how := range []string{"", "max", "avg", "sum", "mean"} {
			o := rank.Options{Combine: rank.Combination(how), Yates: true}
			r, want := enginetest.RankAll(t, corpus, o), tb.Global("chi", how, naive.Options{Yates: true})
			for e := range r.All() {
				i := slices.Index(c.Terms, e.Term)
				enginetest.CompareValue(t, e.Value, want[i], want[i], "yates", how, e.Term)
			}
			kept := testkit.Must(rank.Terms(t.Context(), s, o))
			enginetest.SameRanking(t, "yates "+how, r, kept)
		}
	})
}

// Every p-value against sums and integrals that take their time, by class and of all.
func TestPValuesAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 25, Large: 3}.Each(t, func(t *testing.T, _ *rand.Rand, c naive.Corpus) {
		tb, corpus := naive.Tabulate(c), enginetest.CorpusOf(t, c)
		for _, measure := range rank.WithPValues() {
			for _, exact := range []bool{false, true} {
				if exact && !slices.Contains(rank.WithExactTest(), measure) {
					continue
				}
				o := rank.Options{Measure: rank.Measure(measure), PValues: true, Exact: exact}
				if measure == "ig" && !singleLabelled(c) {
					testkit.Is(testkit.Stop(t), testkit.Err(rank.Several(t.Context(), corpus, o)), usage.ErrUsage,
						"ig of several labels")
					continue
				}
				compareOverall(t, corpus, c, tb, o)
				if !naive.GlobalOnly(measure) && measure != "ig" {
					compareByClass(t, corpus, c, tb, o)
				}
			}
		}
	})
}

func compareOverall(t *testing.T, corpus *corpus.Corpus, c naive.Corpus, tb *naive.Tables, o rank.Options) {
	t.Helper()
	r := enginetest.RankAll(t, corpus, o)
	kept := testkit.Must(rank.Terms(t.Context(), enginetest.StatisticsOf(t, corpus, ""), o))
	if o.Measure != "ig" { // of kept counts it is not known whether labels are single
		enginetest.SameRanking(t, "p-values of counts", kept, r)
	}
	for e := range r.All() {
		i := slices.Index(c.Terms, e.Term)
		if naive.GlobalOnly(string(o.Measure)) || o.Measure == "ig" {
			compareLnP(t, e.Log10P, []float64{tb.PValue(string(o.Measure), tb.Global(string(o.Measure), "", naive.Options{})[i])}, o, e.Term)
			continue
		}
		values := tb.Class(string(o.Measure), naive.Options{})[i]
		var possible []float64
		for k, v := range values {
			if v == slices.Max(values) || v >= slices.Max(values)-4e-12*math.Abs(v) {
				lnp := tb.PValue(string(o.Measure), v)
				if o.Exact {
					lnp = tb.Fisher(i, k)
				}
				possible = append(possible, math.Min(0, lnp+math.Log(float64(len(c.Classes)))))
			}
		}
		compareLnP(t, e.Log10P, possible, o, e.Term)
	}
}

func compareByClass(t *testing.T, corpus *corpus.Corpus, c naive.Corpus, tb *naive.Tables, o rank.Options) {
	t.Helper()
	values := tb.Class(string(o.Measure), naive.Options{})
	byCell := enginetest.ClassValues(t, enginetest.StatisticsOf(t, corpus, ""), o)
	for k, class := range c.Classes[:min(3, len(c.Classes))] {
		r := testkit.Must(rank.Class(t.Context(), corpus, class, o))
		for e := range r.All() {
			i := slices.Index(c.Terms, e.Term)
			lnp := tb.PValue(string(o.Measure), values[i][k])
			if o.Exact {
				lnp = tb.Fisher(i, k)
			}
			compareLnP(t, e.Log10P, []float64{lnp}, o, e.Term, class)
			testkit.Equal(t, byCell[[2]string{e.Term, class}].Log10P, e.Log10P, o, e.Term, class, "in a ranking")
		}
	}
}

// compareLnP allows for what a value's own error of 1e-12 makes of a large statistic.
func compareLnP(t *testing.T, log10p float64, possible []float64, what ...any) {
	t.Helper()
	if !(log10p <= 0) || math.Signbit(log10p) && log10p == 0 {
		t.Errorf("%v: log10 p is %v", what, log10p)
	}
	for _, lnp := range possible {
		if testkit.Near(log10p*math.Ln10, lnp, 1e-9, 1e-9) {
			return
		}
	}
	t.Errorf("%v: ln p is %v, want %v", what, log10p*math.Ln10, possible)
}

// What passes is what the definitions say of the p-values, in the order of the values.
func TestErrorRatesAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 25, Large: 3}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		for range 6 {
			o := rank.Options{Measure: []rank.Measure{"chi", "g2", "ngl", "logoddsz", "ttest", "anova", "emi", "chitf"}[r.IntN(8)], PValues: true}
			o.Exact = slices.Contains(rank.WithExactTest(), string(o.Measure)) && r.IntN(2) == 0
			ranked := enginetest.RankAll(t, corpus, o)
			level := math.Pow(r.Float64(), 1+3*r.Float64())
			var names []string
			var lnp []float64
			for _, e := range ranked.Top(ranked.Len()) {
				names, lnp = append(names, e.Term), append(lnp, e.Log10P*math.Ln10)
			}
			for _, by := range []string{"fpr", "fdr", "fwe"} {
				sel := selection.Options{By: o}
				switch by {
				case "fpr":
					sel.Keep = selection.FPR(level)
				case "fdr":
					sel.Keep = selection.FDR(level)
				case "fwe":
					sel.Keep = selection.FWE(level)
				}
				var want []string
				for i, passes := range naive.Passing(by, lnp, level) {
					if passes {
						want = append(want, names[i])
					}
				}
				s := chosen(t, corpus, sel)
				testkit.EqualSlices(t, terms(s), want, by, level, "by", o, names, "with", lnp)
			}
		}
	})
}

// Energy is the reference's, over any values that are not negative.
func TestEnergyAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 40, Large: 3}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		tb, corpus := naive.Tabulate(c), enginetest.CorpusOf(t, c)
		for _, weight := range []string{"tf", "tfidf", "ltc"} {
			x := tb.Centroids(weight)
			ranked := enginetest.RankAll(t, corpus, rank.Options{Measure: "ocfs", Weight: table.Weighting(weight)})
			energy, _ := rank.NewEnergy(ranked.Values())
			for _, share := range []float64{.8, .9, .95, .99, r.Float64()} {
				if got, want := energy.Terms(share), x.PStar(share); got != want && slices.Max(x.Score) > 1e-20 {
					t.Errorf("ocfs %s, %v: %d terms, want %d of %v", weight, share, got, want, x.Score)
				}
			}
		}
		for _, by := range []string{"chi", "df", "ig", "acc2"} {
			values, share := tb.Global(by, "", naive.Options{}), r.Float64()
			s := chosen(t, corpus, selection.Options{By: rank.Options{Measure: rank.Measure(by)}, Keep: selection.Energy(share)})
			if want := naive.EnergyTerms(values, share); len(s.Features) != want && slices.Max(values) > 1e-12 {
				t.Errorf("%s, %v: %d terms, want %d of %v", by, share, len(s.Features), want, values)
			}
		}
	})
}

func TestEnergyOfIris(t *testing.T) {
	c := enginetest.Iris(t)
	energy, _ := rank.NewEnergy(enginetest.RankAll(t, c, rank.Options{Measure: "ocfs"}).Values())
	testkit.EqualSlices(t, []int{energy.Terms(.7), energy.Terms(1)}, []int{1, 4})
	s := chosen(t, c, selection.Options{By: rank.Options{Measure: "ocfs"}, Keep: selection.Energy(.8)})
	if names := strings.Join([]string{s.Features[0].Term, s.Features[1].Term}, " "); len(s.Features) != 2 || names != "3 4" {
		t.Errorf("%q", names)
	}
	want := []rank.EnergyShare{{Share: .8, Terms: 2}, {Share: .9, Terms: 3}, {Share: .95, Terms: 3}, {Share: .99, Terms: 4}}
	testkit.EqualSlices(t, s.Stages[0].Energy, want)
}

// A fixed gives terms the values of their names.
type fixed map[string]float64

func (f fixed) Name() string { return "fixed" }

// Class finds a term by its frequency, which is its place in the alphabet.
func (f fixed) Class(t *score.Table) float64 { return f[string(rune('a'-1+int(t.CF)))] }

func fixedCorpus(t *testing.T, terms string) *corpus.Corpus {
	return enginetest.CorpusFrom(t, func(int) (d document.Document) {
		d.Labels = []string{"x"}
		for _, r := range terms {
			d.Features = append(d.Features, document.Feature{Term: string(r), Value: float64(r - 'a' + 1)})
		}
		return d
	}, 1)
}

func TestEnergyOfExtremes(t *testing.T) {
	for name, c := range map[string]struct {
		values fixed
		terms  []int // that hold 1/2, 3/4 and all
	}{
		"ties":        {fixed{"a": .1, "b": .1, "c": .1, "d": .1}, []int{2, 3, 4}},
		"a zero":      {fixed{"a": 3, "b": 1, "c": 0, "d": 0}, []int{1, 1, 2}},
		"all zero":    {fixed{}, []int{0, 0, 0}},
		"infinite":    {fixed{"a": math.Inf(1), "b": 7, "c": math.Inf(1), "d": 1}, []int{1, 2, 2}},
		"overflowing": {fixed{"a": 1e308, "b": 1e308, "c": 1e308, "d": 1e308}, []int{2, 3, 4}},
		"tiny":        {fixed{"a": 5e-324, "b": 5e-324, "c": 5e-324, "d": 5e-324}, []int{2, 3, 4}},
		"uneven":      {fixed{"a": 1, "b": 1e-20, "c": 1e-20, "d": 1e-20}, []int{1, 1, 4}},
	} {
		r := enginetest.RankAll(t, fixedCorpus(t, "abcd"), rank.Options{Measure: "fixed", Own: []score.Measure{c.values}})
		e, _ := rank.NewEnergy(r.Values())
		testkit.EqualSlices(t, []int{e.Terms(.5), e.Terms(.75), e.Terms(1)}, c.terms, name)
	}
	for name, values := range map[string]fixed{"negative": {"a": 1, "b": -1e-9}, "the first is negative": {"a": -1e-9}, "undefined": {"a": 1, "c": math.NaN()}, "minus infinity": {"b": math.Inf(-1)}} {
		o := rank.Options{Measure: "fixed", Own: []score.Measure{values}}
		testkit.Refused(t, testkit.Err(selection.Select(t.Context(), fixedCorpus(t, "abcd"), selection.Options{By: o, Keep: selection.Energy(.5)})), usage.ErrUsage,
			"not negative", name)
	}
}

// Two of .9, .8 and .8 hold .68 of the sum, which the rounded sums of the first two miss by one bit.
func TestEnergyButForRounding(t *testing.T) {
	by := rank.Options{Measure: "fixed", Own: []score.Measure{fixed{"a": .9, "b": .8, "c": .8}}}
	share, ratio := .68, .8/by.Own[0].(fixed)["a"]
	if two := 1 + ratio; two >= share*(two+ratio) {
		t.Fatalf("%v reaches the share", two)
	}
	if s := chosen(t, fixedCorpus(t, "abc"), selection.Options{By: by, Keep: selection.Energy(share)}); len(s.Features) != 2 {
		t.Errorf("%+v", s.Features)
	}
}

// A value that is the least one that is kept is kept.
func TestMinScoreAtEquality(t *testing.T) {
	more := math.Nextafter(.3, 1)
	by := rank.Options{Measure: "fixed", Own: []score.Measure{fixed{"a": .3, "b": more, "c": .3, "d": -1}}}
	for least, want := range map[float64]string{.3: "b a c", more: "b", -1: "b a c d", math.Nextafter(.3, 0): "b a c"} {
		var terms []string
		for _, f := range chosen(t, fixedCorpus(t, "abcd"), selection.Options{By: by, Keep: selection.AtLeast(least)}).Features {
			terms = append(terms, f.Term)
		}
		testkit.Equal(t, strings.Join(terms, " "), want, least)
	}
}

func TestPerDocumentAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 40, Large: 3}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		o := rank.Options{Measure: []rank.Measure{"chi", "df", "mi", "ttest"}[r.IntN(4)]}
		var order []int
		for _, e := range enginetest.RankAll(t, corpus, o).Top(len(c.Terms)) {
			order = append(order, slices.Index(c.Terms, e.Term))
		}
		var among *selection.Selection
		if r.IntN(2) == 0 { // among some terms, best first
			among = &selection.Selection{}
			for i := len(order) - 1; i >= 0; i-- {
				if r.IntN(2) == 0 {
					among.Features = append(among.Features, selection.Feature{Term: c.Terms[order[i]]})
				} else {
					order = slices.Delete(order, i, i+1)
				}
			}
		}
		for _, f := range []int{1, 2, 3, math.MaxInt32} {
			want := c.PerDocument(order, f)
			s := chosen(t, corpus, selection.Options{By: o, Keep: selection.PerDocument(f), Among: among})
			var names []string
			for _, t := range order { // the union in the order of values
				if slices.Contains(want, t) {
					names = append(names, c.Terms[t])
				}
			}
			testkit.EqualSlices(t, terms(s), names, f, "a document")
		}
	})
}

// A second stage is the ranking of the whole corpus with other terms taken away.
func TestAmong(t *testing.T) {
	enginetest.Rounds{All: 30, Large: 3}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		first := chosen(t, corpus, selection.Options{By: rank.Options{Measure: "ocfs", Weight: "ltc"}, Keep: selection.Best(1 + r.IntN(len(c.Terms)))})
		byChi := enginetest.RankAll(t, corpus, rank.Options{Measure: "chi"})
		var left []string
		values := map[string]float64{}
		for _, e := range byChi.Top(byChi.Len()) {
			if slices.Contains(terms(first), e.Term) {
				left = append(left, e.Term)
			}
			values[e.Term] = e.Value
		}
		k := 1 + r.IntN(len(left))
		s := chosen(t, corpus, selection.Options{Keep: selection.Best(k), Among: first})
		testkit.EqualSlices(t, terms(s), left[:k])
		for _, f := range s.Features {
			testkit.Equal(t, f.Score, values[f.Term], f.Term, "in the whole corpus")
		}
		half := chosen(t, corpus, selection.Options{Keep: selection.Percent(50), Among: first})
		testkit.Equal(t, len(half.Features), (len(left)+1)/2, "half of", len(left), "terms")
		third := chosen(t, corpus, selection.Options{By: rank.Options{Measure: "df"}, Keep: selection.Best(1), Among: s})
		var by []string
		for _, stage := range third.Stages {
			by = append(by, string(stage.Measure), stage.Criterion)
		}
		want := []string{"ocfs", fmt.Sprint("k ", len(first.Features)), "chi", fmt.Sprint("k ", k), "df", "k 1"}
		if !slices.Equal(by, want) || third.Stages[2].Candidates != k || third.Measure != "df" || third.Combine != "total" {
			t.Errorf("%+v", third.Stages)
		}
	})
}

// Per class every criterion is that of the class's own list.
func TestCriteriaPerClass(t *testing.T) {
	least := .5
	enginetest.Rounds{All: 15, Large: 3}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		if len(c.Classes) > 100 {
			return
		}
		corpus := enginetest.CorpusOf(t, c)
		level := r.Float64()
		for name, o := range map[string]selection.Options{
			"k": {Keep: selection.Best(2)}, "percentile": {Keep: selection.Percent(30)}, "min-score": {Keep: selection.AtLeast(least)}, "energy": {Keep: selection.Energy(.5)},
			"fpr": {Keep: selection.FPR(level)}, "fdr": {Keep: selection.FDR(level)}, "fwe": {Keep: selection.FWE(level), By: rank.Options{Exact: true}},
		} {
			o.PerClass = true
			var want []string
			for _, class := range slices.Sorted(slices.Values(c.Classes)) {
				scoring := o.By
				scoring.PValues = name[0] == 'f'
				ranked := testkit.Must(rank.Class(t.Context(), corpus, class, scoring))
				all := ranked.Top(ranked.Len())
				lnp := make([]float64, len(all))
				for i, e := range all {
					lnp[i] = e.Log10P * math.Ln10
				}
				n, passing := 0, []bool{}
				switch name {
				case "k":
					n = 2
				case "percentile":
					n = (len(all)*3 + 9) / 10
				case "min-score":
					n = slices.IndexFunc(all, func(e rank.Entry) bool { return e.Value < least })
					if n < 0 {
						n = len(all)
					}
				case "energy":
					energy, _ := rank.NewEnergy(ranked.Values())
					n = energy.Terms(.5)
				default:
					passing = naive.Passing(name, lnp, level)
				}
				for i, e := range all {
					if (i < n || i < len(passing) && passing[i]) && !slices.Contains(want, e.Term) {
						want = append(want, e.Term)
					}
				}
			}
			testkit.EqualSlices(t, terms(chosen(t, corpus, o)), want, name)
		}
	})
}

func TestSelectionsOnThreads(t *testing.T) {
	c := enginetest.ManyChunks(t)
	for _, o := range []selection.Options{
		{Keep: selection.FPR(.5), By: rank.Options{Exact: true}},
		{Keep: selection.FPR(.9), By: rank.Options{Measure: "logoddsz"}, PerClass: true},
		{Keep: selection.FPR(.9), By: rank.Options{Yates: true}},
		{Keep: selection.PerDocument(2)},
		{Keep: selection.Energy(.5), By: rank.Options{Measure: "ocfs", Weight: "ltc"}},
	} {
		var want string
		for _, o.By.Threads = range []int{1, 2, 3, 8} {
			var file bytes.Buffer
			s := chosen(t, c, o)
			if err := s.WriteTSV(&file); err != nil || len(s.Features) == 0 {
				t.Fatalf("%+v: %d terms, %v", o, len(s.Features), err)
			}
			got := file.String() + strings.Join(s.Warnings, "\n")
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%+v: %d threads select otherwise", o, o.By.Threads)
			}
		}
	}
}
