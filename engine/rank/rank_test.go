package rank_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// The paper prints that features 3 and 1 are kept; its own formula keeps 3 and 4.
func TestIrisByOrthogonalCentroids(t *testing.T) {
	r := testkit.Must(rank.Terms(t.Context(), enginetest.StatisticsOf(t, enginetest.Iris(t), ""), rank.Options{Measure: "ocfs"}))
	want := map[string]float64{"1": 0.42141422222222222, "2": 0.073184, "3": 2.9109582222222222, "4": 0.53736088888888889}
	var order []string
	for _, e := range r.Top(4) {
		order = append(order, e.Term)
		testkit.Close(t, e.Value, want[e.Term], 1e-12, 0, "feature", e.Term)
	}
	testkit.EqualSlices(t, order, []string{"3", "4", "1", "2"}, "order")
}

// A term that occurs twice, both times in the class, is significant at 5 % only where the class has less than 0.34 of
// the documents: chi is nearly 2(1-p)/p, of 100 documents 200(1-p)/(98p).
func TestTwoOccurrencesOfTheClass(t *testing.T) {
	for _, ofClass := range []int{15, 34, 35, 60} {
		var lines []string
		for d := range 100 {
			text := map[bool]string{true: "a:", false: "b:"}[d < ofClass]
			if d < 2 {
				text += "word"
			}
			lines = append(lines, text)
		}
		s := enginetest.StatisticsOf(t, enginetest.Build(t, lines...), "")
		chi := enginetest.ClassValues(t, s, rank.Options{Measure: rank.Chi})[[2]string{"word", "a"}].Value
		p := float64(ofClass) / 100
		testkit.Close(t, chi, 200*(1-p)/(98*p), 1e-12, 0, p)
		testkit.Equal(t, chi > 3.84, p < .345, p, chi)
	}
}

// Raw text and the counted corpus of the same text give the same rows.
func TestTransformOfTextAndOfCorpusAgree(t *testing.T) {
	lines := []string{"a:the cat sat on the mat", "b:the dog", "a,b:cat and dog and cat", ":nothing known", "a:"}
	c := enginetest.Build(t, lines...)
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(5)}))
	for _, weight := range []table.Weighting{table.TF, table.LTC} {
		var outs [2]bytes.Buffer
		tr := testkit.Must(vectors.New(s, weight))
		testkit.OK(vectors.WriteSVMLight(&outs[0], tr.Documents(t.Context(), enginetest.Texts(lines...))))
		testkit.OK(vectors.WriteSVMLight(&outs[1], tr.Corpus(t.Context(), c)))
		testkit.Equal(testkit.Stop(t), outs[0].String(), outs[1].String(), weight)
	}
}

func TestTransformRefusesAnotherAnalysis(t *testing.T) {
	s := testkit.Must(selection.Select(t.Context(), enginetest.Build(t, "a:one two", "b:three"), selection.Options{Keep: selection.Best(2)}))
	other := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one", "b:two"), corpus.Options{Analysis: analysis.Options{Stem: "porter"}}))
	tr := testkit.Must(vectors.New(s, ""))
	for _, err := range tr.Corpus(t.Context(), other) {
		testkit.Is(testkit.Stop(t), err, usage.ErrContradiction)
	}
}

func TestRefusals(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three")
	s := enginetest.StatisticsOf(t, c, "")
	place := func(o rank.Options) error { _, err := rank.Terms(t.Context(), s, o); return err }
	choose := func(o selection.Options) error { _, err := selection.Select(t.Context(), c, o); return err }
	least := 1e9
	for name, c := range map[string]struct {
		err  error
		want error
		text string
	}{
		"measure":        {place(rank.Options{Measure: "chy"}), usage.ErrUsage, "did you mean chi"},
		"combination":    {place(rank.Options{Combine: "maximum"}), usage.ErrUsage, "Known: max avg sum mean class"},
		"weighting":      {place(rank.Options{Weight: "bm25"}), usage.ErrUsage, "unknown weighting"},
		"not counted":    {place(rank.Options{Measure: "ocfs", Weight: "ltc"}), usage.ErrUsage, "no sums of weighting ltc"},
		"class of gini":  {place(rank.Options{Measure: "gini", Combine: "class"}), usage.ErrUsage, "one value for a term"},
		"own chi":        {place(rank.Options{PValues: true, Own: []score.Measure{ownChi{}}}), usage.ErrUsage, "no p-values of chi"},
		"gini test":      {place(rank.Options{Measure: "gini", PValues: true}), usage.ErrUsage, "no p-values of gini"},
		"base":           {place(rank.Options{Base: -1}), usage.ErrUsage, "base"},
		"no criterion":   {choose(selection.Options{}), usage.ErrUsage, "exactly one"},
		"negative k":     {choose(selection.Options{Keep: selection.Best(-1)}), usage.ErrUsage, "positive"},
		"percentile":     {choose(selection.Options{Keep: selection.Percent(101)}), usage.ErrUsage, "at most 100"},
		"nothing passes": {choose(selection.Options{Keep: selection.AtLeast(least)}), selection.ErrNothingSelected, "none of the 3"},
	} {
		testkit.Refused(t, c.err, c.want, c.text, name)
	}
	_, err := s.Lookup("thre")
	var unknown *usage.UnknownError
	if !errors.As(err, &unknown) || !slices.Contains(unknown.Near, "three") || errors.Is(err, usage.ErrUsage) {
		t.Errorf("an unknown term: %v", err)
	}
	for want, docs := range map[error]document.Stream{
		ingest.ErrEmpty: enginetest.Texts(), ingest.ErrNoLabels: enginetest.Texts(":one", ":two"),
	} {
		testkit.Is(t, testkit.Err(corpus.Build(t.Context(), docs, corpus.Options{})), want)
	}
	testkit.Is(t, testkit.Err(corpus.Build(t.Context(), enginetest.Texts("a:!", "b:?"), corpus.Options{})),
		ingest.ErrEmpty, "no terms")
}

// ownChi is a measure with the name of a standard one, and other values.
type ownChi struct{}

func (ownChi) Name() string                 { return "chi" }
func (ownChi) Class(t *score.Table) float64 { return t.A }

// Measures that combine no classes give their own value under any combination, and the weighting that a plan
// says it needs is that of sums which plain counts lack.
func TestResolvedOptions(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "c:vv")
	for _, m := range rank.KnownMeasures() {
		if m.Combinable {
			continue
		}
		plain := enginetest.RankAll(t, c, rank.Options{Measure: rank.Measure(m.Name)})
		for _, combine := range []rank.Combination{rank.Max, rank.Avg, rank.Sum} {
			r := enginetest.RankAll(t, c, rank.Options{Measure: rank.Measure(m.Name), Combine: combine})
			testkit.Equal(t, r.Combine, plain.Combine, m.Name, "by", combine, r.Values(), plain.Values())
			testkit.EqualSlices(t, r.Values(), plain.Values(), m.Name, "by", combine, r.Combine, "want", plain.Combine)
		}
	}
	for weight, want := range map[table.Weighting]string{"": "", "tf": "", "binary": "", "ltc": "ltc", "tfidf": "tfidf"} {
		testkit.Equal(t, string(testkit.Must((rank.Options{Measure: rank.OCFS, Weight: weight}).Resolve()).Sums()),
			want, weight, "sums of")
		testkit.Equal(t, testkit.Must((rank.Options{Measure: rank.Chi, Weight: weight}).Resolve()).Sums(), "",
			"chi needs sums of")
	}
}

func TestTopIsTheSortedFront(t *testing.T) {
	c := enginetest.NewsgroupsCorpus(t, "test")
	r := testkit.Must(rank.Terms(t.Context(), enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: "chi"}))
	all := r.Top(r.Len())
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.Value < b.Value || a.Value == b.Value && (a.DF < b.DF || a.DF == b.DF && a.Term >= b.Term) {
			t.Fatalf("%+v stands before %+v", a, b)
		}
	}
	for _, k := range []int{0, 1, 7, 1000, 30000} {
		testkit.EqualSlices(testkit.Stop(t), r.Top(k), all[:k], "the top", k, "differ from the front of all")
	}
}

func TestThreadsGiveTheSameBits(t *testing.T) {
	c := enginetest.NewsgroupsCorpus(t, "test")
	for _, o := range []rank.Options{{Measure: "ig"}, {Measure: "ttest", Combine: "avg"}, {Measure: "ocfs", Weight: "ltc"}} {
		var want []rank.Entry
		for _, threads := range []int{1, 2, 3, 8} {
			s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Weight: o.Weight, Threads: threads}))
			o.Threads = threads
			r := testkit.Must(rank.Terms(t.Context(), s, o))
			if got := slices.Collect(r.All()); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Fatalf("%s: %d threads give other values", o.Measure, threads)
			}
		}
	}
}

func TestIndexFileGivesTheSameScores(t *testing.T) {
	c := enginetest.NewsgroupsCorpus(t, "test")
	var file bytes.Buffer
	testkit.Must(c.WriteTo(&file))
	back := testkit.Must(corpus.Decode(file.Bytes()))
	for _, by := range []string{"chi", "logoddsz"} {
		a, b := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: rank.Measure(by)}), enginetest.Values(t, enginetest.StatisticsOf(t, back, ""), rank.Options{Measure: rank.Measure(by)})
		for term, v := range a {
			testkit.Equal(testkit.Stop(t), b[term], v, by, "of", term)
		}
	}
}

// The pass that stores nothing gives the bits of the stored counts, for every
// measure and combination, alone and together, and for any number of workers.
func TestRankOfCorpusIsRankOfStatistics(t *testing.T) {
	for name, c := range shapedCorpora(t) {
		t.Run(name, func(t *testing.T) {
			var all []rank.Options
			for _, m := range rank.KnownMeasures() {
				for _, combine := range append(rank.Combinations(), "") {
					if combine == "class" || combine != "" && !m.Combinable {
						continue
					}
					all = append(all, rank.Options{Measure: rank.Measure(m.Name), Combine: rank.Combination(combine), Signed: true})
					if m.Name == "chi" {
						all = append(all, rank.Options{Measure: rank.Measure(m.Name), Combine: rank.Combination(combine), Yates: true})
					}
				}
			}
			for _, weight := range []string{"tf", "binary", "ltc", "tfidf"} {
				all = append(all, rank.Options{Measure: "ocfs", Weight: table.Weighting(weight)})
			}
			together := testkit.Must(rank.Several(t.Context(), c, all...))
			for i, o := range all {
				stored := testkit.Must(rank.Terms(t.Context(), enginetest.StatisticsOf(t, c, string(o.Weight)), o))
				enginetest.SameRanking(t, fmt.Sprintf("%+v together", o), together[i], stored)
				threads := []int{1 + 2*(i%2)}
				switch {
				case testkit.AllCases():
					threads = []int{1, 3}
				case testing.Short() && i%2 == 0:
					threads = nil
				}
				for _, o.Threads = range threads {
					alone := testkit.Must(rank.Several(t.Context(), c, o))
					enginetest.SameRanking(t, fmt.Sprintf("%+v alone", o), alone[0], stored)
				}
			}
			for _, class := range c.Classes()[:min(3, len(c.Classes()))] {
				for _, by := range []string{"chi", "ttest", "g2tf"} {
					got := testkit.Must(rank.Class(t.Context(), c, class, rank.Options{Measure: rank.Measure(by)}))
					want := testkit.Must(rank.Class(t.Context(), enginetest.StatisticsOf(t, c, ""), class, rank.Options{Measure: rank.Measure(by)}))
					enginetest.SameRanking(t, by+" of "+class, got, want)
				}
			}
		})
	}
}

// shapedCorpora returns by name corpora that need every way of counting: few and many
// classes, one label and several, documents without one, counts, large counts and real
// values.
func shapedCorpora(t *testing.T) map[string]*corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	out := map[string]*corpus.Corpus{}
	for _, shape := range []naive.Shape{
		{Name: "few classes", Docs: [2]int{900, 900}, Terms: [2]int{400, 400}, Classes: [2]int{5, 5}},
		{Name: "unlabelled", Docs: [2]int{700, 700}, Terms: [2]int{300, 300}, Classes: [2]int{7, 7}, Unlabelled: .1, LargeTF: true},
		{Name: "more than a byte of classes", Docs: [2]int{900, 900}, Terms: [2]int{200, 200}, Classes: [2]int{300, 300}, LargeTF: true},
		{Name: "more classes than a dense row", Docs: [2]int{1500, 1500}, Terms: [2]int{200, 200}, Classes: [2]int{700, 700}},
		{Name: "several labels", Docs: [2]int{800, 800}, Terms: [2]int{300, 300}, Classes: [2]int{12, 12}, Unlabelled: .1, Multi: .4, LargeTF: true},
		{Name: "several labels of many", Docs: [2]int{900, 900}, Terms: [2]int{150, 150}, Classes: [2]int{600, 600}, Multi: .004},
		{Name: "real values", Docs: [2]int{600, 600}, Terms: [2]int{200, 200}, Classes: [2]int{6, 6}, Reals: true},
		{Name: "real values, several labels", Docs: [2]int{400, 400}, Terms: [2]int{150, 150}, Classes: [2]int{6, 6}, Multi: .3, Reals: true},
	} {
		out[shape.Name] = enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
	}
	return out
}
