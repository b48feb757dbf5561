package learn

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

var (
	// ErrMismatch is returned if right and predicted classes do not match: they are for
	// different numbers of documents, or a document has a set of classes where exactly one
	// is needed.
	ErrMismatch = usage.NewError(usage.ErrData, "right and predicted classes do not go together")
	// errNoClass is returned for the number of a class that does not exist.
	errNoClass = errors.New("no such class")
	// ErrFolds is returned if documents cannot be divided as asked.
	ErrFolds = usage.NewError(usage.ErrUsage, "the documents cannot be divided like this")
)

// Counts are the numbers of true positive, false positive and false negative decisions
// about a class.
type Counts struct {
	TP, FP, FN int
}

// Precision returns TP/(TP+FP), the share of decisions for the class that are right.
func (c Counts) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall returns TP/(TP+FN), the share of the class's documents that were found.
func (c Counts) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// F1 returns the harmonic mean of precision and recall, 2TP/(2TP+FP+FN).
func (c Counts) F1() float64 { return ratio(2*c.TP, 2*c.TP+c.FP+c.FN) }

// Support returns the number of documents that have the class.
func (c Counts) Support() int { return c.TP + c.FN }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// A Class has the counts of one class.
type Class struct {
	Name string
	Counts
}

// A Result says how good predictions are.
type Result struct {
	// Classes has the counts of each class, in the order of the classes.
	Classes []Class
	// Documents is the number of documents that were compared, Exact that of documents
	// whose set of classes was predicted exactly.
	Documents, Exact int
	// Micro sums the counts of all classes. If every document has one label and one
	// predicted class, its precision, recall and F1 equal the accuracy.
	Micro Counts
	// MacroPrecision, MacroRecall and MacroF1 are means over the classes.
	MacroPrecision, MacroRecall, MacroF1 float64
	// F1OfMeans is the harmonic mean of MacroPrecision and MacroRecall. Some call it
	// macro-F1, but it differs from the mean of the F1s.
	F1OfMeans float64
	// Empty is the number of classes without test documents.
	Empty int
	// Confusion[right][predicted] counts documents, those with a class of the training part and a predicted
	// one. It is nil unless every document has one label and one predicted class at most, or if there are more than
	// 4,096 classes.
	Confusion [][]int
}

// Accuracy returns the share of documents whose set of classes was predicted exactly.
func (r *Result) Accuracy() float64 { return ratio(r.Exact, r.Documents) }

// Multi compares the predicted sets of classes of the documents with the right ones. Sets
// may be in any order, and repeated classes count once. A right class of -1 is one that
// the training part does not have: every prediction for it is wrong. A document without a predicted class makes recall
// lower than precision.
func Multi(classes []string, right, predicted [][]int) (*Result, error) {
	if len(right) != len(predicted) {
		return nil, fmt.Errorf("%w: %d documents have right classes, %d predicted ones", ErrMismatch, len(right), len(predicted))
	}
	r := &Result{Classes: make([]Class, len(classes)), Documents: len(right)}
	for c, name := range classes {
		r.Classes[c].Name = name
	}
	single := len(classes) <= mostConfused
	var is, said []int
	for i := range right {
		for _, c := range slices.Concat(right[i], predicted[i]) {
			if c < -1 || c >= len(classes) {
				return nil, fmt.Errorf("%w: class %d of document %d; there are %d classes", errNoClass, c, i, len(classes))
			}
		}
		if slices.Contains(predicted[i], -1) {
			return nil, fmt.Errorf("%w: class -1 is predicted for document %d; predict an empty set instead", errNoClass, i)
		}
		is, said = sortedSet(is[:0], right[i]), sortedSet(said[:0], predicted[i])
		if slices.Equal(is, said) {
			r.Exact++
		}
		r.countDocument(is, said)
		single = single && len(is) == 1 && len(said) <= 1
	}
	r.finish()
	if single {
		r.confuse(right, predicted)
	}
	return r, nil
}

// sortedSet appends the elements of list to dst, which must be empty, and returns them in
// ascending order without duplicates.
func sortedSet(dst, list []int) []int {
	dst = append(dst, list...)
	slices.Sort(dst)
	return slices.Compact(dst)
}

// countDocument counts the classes of one document. Both lists must be ascending. A right class
// that the training part does not have has no counts of its own; only Micro counts it.
func (r *Result) countDocument(right, predicted []int) {
	for _, c := range right {
		_, found := slices.BinarySearch(predicted, c)
		switch {
		case found:
			r.Classes[c].TP++
		case c < 0:
			r.Micro.FN++
		default:
			r.Classes[c].FN++
		}
	}
	for _, c := range predicted {
		if _, found := slices.BinarySearch(right, c); !found {
			r.Classes[c].FP++
		}
	}
}

// finish computes the sums and means over the classes.
func (r *Result) finish() {
	k := float64(len(r.Classes))
	if k == 0 {
		return
	}
	for _, c := range r.Classes {
		r.Micro.TP += c.TP
		r.Micro.FP += c.FP
		r.Micro.FN += c.FN
		r.MacroPrecision += c.Precision()
		r.MacroRecall += c.Recall()
		r.MacroF1 += c.F1()
		if c.Support() == 0 {
			r.Empty++
		}
	}
	r.MacroPrecision, r.MacroRecall, r.MacroF1 = r.MacroPrecision/k, r.MacroRecall/k, r.MacroF1/k
	if sum := r.MacroPrecision + r.MacroRecall; sum > 0 {
		r.F1OfMeans = 2 * r.MacroPrecision * r.MacroRecall / sum
	}
}

// mostConfused is the largest number of classes for which Confusion is computed.
const mostConfused = 4096

// confuse computes Confusion.
func (r *Result) confuse(right, predicted [][]int) {
	r.Confusion = squareTable(len(r.Classes))
	for i, is := range right {
		if is[0] >= 0 && len(predicted[i]) > 0 {
			r.Confusion[is[0]][predicted[i][0]]++
		}
	}
}

func squareTable(n int) [][]int {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = make([]int, n)
	}
	return rows
}

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
func (a answers) compare(classes []string, p *Predictions) (*Result, error) {
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
	tell := func(part string, empty func(p Point) bool) {
		points := 0
		for _, p := range r.out.Points {
			if empty(p) {
				points++
			}
		}
		if points > 0 {
			warnings = append(warnings, fmt.Sprintf("at %d of %d points no %s document has a value for any selected term: nothing but the largest class can be predicted", points, len(r.out.Points), part))
		}
	}
	tell("training", func(p Point) bool { return p.EmptyTrain == r.out.Train })
	tell("test", func(p Point) bool { return p.EmptyTest == r.out.Test })
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
