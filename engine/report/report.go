// Package report makes the report of an experiment: one HTML file that needs nothing
// else, and its curves as SVG files.
//
// It takes a [Report], a plain value that any program can fill, and writes it with WriteHTML, or all of its files with
// Files. [Explore] is another such value: all terms of a corpus, or of two that are held against each other. The same
// value gives the same bytes. Names of classes, methods and terms may be anything: they are escaped, and characters
// that cannot be seen (control characters, changes of writing direction, bytes that are not UTF-8) are shown as \u202e
// or \xff.
//
// Begin reading with Report; html.go makes the page, chart.go the curves, explore.go the page of terms.
//
// The package imports no other package of this module, and its files load nothing from
// elsewhere.
package report

import "time"

// A Report has the results of an experiment. Empty parts are left out of what is written.
type Report struct {
	// Title is the heading; "" is "Feature selection".
	Title string
	// Headline says in a sentence what was found, and Findings say more of it.
	Headline string
	Findings []string
	// Command is the command that made the report, in one line.
	Command string
	// Facts say how the numbers were made: corpus, settings, version.
	Facts []Fact
	// Warnings say what to doubt.
	Warnings []string
	// Tables are shown before the curves.
	Tables []Table
	// Points make the curves, one for each method and classifier, in the order of K.
	// Methods and classifiers are shown in the order of their first points.
	Points []Point
	// TopTerms has the best terms, a list for each class and method.
	TopTerms []TermList
	// Overlaps become lines over K, or a half of a matrix for each K if there are too many
	// methods for lines, or a single K.
	Overlaps []Overlap
	// Keyness becomes bars, a figure for each class and measure.
	Keyness []Keyness
	// Timings has the steps of the whole run.
	Timings []Timing
}

// A Fact is a line at the head of a report.
type Fact struct {
	Name, Value string
}

// A Table is a table of words and figures.
type Table struct {
	Title string // "" for a table without a heading of its own, which has the name of the report
	Head  []string
	Rows  [][]string
	Words []int // columns of words; all others have figures
	Ends  []int // columns of words that end where the column does, as what is left of a match
}

// A Point is a classifier's result with the best K terms of a method.
type Point struct {
	Method, Classifier string
	// K is the number of terms. The axis is logarithmic: a point with K = 0 is shown in
	// the tables only.
	K int
	// MicroF1 and MacroF1 are from 0 to 1, NaN if they are not known; other values are shown in the
	// tables only.
	MicroF1, MacroF1 float64
	// MicroSpread and MacroSpread are standard deviations over folds, drawn above and
	// below the point; 0 is not drawn.
	MicroSpread, MacroSpread float64
	// Select, Train and Predict are the times of these steps; 0 is unknown.
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
	// DF is the number of documents with the term, A of those in the class, B of those
	// outside it.
	DF, A, B int
	// Against says that the class has less of the term than all documents.
	Against bool
	// Class is the class that gave the score, in a list of all classes together; "" if none
	// did, which then has no A and B.
	Class string
	// TF is the number of occurrences in the class, TFAll in all documents, where the method
	// counts occurrences; else TFAll is 0.
	TF, TFAll float64
}

// An Overlap has the numbers of the best K terms that two methods share.
type Overlap struct {
	K       int
	Methods []string
	// Shared[i][j] is the number of terms that methods i and j share, Shared[i][i] the
	// length of the list of method i.
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

// A metric is the value that a curve shows.
type metric string

const (
	microF1 metric = "micro-F1"
	macroF1 metric = "macro-F1"
)

// metrics are all in the order of the report.
var metrics = []metric{microF1, macroF1}

// valueOf returns the value of a point and its standard deviation.
func (m metric) valueOf(p Point) (value, spread float64) {
	if m == macroF1 {
		return p.MacroF1, p.MacroSpread
	}
	return p.MicroF1, p.MicroSpread
}

// distinctNames returns the different names of the elements of a list, in the order of
// their first occurrences.
func distinctNames[T any](list []T, name func(T) string) (distinct []string) {
	seen := map[string]bool{}
	for _, e := range list {
		if n := name(e); !seen[n] {
			seen[n] = true
			distinct = append(distinct, n)
		}
	}
	return distinct
}

// classifiers returns the classifiers of the points in the order of the report.
func (r *Report) classifiers() []string {
	return distinctNames(r.Points, func(p Point) string { return p.Classifier })
}

// methods returns the methods of the points in the order of the report.
func (r *Report) methods() []string {
	return distinctNames(r.Points, func(p Point) string { return p.Method })
}
