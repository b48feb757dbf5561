package evaluate

import (
	"fmt"
	"strconv"

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

// metrics has what is known of each metric: how people write it, and its value of a point.
var metrics = []struct {
	Metric
	name string
	of   func(a Averages) Spread
}{
	{MicroF1, "micro-F1", func(a Averages) Spread { return a.Micro }},
	{MacroF1, "macro-F1", func(a Averages) Spread { return a.Macro }},
	{Accuracy, "accuracy", func(a Averages) Spread { return a.Accuracy }},
}

// ParseMetric returns the metric of a name; "" is that of micro-F1. For an unknown name the
// error is a [usage.UnknownError].
func ParseMetric(name string) (Metric, error) {
	if name == "" {
		return MicroF1, nil
	}
	var known []string
	for _, m := range metrics {
		if string(m.Metric) == name {
			return m.Metric, nil
		}
		known = append(known, string(m.Metric))
	}
	return "", usage.Unknown("metric", name, known)
}

// Name returns the metric as people write it.
func (m Metric) Name() string { return metrics[m.number()].name }

// Of returns the value of a point, micro-F1 for a metric that is not known.
func (m Metric) Of(a Averages) Spread { return metrics[m.number()].of(a) }

// number returns the place of a metric among all, the first for one that is not known.
func (m Metric) number() int {
	for i := range metrics {
		if metrics[i].Metric == m {
			return i
		}
	}
	return 0
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
	var all []Enough
	for _, s := range order {
		if e := newEnough(of[s], m); e.FewerTried || e.MoreTried || e.Fewest.Features < e.Best.Features {
			all = append(all, e)
		}
	}
	return all
}

// Headline says in a sentence what was best of all points: how many terms are enough for
// that method and classifier, or how many it had if no other number was tried. It is "" if
// there are no points.
func Headline(points []Averages, m Metric) string {
	if len(points) == 0 {
		return ""
	}
	best := newEnough(points, m).Best
	for _, e := range HowMany(points, m) {
		if e.Best.Method == best.Method && e.Best.Classifier == best.Classifier {
			return e.String()
		}
	}
	return fmt.Sprintf("%s, %s: the best %s, %.4f, with %s terms", best.Method, best.Classifier, m.Name(), m.Of(best).Mean, number(best))
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
	return fmt.Sprintf("%s, %s: %s", e.Best.Method, e.Best.Classifier, e.answer())
}

// answer returns the answer as a sentence.
func (e Enough) answer() string {
	rule := e.rule()
	if e.Best.Runs > 1 {
		rule = fmt.Sprintf("%s, %.4f,", rule, e.Tolerance)
	}
	return e.sentence(formatF1(e.Metric.Of(e.Fewest).Mean), formatF1(e.Metric.Of(e.Best).Mean), rule)
}

// sentence returns the answer with the values of the points and what the tolerance is.
func (e Enough) sentence(fewest, best, rule string) string {
	text := fmt.Sprintf("%s enough: %s %s is within %s of the best, %s with %s",
		terms(e.Fewest), e.Metric.Name(), fewest, rule, best, number(e.Best))
	if e.Fewest.Features == e.Best.Features {
		text = fmt.Sprintf("%s best: %s %s", terms(e.Best), e.Metric.Name(), best)
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

// terms returns the number of terms of a point with its noun and verb.
func terms(a Averages) string {
	if a.K != 0 && a.Features == 1 {
		return "1 term is"
	}
	return number(a) + " terms are"
}

// number returns the number of terms of a point, with commas.
func number(a Averages) string {
	if a.K == 0 {
		return "all"
	}
	digits := strconv.Itoa(a.Features)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
