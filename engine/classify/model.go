package classify

import (
	"fmt"
	"slices"
	"strings"
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
	// Largest is the class that most training rows have, the first of several: what a row
	// without evidence is given.
	Largest() int
	// NewScorer makes a scorer for one goroutine. It leaves out columns that the model does
	// not know.
	NewScorer() Scorer
	// Assign appends the classes of a row that has these scores, ascending.
	Assign(dst []uint32, scores []float64, evidence bool) []uint32
	// Warnings say what a user should know of the training, a sentence each.
	Warnings() []string
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
	largest int  // the class with the most training rows, the first of several
	alone   bool // a score above 0 assigns its class; if not, the class with the highest is assigned
}

// headerOf returns the header of a model trained with rows.
func headerOf(kind string, m *Matrix, alone bool) header {
	largest, sizes := 0, m.sizes()
	for c, n := range sizes {
		if n > sizes[largest] {
			largest = c
		}
	}
	return header{kind, slices.Clone(m.Classes), m.Columns, largest, alone}
}

func (h *header) Kind() string       { return h.kind }
func (h *header) Classes() []string  { return h.classes }
func (h *header) Columns() int       { return h.columns }
func (h *header) Largest() int       { return h.largest }
func (h *header) Warnings() []string { return nil }

// Assign appends the classes of a row. Where scores decide among the classes, none is
// assigned without evidence.
func (h *header) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	switch {
	case h.alone:
		for c, score := range scores {
			if score > 0 {
				dst = append(dst, uint32(c))
			}
		}
	case evidence:
		dst = append(dst, best(scores))
	}
	return dst
}

// fits returns an error unless a model can score the rows.
func fits(of Model, m *Matrix) error {
	if m.Columns != of.Columns() {
		return fmt.Errorf("%w: they have %d columns, the model %q was trained with %d; transform them by the selection of the model", ErrBadRows, m.Columns, of.Kind(), of.Columns())
	}
	if len(m.Classes) > 0 && !slices.Equal(m.Classes, of.Classes()) {
		return fmt.Errorf("%w: their classes are %q, those of the model %q are %q", ErrBadRows, short(m.Classes), of.Kind(), short(of.Classes()))
	}
	return m.Check()
}

// model returns a nil Model instead of a Model that holds a nil pointer.
func model[M Model](m M, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// mostNamed bounds how many classes a warning names.
const mostNamed = 10

func someOf(names []string) string {
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// short returns the first names of a list, for messages.
func short(names []string) []string {
	if len(names) > 5 {
		return append(slices.Clone(names[:5]), "...")
	}
	return names
}
