// Package learn learns classifiers from sparse rows, applies them, and judges selections of terms by them.
//
// A [Learner] takes rows as a [Matrix] and gives a [Model]; [Predict] asks a model for the classes
// of other rows. [Run] trains on one part of the documents and tests on another, [RunSplits] on [Folds], and
// a [Trial] finds how many terms are enough. Begin reading at README.md, then at model.go, learner.go and run.go.
//
// The classes of a [Result] are all those of the training part. Means over the classes include those
// without test documents; a class that is neither predicted nor right for any test
// document counts as 0. A quotient 0/0 is 0 throughout.
//
// Values are float32, as the rows of package vectors are; every sum of them is a float64.
// The package never depends on time, map order or the number of threads: the same rows,
// options and seed give the same model and the same file.
package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// A Model gives every class a score for a row. It is immutable and safe for
// concurrent use.
type Model interface {
	// Kind names the classifier: "multinomial", "svm", ...
	Kind() string
	// Classes are the names of the classes in the order of their bytes.
	Classes() []string
	// Columns is the number of columns that rows have.
	Columns() int
	// Warnings say what a user should know of the training, a sentence each.
	Warnings() []string

	common() *header
	// shortfall returns how many classes are never predicted, and how many are not learnt to the end.
	shortfall() (never, unconverged int)
	// newScorer makes a scorer for one goroutine.
	newScorer() scorer
	// assign appends the classes of a row that has these scores, ascending.
	assign(dst []uint32, scores []float64, evidence bool) []uint32
	// code gives the values of a model to a coder, and checks what was read: what a coder says
	// of lengths and types is checked already, but not what the values mean. It must not
	// allocate by a number from the file but through the slices that the coder gives. The
	// header is coded around it.
	code(c *coder)
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

// A scorer sets scores[c] for every class c: the larger, the more the row belongs to
// the class. What a score means is the model's matter: a decision value above 0
// assigns the class where the model has one decision for each class. There is no
// evidence where nothing in the row speaks for or against any class.
type scorer func(index []uint32, value []float32, scores []float64) (evidence bool)

// A header has what all models have in common.
type header struct {
	kind    string
	classes []string
	columns int
	// largest is the class with the most training rows, the first of several: what a row without
	// evidence is given.
	largest int
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
func (h *header) Warnings() []string { return nil }
func (h *header) common() *header    { return h }

func (h *header) shortfall() (never, unconverged int) { return 0, 0 }

// assign appends the classes of a row. Where scores decide among the classes, none is
// assigned without evidence.
func (h *header) assign(dst []uint32, scores []float64, evidence bool) []uint32 {
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
	return m.check(anyValue)
}

// model returns a nil Model instead of a Model that holds a nil pointer.
func model[M Model](m M, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// mostNamed bounds how many classes a message names.
const mostNamed = 10

// some joins the first names of a list.
func some(names []string) string { return strings.Join(short(names), ", ") }

// short returns the first names of a list.
func short(names []string) []string {
	if len(names) > mostNamed {
		return append(slices.Clone(names[:mostNamed]), "...")
	}
	return names
}

// PredictOptions say what [Predict] keeps.
type PredictOptions struct {
	Scores  bool // all scores of every row
	Sets    bool // the set of classes of every row
	Threads int  // 0 is GOMAXPROCS
}

// Predictions are what a model says of rows.
type Predictions struct {
	Classes []string
	// Best is the class of each row with the highest score, the first of equal ones;
	// without evidence it is the largest class of the training.
	Best     []uint32
	Evidence []bool
	// Scores are those of all classes, row by row; nil unless asked for.
	Scores []float64
	// Sets are the classes assigned to each row, ascending; nil unless asked for.
	Sets [][]uint32
}

// Row gives the scores of a row by class.
func (p *Predictions) Row(i int) []float64 {
	k := len(p.Classes)
	return p.Scores[i*k : (i+1)*k : (i+1)*k]
}

// predictChunk is the number of rows that a worker takes at a time.
const predictChunk = 256

// Predict asks a model about rows. The predictions are the same for any number of
// threads.
func Predict(ctx context.Context, model Model, m *Matrix, o PredictOptions) (*Predictions, error) {
	if model == nil || m == nil {
		return nil, usage.Errorf("a nil model or matrix was given")
	}
	if err := fits(model, m); err != nil {
		return nil, err
	}
	rows, k := m.Rows(), len(model.Classes())
	p := &Predictions{Classes: model.Classes(), Best: make([]uint32, rows), Evidence: make([]bool, rows)}
	if o.Scores {
		p.Scores = make([]float64, rows*k)
	}
	if o.Sets {
		p.Sets = make([][]uint32, rows)
	}
	threads := pool.Threads(o.Threads)
	scorers := make([]scorer, threads)
	err := pool.Run(ctx, threads, (rows+predictChunk-1)/predictChunk, func(worker, chunk int) error {
		if scorers[worker] == nil {
			scorers[worker] = model.newScorer()
		}
		scores := make([]float64, k)
		for i := chunk * predictChunk; i < min((chunk+1)*predictChunk, rows); i++ {
			if o.Scores {
				scores = p.Row(i)
			}
			index, value := m.Row(i)
			p.Evidence[i], p.Best[i] = scorers[worker](index, value, scores), uint32(model.common().largest)
			if p.Evidence[i] {
				p.Best[i] = best(scores)
			}
			if o.Sets {
				p.Sets[i] = model.assign(nil, scores, p.Evidence[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// best is the place of the first of the highest scores.
func best(scores []float64) (class uint32) {
	for c, score := range scores {
		if score > scores[class] {
			class = uint32(c)
		}
	}
	return class
}
