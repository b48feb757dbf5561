package learn_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// averages are points of a method and a classifier: K, micro-F1 and deviation of each.
func averages(method, classifier string, runs int, values ...float64) (points []learn.Averages) {
	for i := 0; i < len(values); i += 3 {
		k := int(values[i])
		p := learn.Averages{Runs: runs, Micro: learn.Spread{Mean: values[i+1], Deviation: values[i+2]}}
		p.Method, p.Classifier, p.K, p.Features = method, classifier, k, k
		if k == 0 {
			p.Features = 23456
		}
		p.Macro.Mean, p.Accuracy.Mean = 1-p.Micro.Mean, p.Micro.Mean
		points = append(points, p)
	}
	return points
}

func TestHowMany(t *testing.T) {
	for _, c := range []struct {
		points []learn.Averages
		metric learn.Metric
		want   string
	}{
		{
			averages("chi", "svm", 5, 100, .7, .1, 2000, .83, .02, 5000, .85, .02, 0, .84, .01), learn.MicroF1,
			"chi, svm: 2,000 terms do as well as 5,000: micro-F1 0.8300 is within one standard deviation, 0.0200, of the best, 0.8500",
		},
		{
			averages("chi", "svm", 1, 100, .7, 0, 2000, .842, 0, 0, .85, 0), "",
			"chi, svm: 2,000 terms do as well as all 23,456: micro-F1 0.8420 is within 1 % of the best, 0.8500",
		},
		{
			averages("ig", "nb", 3, 10, .5, 0, 20, .9, .01), learn.Accuracy,
			"ig, nb: 20 terms are best: accuracy 0.9000, and no fewer come within one standard deviation, 0.0000, of it; more were not tried",
		},
		{ // of equal ones the fewest, in any order
			averages("ig", "nb", 1, 50, .9, 0, 20, .9, 0, 1000, .9, 0), learn.MicroF1,
			"ig, nb: 20 terms are best: micro-F1 0.9000; fewer were not tried",
		},
		{ // the best by macro-F1 is the worst by micro-F1 here
			averages("ig", "nb", 1, 50, .5, 0, 20, .9, 0, 1000, .9, 0), learn.MacroF1,
			"ig, nb: 50 terms are best: macro-F1 0.5000, and no fewer come within 1 % of it",
		},
		{averages("ig", "nb", 1, 0, .5, 0), learn.MicroF1, ""},
		{nil, learn.MicroF1, ""},
		{
			slices.Concat(averages("a", "nb", 1, 1, .5, 0), averages("b", "nb", 1, 2, .5, 0), averages("a", "nb", 1, 3, .9, 0), averages("a", "svm", 1, 3, .9, 0)), learn.MicroF1,
			"a, nb: 3 terms are best: micro-F1 0.9000, and no fewer come within 1 % of it; more were not tried",
		},
	} {
		var got []string
		for _, e := range learn.HowMany(c.points, c.metric) {
			got = append(got, e.String())
		}
		testkit.Equal(t, strings.Join(got, "\n"), c.want)
	}
	testkit.Is(t, testkit.Err(learn.ParseMetric("micro")), usage.ErrUsage)
}

// The headline is of the methods and classifiers that are best of all: of equal ones it names no winner.
func TestHeadline(t *testing.T) {
	two := slices.Concat(averages("chi", "svm", 1, 10, .5, 0, 20, .9, 0), averages("ig", "nb", 1, 10, .905, 0, 20, .91, 0), averages("best-terms", "svm", 1, 0, .8, 0))
	for want, points := range map[string][]learn.Averages{
		"": nil,
		"10 terms do as well as 20, by ig with nb: micro-F1 0.9050 is within 1 % of the best, 0.9100; fewer were not tried; more were not tried": two,
		"best-terms with svm: the best micro-F1, 0.9500, with all 23,456 terms":                                                                  append(two, averages("best-terms", "svm", 1, 0, .95, 0)...),
		"20 terms do as well as all 23,456, by chi and ig with svm: micro-F1 0.8950 to 0.8960 is within 1 % of the best, 0.9000; fewer were not tried": slices.Concat(
			averages("chi", "svm", 1, 20, .895, 0, 0, .9, 0), averages("df", "svm", 1, 20, .5, 0, 0, .9, 0), averages("ig", "svm", 1, 20, .896, 0, 0, .9, 0)),
		"All 23,456 terms are best, by chi with svm: micro-F1 0.9000, and no fewer come within 1 % of it": averages("chi", "svm", 1, 20, .5, 0, 0, .9, 0),
		"chi and df with svm and nb: the best micro-F1, 0.9000, with all 23,456 terms": slices.Concat(
			averages("chi", "svm", 1, 0, .9, 0), averages("df", "svm", 1, 0, .9, 0), averages("chi", "nb", 1, 0, .9, 0), averages("df", "nb", 1, 0, .9, 0)),
	} {
		testkit.Equal(t, learn.Headline(points, learn.MicroF1), want)
	}
}

// Answers that differ in their values alone are one sentence, and those that are as the headline's say so.
func TestFindings(t *testing.T) {
	rising := func(method, classifier string, best float64) []learn.Averages {
		return averages(method, classifier, 1, 10, .5, 0, 2000, best, 0)
	}
	level := func(method, classifier string, best float64) []learn.Averages {
		return averages(method, classifier, 1, 10, best-.001, 0, 2000, best, 0)
	}
	for _, c := range []struct {
		points []learn.Averages
		want   []string
	}{
		{nil, nil},
		{rising("chi", "svm", .9), nil},
		{
			slices.Concat(rising("chi", "svm", .9), rising("ig", "svm", .8), rising("chi", "nb", .7), rising("ig", "nb", .75)),
			[]string{"The same holds for ig with svm and nb; chi with nb: micro-F1 0.7000 to 0.8000 with 2,000 terms"},
		},
		{
			slices.Concat(rising("chi", "svm", .9), level("ig", "svm", .8), level("ig", "nb", .7), level("df", "svm", .75), level("df", "nb", .75)),
			[]string{"ig and df with svm and nb: 10 terms do as well as 2,000: micro-F1 0.6990 to 0.7990 is within 1 % of the best, 0.7000 to 0.8000; fewer were not tried; more were not tried"},
		},
		{
			slices.Concat(rising("chi", "svm", .9), level("ig", "svm", .8)),
			[]string{"ig, svm: 10 terms do as well as 2,000: micro-F1 0.7990 is within 1 % of the best, 0.8000; fewer were not tried; more were not tried"},
		},
	} {
		testkit.EqualSlices(t, learn.Findings(c.points, learn.MicroF1), c.want)
	}
}

// manyTexts has terms that tell its classes apart, and terms that do not.
func manyTexts(seed uint64, n int) (lines []string) {
	r := rand.New(rand.NewPCG(seed, 9))
	for d := range n {
		class := d % 3
		var words []string
		for range 6 {
			words = append(words, string([]byte{'n', byte('a' + r.IntN(26)), byte('a' + r.IntN(4))}))
		}
		for range 2 {
			words = append(words, string([]byte{byte('a' + class), byte('a' + r.IntN(8)), 'x'}))
		}
		lines = append(lines, string(byte('a'+class))+": "+strings.Join(words, " "))
	}
	return lines
}

// A trial is what RunSplits measures on its folds, and its number is by the rule; the same
// with any number of threads.
func TestTrial(t *testing.T) {
	c := texts(t, corpus.Options{}, manyTexts(1, 120)...)
	learner := learners("nb")[0]
	trial := learn.Trial{Method: methods.Measure{}, Classifier: learner, Folds: 4, Seed: 7, Threads: 1}
	got := testkit.Must(trial.Run(t.Context(), c, nil))
	splits := testkit.Must(learn.Folds(c.Documents(), 4, learn.Dividing{Seed: 7, Strata: learn.Strata(c)}))
	ks := []int{1, 2, 5, 10, 20, 50, 0}
	testkit.EqualSlices(testkit.Stop(t), trial.Numbers(c.Terms()), ks, "of", c.Terms(), "terms it tries")
	want := testkit.Must(learn.RunSplits(t.Context(), c, splits, learn.Grid{Classifiers: learners("nb"), K: ks, Seed: 7}, nil))
	best, fewest := want.Points[0], 0
	for _, p := range want.Points {
		if p.Micro.Mean > best.Micro.Mean {
			best = p
		}
	}
	for _, p := range want.Points {
		if fewest == 0 && p.Micro.Mean >= best.Micro.Mean-best.Micro.Deviation {
			fewest = p.K
		}
	}
	if got.K != fewest || fewest < 10 {
		t.Errorf("%d terms, want %d", got.K, fewest)
	}
	record := got.Record()
	for i, p := range want.Points {
		if got.Points[i].Micro != p.Micro || record.Points[i] != (selection.TrialPoint{K: p.K, Mean: p.Micro.Mean, Deviation: p.Micro.Deviation}) {
			t.Errorf("k = %d: %v, recorded %v, want %v", p.K, got.Points[i].Micro, record.Points[i], p.Micro)
		}
	}
	trial.Threads = 3
	again, err := trial.Run(t.Context(), c, nil)
	if err != nil || !reflect.DeepEqual(again.Record(), record) || again.K != got.K {
		t.Errorf("with three threads %+v, with one %+v: %v", again, got, err)
	}
	trial.Seed++
	testkit.Equal(t, reflect.DeepEqual(testkit.Must(trial.Run(t.Context(), c, nil)).Record().Points, record.Points),
		false, "another seed gives the same")
}

// What a fold selects is what the statistics of the whole without the fold rank first.
func TestFoldsRankByStatistics(t *testing.T) {
	c := texts(t, corpus.Options{}, manyTexts(2, 90)...)
	splits := testkit.Must(learn.Folds(c.Documents(), 3, learn.Dividing{Strata: learn.Strata(c)}))
	whole := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
	var seen []*selection.Selection
	keep := methodFunc(func(s *selection.Selection) { seen = append(seen, s) })
	testkit.Must(learn.RunSplits(t.Context(), c, splits, learn.Grid{Methods: []selection.Method{keep}, K: []int{25}}, nil))
	for i, split := range splits {
		test := roaring.New()
		for _, d := range split.Test {
			test.Add(uint32(d))
		}
		part := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Within: test}))
		rest := testkit.Must(whole.Sub(part))
		ranking := testkit.Must(rank.Terms(t.Context(), rest, rank.Options{}))
		for j, e := range ranking.Top(25) {
			if f := seen[i].Features[j]; f.Term != e.Term || f.Score != e.Value || f.DF != e.DF {
				t.Fatalf("fold %d: %+v, the statistics have %+v", i, f, e)
			}
		}
	}
}

// A methodFunc selects by chi and calls the function with what it selected.
type methodFunc func(s *selection.Selection)

func (methodFunc) Name() string    { return "chi" }
func (methodFunc) Validate() error { return nil }

func (f methodFunc) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	s, err := methods.Measure{}.Select(ctx, c, k)
	f(s)
	return s, err
}

// Documents of a class with fewer than folds are dealt in turn: each is tested once, and what a
// fold lacks is said.
func TestTrialOfSmallClasses(t *testing.T) {
	c := texts(t, corpus.Options{}, append(manyTexts(3, 30), "pair: one two", "single: one", "pair: two three")...)
	tried := testkit.Must(learn.Trial{Method: methods.Measure{}, Classifier: learners("nb")[0], K: []int{5, 0}}.Run(t.Context(), c, nil))
	testkit.EqualSlices(t, tried.Warnings, []string{
		"2 classes have no document in some of the 5 test parts (pair, single): their F1 is 0 there",
		"in 1 of 5 runs: 1 classes have no training documents (single): they are never predicted",
	})
	for i, documents := range []int{10, 10, 10, 2, 1} {
		class := tried.Points[0].Result.Classes[i]
		testkit.Equal(t, class.Support(), documents, class.Name, "documents are tested")
	}
}

func TestTrialRefuses(t *testing.T) {
	lines := manyTexts(3, 30)
	for _, x := range []struct {
		name  string
		lines []string
		trial learn.Trial
		want  error
		text  string
	}{
		{"no method", lines, learn.Trial{}, usage.ErrUsage, "needs a method"},
		{"own number", lines, learn.Trial{Method: methods.BestTerms{}}, usage.ErrUsage, "as many terms as the documents need"},
		{"one fold", lines, learn.Trial{Method: methods.Measure{}, Folds: 1}, usage.ErrUsage, "2 folds at least, not 1"},
		{"metric", lines, learn.Trial{Method: methods.Measure{}, Metric: "f2"}, usage.ErrUsage, `"f2"`},
		{"k", lines, learn.Trial{Method: methods.Measure{}, K: []int{-1}}, usage.ErrUsage, "not -1"},
		{"one class", []string{"a: one two", "a: two", "a: one", "a: two six", "a: six"}, learn.Trial{Method: methods.Measure{}}, learn.ErrFolds, "the documents have 1"},
	} {
		_, err := x.trial.Run(t.Context(), texts(t, corpus.Options{}, x.lines...), nil)
		testkit.Refused(t, err, x.want, x.text, x.name)
	}
	testkit.Is(t, testkit.Err((learn.Trial{Method: methods.Measure{}}).Run(t.Context(), nil, nil)), usage.ErrUsage)
}

func TestTrialNumbers(t *testing.T) {
	for _, x := range []struct {
		method selection.Method
		terms  int
		want   []int
	}{
		{methods.Measure{}, 1, []int{1, 0}},
		{methods.Measure{}, 8, []int{1, 2, 5, 0}},
		{methods.Measure{}, 130107, []int{20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 0}},
		{methods.Redundancy{}, 130107, []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}},
		{methods.Redundancy{}, 1, []int{1}},
	} {
		testkit.EqualSlices(t, (learn.Trial{Method: x.method}).Numbers(x.terms), x.want, x.method.Name(), x.terms,
			"terms")
	}
}
