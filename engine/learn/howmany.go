package learn

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file says how many terms are enough: the fewest that are as good as the best
// number, but for a difference that does not count.

// A Metric is the value by which numbers of terms are compared.
type Metric string

// The metrics. The zero value stands for MicroF1.
const (
	MicroF1  Metric = "micro-f1"
	MacroF1  Metric = "macro-f1"
	Accuracy Metric = "accuracy"
)

// ParseMetric returns the metric of a name; "" is that of micro-F1. For an unknown name the
// error is a [usage.UnknownError].
func ParseMetric(name string) (Metric, error) {
	m, known := cmp.Or(Metric(name), MicroF1), []string{string(MicroF1), string(MacroF1), string(Accuracy)}
	if !slices.Contains(known, string(m)) {
		return "", usage.Unknown("metric", name, known)
	}
	return m, nil
}

// Name returns the metric as people write it.
func (m Metric) Name() string { return strings.Replace(string(cmp.Or(m, MicroF1)), "f1", "F1", 1) }

// Of returns the value of a point, micro-F1 for a metric that is not known.
func (m Metric) Of(a Averages) Spread {
	switch m {
	case MacroF1:
		return a.Macro
	case Accuracy:
		return a.Accuracy
	}
	return a.Micro
}

// onePercent is the share of the best value that does not count where there is a single
// run, whose standard deviation nobody knows.
const onePercent = .01

// Enough says how many terms of a method are enough for a classifier.
type Enough struct {
	Metric Metric
	// Fewest is the point with the fewest terms whose value is at most Tolerance below that
	// of Best, the point with the largest value, of equal ones that with the fewest terms.
	Fewest, Best Averages
	// Tolerance is the standard deviation of Best over its runs, and a hundredth of its
	// value if there was one run only.
	Tolerance float64
	// FewerTried and MoreTried report whether any point has fewer terms than Fewest, or
	// more terms than Best.
	FewerTried, MoreTried bool
}

// HowMany returns how many terms are enough, for every method and classifier that was
// measured with different numbers of terms, in the order of their first points.
func HowMany(points []Averages, m Metric) []Enough {
	return slices.DeleteFunc(eachEnough(points, m), func(e Enough) bool { return !e.hasChoice() })
}

// hasChoice reports whether several numbers of terms were tried.
func (e Enough) hasChoice() bool {
	return e.FewerTried || e.MoreTried || e.Fewest.Features < e.Best.Features
}

// eachEnough is HowMany with the methods and classifiers, too, of which one number was tried.
func eachEnough(points []Averages, m Metric) (all []Enough) {
	type series struct{ method, classifier string }
	var order []series
	of := map[series][]Averages{}
	for _, p := range points {
		s := series{p.Method, p.Classifier}
		if of[s] == nil {
			order = append(order, s)
		}
		of[s] = append(of[s], p)
	}
	for _, s := range order {
		all = append(all, newEnough(of[s], m))
	}
	return all
}

// Headline says in a sentence what was best of all points: how many terms are enough for
// those methods and classifiers, or how many they had if no other number was tried. It is "" if
// there are no points.
func Headline(points []Averages, m Metric) string {
	equal := foremost(points, m)
	if len(equal) == 0 {
		return ""
	}
	e := equal[0]
	if !e.hasChoice() {
		return fmt.Sprintf("%s: the best %s, %.4f, with %s", seriesOf(equal), m.Name(), m.Of(e.Best).Mean, numberOfTerms(e.Best))
	}
	rule := e.rule()
	if len(equal) == 1 {
		rule = e.tolerance()
	}
	fewest := valuesOf(equal, func(e Enough) Averages { return e.Fewest })
	text := e.sentence(", by "+seriesOf(equal), fewest, formatF1(m.Of(e.Best).Mean), rule)
	return strings.ToUpper(text[:1]) + text[1:]
}

// foremost returns the answers with the best value of all, of these the ones with the fewest terms.
func foremost(points []Averages, m Metric) (equal []Enough) {
	for _, e := range eachEnough(points, m) {
		better := 1
		if len(equal) > 0 {
			than := equal[0]
			better = cmp.Or(cmp.Compare(m.Of(e.Best).Mean, m.Of(than.Best).Mean), cmp.Compare(than.Fewest.Features, e.Fewest.Features),
				cmp.Compare(than.Best.Features, e.Best.Features))
		}
		if better > 0 {
			equal = nil
		}
		if better >= 0 {
			equal = append(equal, e)
		}
	}
	return equal
}

// newEnough returns how many terms are enough, by the points of one method and classifier.
func newEnough(points []Averages, m Metric) Enough {
	e := Enough{Metric: m, Best: points[0]}
	for _, p := range points[1:] {
		if v, best := m.Of(p).Mean, m.Of(e.Best).Mean; v > best || v == best && p.Features < e.Best.Features {
			e.Best = p
		}
	}
	best := m.Of(e.Best)
	e.Tolerance = best.Deviation
	if e.Best.Runs < 2 {
		e.Tolerance = onePercent * best.Mean
	}
	e.Fewest = e.Best
	for _, p := range points {
		if p.Features < e.Fewest.Features && m.Of(p).Mean >= best.Mean-e.Tolerance {
			e.Fewest = p
		}
	}
	for _, p := range points {
		e.FewerTried = e.FewerTried || p.Features < e.Fewest.Features
		e.MoreTried = e.MoreTried || p.Features > e.Best.Features
	}
	return e
}

// rule returns what the tolerance is: "one standard deviation", or "1 %" for a single run.
func (e Enough) rule() string {
	if e.Best.Runs < 2 {
		return "1 %"
	}
	return "one standard deviation"
}

// String returns the answer as a sentence with the method and the classifier.
func (e Enough) String() string {
	answer := e.sentence("", formatF1(e.Metric.Of(e.Fewest).Mean), formatF1(e.Metric.Of(e.Best).Mean), e.tolerance())
	return fmt.Sprintf("%s, %s: %s", e.Best.Method, e.Best.Classifier, answer)
}

// tolerance returns the rule with its value, if that is known.
func (e Enough) tolerance() string {
	if e.Best.Runs < 2 {
		return e.rule()
	}
	return fmt.Sprintf("%s, %.4f,", e.rule(), e.Tolerance)
}

// sentence returns the answer with whose it is, the values of the points and what the tolerance is.
func (e Enough) sentence(whose, fewest, best, rule string) string {
	text := fmt.Sprintf("%s as well as %s%s: %s %s is within %s of the best, %s",
		verbOf(e.Fewest, "does", "do"), number(e.Best), whose, e.Metric.Name(), fewest, rule, best)
	if e.Fewest.Features == e.Best.Features {
		text = fmt.Sprintf("%s best%s: %s %s", verbOf(e.Best, "is", "are"), whose, e.Metric.Name(), best)
		if e.FewerTried {
			text += ", and no fewer come within " + rule + " of it"
		}
	}
	if !e.FewerTried {
		text += "; fewer were not tried"
	}
	if !e.MoreTried && e.Best.K != 0 {
		text += "; more were not tried"
	}
	return text
}

// formatF1 formats a value of a metric.
func formatF1(v float64) string { return fmt.Sprintf("%.4f", v) }

// verbOf returns the number of terms of a point with its noun and verb.
func verbOf(a Averages, one, several string) string {
	if a.Features == 1 {
		return numberOfTerms(a) + " " + one
	}
	return numberOfTerms(a) + " " + several
}

// number returns the number of terms of a point, with commas.
func number(a Averages) string {
	digits := strconv.Itoa(a.Features)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if a.K == 0 {
		return "all " + digits
	}
	return digits
}

// Findings returns what [HowMany] says besides [Headline], in a sentence for each answer: methods and
// classifiers of which it is the same, but for their values, are named together.
func Findings(points []Averages, m Metric) (sentences []string) {
	told := foremost(points, m) // by the headline
	var groups [][]Enough
	for _, e := range HowMany(points, m) {
		if slices.ContainsFunc(told, func(o Enough) bool { return o.Best.Method == e.Best.Method && o.Best.Classifier == e.Best.Classifier }) {
			continue
		}
		if i := slices.IndexFunc(groups, func(g []Enough) bool { return g[0].saysWhat(e) }); i >= 0 {
			groups[i] = append(groups[i], e)
		} else {
			groups = append(groups, []Enough{e})
		}
	}
	for _, g := range groups {
		best := valuesOf(g, func(e Enough) Averages { return e.Best })
		switch e := g[0]; {
		case e.saysWhat(told[0]):
			sentences = append(sentences, fmt.Sprintf("The same holds for %s: %s %s with %s", seriesOf(g), m.Name(), best, numberOfTerms(e.Best)))
		case len(g) == 1:
			sentences = append(sentences, e.String())
		default:
			fewest := valuesOf(g, func(e Enough) Averages { return e.Fewest })
			sentences = append(sentences, seriesOf(g)+": "+e.sentence("", fewest, best, e.rule()))
		}
	}
	return sentences
}

// saysWhat reports whether two answers differ in their values alone.
func (e Enough) saysWhat(o Enough) bool {
	return e.Fewest.Features == o.Fewest.Features && e.Best.Features == o.Best.Features && (e.Best.K == 0) == (o.Best.K == 0) &&
		e.FewerTried == o.FewerTried && e.MoreTried == o.MoreTried && e.rule() == o.rule()
}

// numberOfTerms returns the number of terms of a point with its noun.
func numberOfTerms(a Averages) string {
	if a.Features == 1 {
		return number(a) + " term"
	}
	return number(a) + " terms"
}

// valuesOf returns the values of a point of each answer: one value, or the least and the greatest.
func valuesOf(all []Enough, point func(Enough) Averages) string {
	value := func(e Enough) float64 { return e.Metric.Of(point(e)).Mean }
	by := func(e, o Enough) int { return cmp.Compare(value(e), value(o)) }
	least, greatest := formatF1(value(slices.MinFunc(all, by))), formatF1(value(slices.MaxFunc(all, by)))
	if least == greatest {
		return least
	}
	return least + " to " + greatest
}

// seriesOf names the methods and classifiers of answers: "chi and ig with svm; df with nb and svm".
func seriesOf(all []Enough) string {
	type withClassifiers struct {
		methods     []string
		classifiers string
	}
	var order, parts []string
	classifiers := map[string][]string{} // by method
	for _, e := range all {
		if classifiers[e.Best.Method] == nil {
			order = append(order, e.Best.Method)
		}
		classifiers[e.Best.Method] = append(classifiers[e.Best.Method], e.Best.Classifier)
	}
	var groups []withClassifiers
	for _, method := range order {
		of := inWords(classifiers[method])
		if i := slices.IndexFunc(groups, func(g withClassifiers) bool { return g.classifiers == of }); i >= 0 {
			groups[i].methods = append(groups[i].methods, method)
		} else {
			groups = append(groups, withClassifiers{[]string{method}, of})
		}
	}
	for _, g := range groups {
		parts = append(parts, inWords(g.methods)+" with "+g.classifiers)
	}
	return strings.Join(parts, "; ")
}

// inWords joins names: "chi, ig and gss".
func inWords(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// A Trial finds out how many terms of a method a classifier needs, by folds of the
// documents to train on. Method must be set.
type Trial struct {
	Method     selection.Method
	Classifier Learner // a linear SVM if its Kind is ""
	// K are the numbers to try, 0 for all terms; nil tries
	// the largest twelve of 1, 2, 5, 10 and so on, and all terms.
	K       []int
	Folds   int    // 0 is 5
	Metric  Metric // "" is MicroF1
	Weight  string // of the rows, for a classifier without one of its own; "" is ltc
	Seed    uint64 // chooses the folds, and is that of the classifier
	Threads int    // bounds goroutines; 0 is GOMAXPROCS
}

const (
	defaultFolds = 5
	mostNumbers  = 12
	// mostGreedy is the largest number to try of a method that weighs terms against each
	// other, whose work grows with the square of the number.
	mostGreedy = 1000
)

// withDefaults returns the trial with defaults for what is not set, or an error if it is
// wrong whatever the data.
func (t Trial) withDefaults() (Trial, error) {
	if t.Method == nil {
		return t, usage.Errorf("a trial needs a method")
	}
	if _, ok := t.Method.(selection.SelfSized); ok {
		return t, usage.Errorf("%s chooses as many terms as the documents need: there is no number to find", t.Method.Name())
	}
	if t.Folds = cmp.Or(t.Folds, defaultFolds); t.Folds < 2 {
		return t, usage.Errorf("there must be 2 folds at least, not %d", t.Folds)
	}
	if t.Classifier.Kind == "" {
		t.Classifier.Kind = "svm"
	}
	var err error
	if t.Metric, err = ParseMetric(string(t.Metric)); err != nil {
		return t, err
	}
	return t, t.grid(t.K).Validate()
}

// Validate returns an error for a trial that is wrong whatever the data.
func (t Trial) Validate() error {
	_, err := t.withDefaults()
	return err
}

func (t Trial) grid(ks []int) Grid {
	return Grid{
		Methods: []selection.Method{t.Method}, K: ks, Classifiers: []Learner{t.Classifier},
		Weight: t.Weight, Seed: t.Seed, Threads: t.Threads,
	}
}

// numbers returns the numbers to try by default, for a corpus of so many terms: the largest
// twelve of 1, 2, 5, 10, 20, 50 and so on of which the training part of a fold has enough
// terms, and all terms; of methods that weigh terms against each other, numbers up to 1,000.
func (t Trial) numbers(terms int) (ks []int) {
	_, greedy := t.Method.(methods.Redundancy)
	folds := cmp.Or(t.Folds, defaultFolds)
	most := terms - terms/folds
	if greedy {
		most = min(most, mostGreedy)
	}
	for decade := 1; decade <= most; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if k := decade * digit; k <= most {
				ks = append(ks, k)
			}
		}
	}
	ks = ks[max(0, len(ks)-mostNumbers):]
	if !greedy || len(ks) == 0 {
		ks = append(ks, 0)
	}
	return ks
}

// Tried is the outcome of a trial.
type Tried struct {
	Enough
	// K is the number of terms to select, Fewest.K or that of all terms.
	K        int
	Points   []Averages // of the numbers that were tried
	Warnings []string
	trial    Trial
}

// Run measures the numbers of terms on folds of a corpus, as [RunSplits] does: terms are
// selected from the counts of each fold's training part, no text is read, and nothing of
// its test part affects the selection. It returns [ErrFolds] if all documents have the same
// class.
func (t Trial) Run(ctx context.Context, c *corpus.Corpus, progress func(Progress)) (*Tried, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := divisible(c); err != nil {
		return nil, err
	}
	splits, err := Folds(c.Documents(), t.Folds, Dividing{Seed: t.Seed, Strata: Strata(c)})
	if err != nil {
		return nil, err
	}
	if len(t.K) == 0 {
		t.K = t.numbers(c.Terms())
	}
	s, err := RunSplits(ctx, c, splits, t.grid(t.K), progress)
	if err != nil {
		return nil, err
	}
	points := slices.DeleteFunc(s.Points, func(p Averages) bool { return p.Classifier != t.Classifier.String() })
	e := newEnough(points, t.Metric)
	return &Tried{Enough: e, K: min(cmp.Or(e.Fewest.K, c.Terms()), c.Terms()), Points: points, Warnings: s.Warnings, trial: t}, nil
}

// divisible returns an error if the documents are not of two classes or more.
func divisible(c *corpus.Corpus) error {
	has := map[uint32]bool{}
	for d := range c.Documents() {
		for _, l := range c.Labels(d) {
			has[l] = true
		}
	}
	if len(has) < 2 {
		return fmt.Errorf("%w: the number of terms is found by telling classes apart, and the documents have %d", ErrFolds, len(has))
	}
	return nil
}

// Record returns what a features file says of the trial.
func (t *Tried) Record() selection.Trial {
	r := selection.Trial{
		Classifier: t.trial.Classifier.String(), Weight: t.Best.Weight, Metric: string(t.Metric),
		Folds: t.trial.Folds, Seed: t.trial.Seed, Rule: t.rule(), Tolerance: t.Tolerance,
	}
	for _, p := range t.Points {
		s := t.Metric.Of(p)
		r.Points = append(r.Points, selection.TrialPoint{K: p.K, Mean: s.Mean, Deviation: s.Deviation})
	}
	return r
}
