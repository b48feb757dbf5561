package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file tells the answers of many methods and classifiers in few sentences.

// Findings returns what [HowMany] says besides [Headline], in a sentence for each answer: methods and
// classifiers of which it is the same, but for their values, are named together.
func Findings(points []Averages, m Metric) (sentences []string) {
	headline := Headline(points, m)
	var told *Enough // the answer of the headline
	var groups [][]Enough
	for _, e := range HowMany(points, m) {
		if e.String() == headline {
			told = &e
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
		case told != nil && e.saysWhat(*told):
			sentences = append(sentences, fmt.Sprintf("The same holds for %s: %s %s with %s", seriesOf(g), m.Name(), best, numberOfTerms(e.Best)))
		case len(g) == 1:
			sentences = append(sentences, e.String())
		default:
			fewest := valuesOf(g, func(e Enough) Averages { return e.Fewest })
			sentences = append(sentences, seriesOf(g)+": "+e.sentence(fewest, best, e.rule()))
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
	if a.K != 0 && a.Features == 1 {
		return "1 term"
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
