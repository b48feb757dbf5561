package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/ingest"
)

// answers are the right classes of the test documents, in input order.
type answers struct {
	sets   bool    // documents may have several classes
	single bool    // every compared document has exactly one label
	rows   []int   // the places in the input of the documents that are compared
	right  [][]int // for each of rows, classes of the training part; a single -1 for all that it lacks
}

// readAnswers reads the right classes from the labels of the test part.
func (r *runner) readAnswers() error {
	place := make([]int, len(r.test.Classes()))
	for i, name := range r.test.Classes() {
		c, ok := slices.BinarySearch(r.out.Classes, name)
		if !ok {
			c = -1
			r.out.UnseenClasses = append(r.out.UnseenClasses, name)
		}
		place[i] = c
	}
	a := answers{sets: r.out.Sets, single: !r.out.Sets}
	order, err := r.test.InputOrder()
	if err != nil {
		return err
	}
	labelled, several := 0, 0
	for row, doc := range order {
		labels := r.test.Labels(int(doc))
		if len(labels) == 0 && !a.sets {
			continue
		}
		right := make([]int, 0, len(labels))
		for _, l := range labels {
			right = append(right, place[l])
			if place[l] < 0 {
				r.out.UnseenLabels++
			}
		}
		if len(labels) > 0 {
			labelled++
		}
		if len(labels) > 1 {
			several++
		}
		slices.Sort(right)
		a.rows, a.right = append(a.rows, row), append(a.right, slices.Compact(right))
	}
	if labelled == 0 {
		return fmt.Errorf("%w: the test part has %d documents, and nothing to compare predictions with", ingest.ErrNoLabels, r.test.Documents())
	}
	if !a.sets && several > 0 {
		a.single = false
		r.notes.addOnce(fmt.Sprintf("%d test documents have several labels, the training documents one each: one class is predicted for each, the others count as missed", several))
	}
	r.out.Compared, r.right = len(a.rows), a
	return nil
}

// compare returns the result of comparing predictions with the right classes.
func (a answers) compare(classes []string, p *classify.Predictions) (*Result, error) {
	said := make([][]int, len(a.rows))
	for i, row := range a.rows {
		if !a.sets {
			said[i] = []int{int(p.Best[row])}
			continue
		}
		for _, c := range p.Sets[row] {
			said[i] = append(said[i], int(c))
		}
	}
	r, err := Multi(classes, a.right, said)
	if err == nil && !a.single {
		r.Confusion = nil
	}
	return r, err
}

// warn collects the warnings of the outcome.
func (r *runner) warn() {
	o := r.out
	var before notes
	if n := len(o.UnseenClasses); n > 0 {
		before.addOnce(fmt.Sprintf("%d classes of the test part are not in the training part (%s): their %d labels count as missed%s",
			n, some(o.UnseenClasses), o.UnseenLabels, writtenOtherwise(o.UnseenClasses, o.Classes)))
	}
	if n := o.Test - o.Compared; n > 0 {
		before.addOnce(fmt.Sprintf("%d test documents have no label and do not count", n))
	}
	has := make([]bool, len(o.Classes))
	for d := range r.train.Documents() {
		for _, c := range r.train.Labels(d) {
			has[c] = true
		}
	}
	var without []string
	for c, ok := range has {
		if !ok {
			without = append(without, o.Classes[c])
		}
	}
	if len(without) > 0 {
		before.addOnce(fmt.Sprintf("%d classes have no training documents (%s): they are never predicted", len(without), some(without)))
	}
	if len(r.beyond) > 0 {
		slices.Sort(r.beyond)
		before.addOnce(fmt.Sprintf("k = %s is more than the %d terms: all of them are kept", strings.Trim(fmt.Sprint(slices.Compact(r.beyond)), "[]"), r.train.Terms()))
	}
	before.addOnce(r.notes...)
	before.addOnce(r.emptiness()...)
	o.Warnings = before
}

// writtenOtherwise returns what is said of the first unseen class that is a known one but for
// the case of its letters, white space around it, or the form of a number; "" if none is.
func writtenOtherwise(unseen, known []string) string {
	plain := func(class string) string {
		class = strings.ToLower(strings.TrimSpace(class))
		if value, err := strconv.ParseFloat(class, 64); err == nil {
			return strconv.FormatFloat(value, 'g', -1, 64)
		}
		return class
	}
	byPlain := make(map[string]string, len(known))
	for _, class := range known {
		byPlain[plain(class)] = class
	}
	for _, class := range unseen {
		if other, ok := byPlain[plain(class)]; ok && other != class {
			return fmt.Sprintf("; %.80q may be %.80q, written in another way", class, other)
		}
	}
	return ""
}

// emptiness returns warnings about points at which no training document, or no test
// document, has a value in its row.
func (r *runner) emptiness() (warnings []string) {
	for _, part := range []struct {
		name string
		all  int
		of   func(p Point) int
	}{
		{"training", r.out.Train, func(p Point) int { return p.EmptyTrain }},
		{"test", r.out.Test, func(p Point) int { return p.EmptyTest }},
	} {
		points := 0
		for _, p := range r.out.Points {
			if part.of(p) == part.all {
				points++
			}
		}
		if points > 0 {
			warnings = append(warnings, fmt.Sprintf("at %d of %d points no %s document has a value for any selected term: nothing but the largest class can be predicted", points, len(r.out.Points), part.name))
		}
	}
	return warnings
}

// notes are a list of sentences without duplicates.
type notes []string

// addOnce appends the sentences that are not there yet.
func (n *notes) addOnce(list ...string) {
	for _, text := range list {
		if !slices.Contains(*n, text) {
			*n = append(*n, text)
		}
	}
}

// some joins the first five names.
func some(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// The answers of many methods and classifiers are told in few sentences.

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
