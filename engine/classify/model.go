package classify

import (
	"fmt"
	"slices"
)

// A Model gives every class a score for a row. It is immutable and safe for
// concurrent use.
type Model interface {
	// Kind names the classifier: "multinomial", "svm", ...
	Kind() string
	// Classes are the names of the classes in the order of their bytes.
	Classes() []string
	// Columns is the number of columns that rows may have.
	Columns() int
	// NewScorer makes a scorer for one goroutine.
	NewScorer() Scorer
}

// The kinds of models.
const (
	kindSVM         = "svm"
	kindMultinomial = "multinomial"
	kindBernoulli   = "bernoulli"
	kindCentroid    = "centroid"
	kindKNN         = "knn"
	kindScoped      = "scoped"
	kindRule        = "rule"
	kindProjected   = "projected"
	kindThresholds  = "thresholds" // of files alone
)

// A Scorer computes scores with scratch of its own.
type Scorer interface {
	// Score sets scores[c] for every class c: the larger, the more the row belongs to
	// the class. What a score means is the model's matter: a decision value above 0
	// assigns the class where the model has one decision for each class. There is no
	// evidence where nothing in the row speaks for or against any class.
	Score(index []uint32, value []float32, scores []float64) (evidence bool)
}

// A header has what all models have in common.
type header struct {
	kind    string
	classes []string
	columns int
	largest int // the class with the most training rows, the first of several
}

// headerOf returns the header of a model trained with rows whose classes have these sizes.
func headerOf(kind string, m *Matrix, sizes []float64) header {
	return header{kind, slices.Clone(m.Classes), m.Columns, largest(sizes)}
}

// Kind names the classifier.
func (h *header) Kind() string { return h.kind }

// Classes are the names of the classes in the order of their bytes.
func (h *header) Classes() []string { return h.classes }

// Columns is the number of columns that rows may have.
func (h *header) Columns() int { return h.columns }

// Largest is the class that most training rows have, the first of several: what a row
// without evidence is given.
func (h *header) Largest() int { return h.largest }

// fits returns an error unless a model can score the rows.
func (h *header) fits(m *Matrix) error { return fits(h, m) }

// fits returns an error unless rows have the columns and classes of a model.
func fits(of interface {
	Kind() string
	Classes() []string
	Columns() int
}, m *Matrix,
) error {
	if m.Columns != of.Columns() {
		return fmt.Errorf("%w: they have %d columns, the model %q was trained with %d; transform them by the selection of the model", ErrBadRows, m.Columns, of.Kind(), of.Columns())
	}
	if len(m.Classes) > 0 && !slices.Equal(m.Classes, of.Classes()) {
		return fmt.Errorf("%w: their classes are %q, those of the model %q are %q", ErrBadRows, short(m.Classes), of.Kind(), short(of.Classes()))
	}
	return m.Check()
}

// trained has what naive Bayes, centroids and neighbours have in common.
type trained struct{ header }

func newTrained(kind string, m *Matrix, sizes []float64) trained {
	return trained{headerOf(kind, m, sizes)}
}

// Assign appends the class with the highest score, the first of several: the scores
// of these models decide among the classes, not about each. Without evidence no class
// is assigned.
func (x *trained) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if !evidence {
		return dst
	}
	return append(dst, best(scores))
}

// model returns a nil Model instead of a Model that holds a nil pointer.
func model[M Model](m M, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
