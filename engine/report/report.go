// Package report makes the report of an experiment: one HTML file that needs nothing
// else, and its curves as SVG files.
//
// A Report is a plain value that any program can fill. The same value gives the same
// bytes. Names of classes, methods and terms may be anything: they are escaped where
// they stand, and characters that would not be seen (control characters, changes of
// writing direction, bytes that are not UTF-8) are shown as \u202e or \xff.
package report

import (
	"errors"
	"time"
)

// ErrNoCurves is returned when a report has no point of a classifier to draw.
var ErrNoCurves = errors.New("no curves to draw")

// A Report is what an experiment found. Parts that are empty are left out.
type Report struct {
	// Title is the heading; "" is "Feature selection".
	Title string
	// Facts say how the numbers were made: corpus, settings, version.
	Facts []Fact
	// Points are joined to curves in the order of K, one curve for each method and
	// classifier. Methods and classifiers have the order in which they come first.
	Points []Point
	// TopTerms are the best terms, a list for each class and method.
	TopTerms []TermList
	// Overlaps are the heat maps, one for each K.
	Overlaps []Overlap
	// Keyness are bars, a figure for each class and measure.
	Keyness []Keyness
	// Timings are the steps of the whole run.
	Timings []Timing
}

// A Fact is a line of a report's head.
type Fact struct {
	Name, Value string
}

// A Point is a classifier's result with the best K terms of a method.
type Point struct {
	Method, Classifier string
	// K is the number of terms. There is no place for 0 on a logarithmic axis: such
	// a point is in the tables only.
	K int
	// MicroF1 and MacroF1 are from 0 to 1; other values are in the tables only.
	MicroF1, MacroF1 float64
	// MicroSpread and MacroSpread are standard deviations over folds, drawn above
	// and below the point; 0 is not drawn.
	MicroSpread, MacroSpread float64
	// Select, Train and Predict are the times it took; 0 is one that is not known.
	Select, Train, Predict time.Duration
}

// A TermList has the best terms of a class by a method, best first.
type TermList struct {
	// Class is "" for a list of all classes together.
	Class, Method string
	Terms         []Term
}

// A Term is a line of a TermList.
type Term struct {
	Term  string
	Score float64
	// DF is the number of documents that have the term, A those in the class, B those
	// outside it.
	DF, A, B int
}

// An Overlap says how many of the best K terms each two methods share.
type Overlap struct {
	K       int
	Methods []string
	// Shared is a row for each method; on the diagonal is the length of its list.
	Shared [][]int
}

// A Keyness has the terms that are over- and underused in a class.
type Keyness struct {
	Class, Measure string
	Terms          []Bar
}

// A Bar is a term's value with its sign.
type Bar struct {
	Term  string
	Value float64
}

// A Timing is a step of a run.
type Timing struct {
	Step string
	Took time.Duration
}

// A Metric is what a curve shows.
type Metric string

// The metrics of a Point.
const (
	MicroF1 Metric = "micro-F1"
	MacroF1 Metric = "macro-F1"
)

// metrics gives them in the order of the report.
func metrics() []Metric { return []Metric{MicroF1, MacroF1} }

// of gives the value and its standard deviation.
func (m Metric) of(p Point) (value, spread float64) {
	if m == MacroF1 {
		return p.MacroF1, p.MacroSpread
	}
	return p.MicroF1, p.MicroSpread
}

// names gives the different names of a list in the order in which they come first.
func names[T any](list []T, name func(T) string) (distinct []string) {
	seen := map[string]bool{}
	for _, e := range list {
		if n := name(e); !seen[n] {
			seen[n] = true
			distinct = append(distinct, n)
		}
	}
	return distinct
}

// Classifiers gives the classifiers of the points in the order of the report.
func (r *Report) Classifiers() []string {
	return names(r.Points, func(p Point) string { return p.Classifier })
}

func (r *Report) methods() []string {
	return names(r.Points, func(p Point) string { return p.Method })
}
