// Package evaluate compares predicted classes with the right ones and divides
// documents into parts to train and to test on.
//
// Classes are all those of the training taxonomy, with or without test documents:
// means over the classes count one that nothing was predicted for and that no test
// document has with 0. A quotient 0/0 is 0 throughout.
package evaluate

import (
	"errors"
	"fmt"
	"slices"
)

var (
	// ErrMismatch is returned where right and predicted classes do not go together:
	// numbers of documents that differ, or one set of labels where there should be one
	// label.
	ErrMismatch = errors.New("right and predicted classes do not go together")
	// ErrNoClass is returned for a class that is not among the classes.
	ErrNoClass = errors.New("no such class")
	// ErrFolds is returned for parts that documents cannot be divided into.
	ErrFolds = errors.New("the documents cannot be divided like this")
)

// Counts are those of the binary decisions about a class.
type Counts struct {
	TP, FP, FN int
}

// Precision is TP/(TP+FP), the share of right ones among the decisions for the class.
func (c Counts) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall is TP/(TP+FN), the share of the class's documents that was found.
func (c Counts) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// F1 is their harmonic mean, 2TP/(2TP+FP+FN).
func (c Counts) F1() float64 { return ratio(2*c.TP, 2*c.TP+c.FP+c.FN) }

// Support is the number of documents that have the class.
func (c Counts) Support() int { return c.TP + c.FN }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// A Class is a line of the table of classes.
type Class struct {
	Name string
	Counts
}

// A Result is what predictions are worth.
type Result struct {
	// Classes is the table, in the order of the classes.
	Classes []Class
	// Documents were compared, Exact of them with the right set of classes.
	Documents, Exact int
	// Micro has the decisions of all classes together. With one label and one
	// decision for each document its precision, recall and F1 are the accuracy.
	Micro Counts
	// MacroPrecision, MacroRecall and MacroF1 are means over the classes.
	MacroPrecision, MacroRecall, MacroF1 float64
	// F1OfMeans is the harmonic mean of MacroPrecision and MacroRecall, which some
	// call macro-F1: it is another number than the mean of the F1s.
	F1OfMeans float64
	// Empty is the number of classes without test documents.
	Empty int
	// Confusion[right][predicted] counts documents; nil with several labels or with
	// more than 4,096 classes.
	Confusion [][]int
}

// Accuracy is the share of documents with the right set of classes.
func (r *Result) Accuracy() float64 { return ratio(r.Exact, r.Documents) }

// Single compares one class of each document. A prediction of -1 decides for none:
// recall then falls behind precision. A right class of -1 is one that the training
// did not have; no prediction is right for it.
func Single(classes []string, right, predicted []int) (*Result, error) {
	if len(right) != len(predicted) {
		return nil, fmt.Errorf("%w: %d documents have a right class, %d a predicted one", ErrMismatch, len(right), len(predicted))
	}
	r := newResult(classes, len(right))
	for i, is := range right {
		said := predicted[i]
		if err := r.known(i, is, said); err != nil {
			return nil, err
		}
		if is == said && is >= 0 {
			r.Classes[is].TP++
			r.Exact++
		} else {
			r.missed(is)
			r.wrong(said)
		}
	}
	r.finish()
	r.confuse(right, predicted)
	return r, nil
}

// One gives the class of each document where every set has exactly one, for [Single].
func One(sets [][]int) ([]int, error) {
	classes := make([]int, len(sets))
	for i, set := range sets {
		if len(set) != 1 {
			return nil, fmt.Errorf("%w: document %d has %d classes instead of one; compare sets", ErrMismatch, i, len(set))
		}
		classes[i] = set[0]
	}
	return classes, nil
}

// Multi compares the sets of classes of the documents, in any order; a class stands in
// a set once. A right class of -1 is one that the training did not have.
func Multi(classes []string, right, predicted [][]int) (*Result, error) {
	if len(right) != len(predicted) {
		return nil, fmt.Errorf("%w: %d documents have right classes, %d predicted ones", ErrMismatch, len(right), len(predicted))
	}
	r := newResult(classes, len(right))
	var is, said []int
	for i := range right {
		if err := r.known(i, append(slices.Clone(right[i]), predicted[i]...)...); err != nil {
			return nil, err
		}
		if slices.Contains(predicted[i], -1) {
			return nil, fmt.Errorf("%w: class -1 is predicted for document %d; predict an empty set instead", ErrNoClass, i)
		}
		is, said = set(is[:0], right[i]), set(said[:0], predicted[i])
		if slices.Equal(is, said) {
			r.Exact++
		}
		r.compare(is, said)
	}
	r.finish()
	return r, nil
}

// set is a list in ascending order without what stands in it twice.
func set(dst, list []int) []int {
	dst = append(dst, list...)
	slices.Sort(dst)
	return slices.Compact(dst)
}

func newResult(classes []string, documents int) *Result {
	r := &Result{Classes: make([]Class, len(classes)), Documents: documents}
	for c, name := range classes {
		r.Classes[c].Name = name
	}
	return r
}

// known refuses numbers of classes that do not exist; -1 stands for none.
func (r *Result) known(document int, classes ...int) error {
	for _, c := range classes {
		if c < -1 || c >= len(r.Classes) {
			return fmt.Errorf("%w: class %d of document %d; there are %d classes", ErrNoClass, c, document, len(r.Classes))
		}
	}
	return nil
}

// compare counts the classes of one document, both lists ascending.
func (r *Result) compare(right, predicted []int) {
	for _, c := range right {
		if _, found := slices.BinarySearch(predicted, c); found {
			r.Classes[c].TP++
		} else {
			r.missed(c)
		}
	}
	for _, c := range predicted {
		if _, found := slices.BinarySearch(right, c); !found {
			r.wrong(c)
		}
	}
}

// missed counts a right class that was not predicted. One that the training did not
// have belongs to no line, but it is a decision that is wanting.
func (r *Result) missed(class int) {
	if class >= 0 {
		r.Classes[class].FN++
	} else {
		r.Micro.FN++
	}
}

func (r *Result) wrong(class int) {
	if class >= 0 {
		r.Classes[class].FP++
	}
}

// finish sums up the table.
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

// mostConfused is the most classes that a dense table of confusion is made for.
const mostConfused = 4096

// confuse makes the table of confusion, documents without one of the classes left out.
func (r *Result) confuse(right, predicted []int) {
	if len(r.Classes) > mostConfused {
		return
	}
	r.Confusion = make([][]int, len(r.Classes))
	for c := range r.Confusion {
		r.Confusion[c] = make([]int, len(r.Classes))
	}
	for i, is := range right {
		if said := predicted[i]; is >= 0 && said >= 0 {
			r.Confusion[is][said]++
		}
	}
}
