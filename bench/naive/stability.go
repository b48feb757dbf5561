package naive

import (
	"math"
	"sort"
)

// StableSelection is the k best terms of the documents at some places by the largest value of a
// measure over the classes: by value, then by df in these documents, then by bytes. Terms without
// a document are left out.
func StableSelection(c Corpus, measure string, k int, places []int) []string {
	half := Corpus{Terms: c.Terms, Classes: c.Classes}
	for _, d := range places {
		half.Docs = append(half.Docs, c.Docs[d])
	}
	tb := Tabulate(half)
	values := tb.Global(measure, "max", Options{})
	var terms []int
	for t := range c.Terms {
		if tb.DF[t] > 0 {
			terms = append(terms, t)
		}
	}
	sort.Slice(terms, func(i, j int) bool {
		a, b := terms[i], terms[j]
		switch {
		case !Near(values[a], values[b]):
			return values[a] > values[b]
		case tb.DF[a] != tb.DF[b]:
			return tb.DF[a] > tb.DF[b]
		}
		return c.Terms[a] < c.Terms[b]
	})
	var names []string
	for _, t := range terms[:min(k, len(terms))] {
		names = append(names, c.Terms[t])
	}
	return names
}

// Near reports whether two values are equal but for rounding.
func Near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b))
}

// FalseTerms is Meinshausen and Bühlmann's bound on the expected number of false terms.
func FalseTerms(q, threshold, p float64) float64 { return q * q / ((2*threshold - 1) * p) }

// ThresholdFor is the least threshold, at most 1, with that bound.
func ThresholdFor(pfer, q, p float64) float64 { return math.Min(1, (q*q/(pfer*p)+1)/2) }

// SelectedFor is the largest number of selected terms with that bound, found by trying.
func SelectedFor(pfer, threshold, p float64) (q int) {
	for q < int(p) && FalseTerms(float64(q+1), threshold, p) <= pfer*(1+1e-12) {
		q++
	}
	return q
}

// UnimodalBound is Shah and Samworth's bound for B pairs of halves; NaN where it does not hold.
func UnimodalBound(q, threshold, p, pairs float64) float64 {
	theta := q / p
	if threshold > .75 {
		return theta * q * 4 * (1 - threshold + 1/(2*pairs)) / (1 + 1/pairs)
	}
	if threshold < .5+math.Min(theta*theta, 1/(2*pairs)+3*theta*theta/4) || 2*threshold-1 <= 1/(2*pairs) {
		return math.NaN()
	}
	return theta * q / (2 * (2*threshold - 1 - 1/(2*pairs)))
}
