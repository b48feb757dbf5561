package classify

import (
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// Thresholds is a model with a threshold for the score of each class, so that it
// decides about the classes one by one: a row is given those whose score is at least,
// that is above or equal to, their threshold, and none without evidence. A threshold
// of +Inf is never reached. Scores, evidence and the largest class are those of the
// model that it is made of.
type Thresholds struct {
	header
	model     Model
	threshold []float64 // by class
}

// NewThresholds gives a model thresholds, one for each of its classes;
// [TrainThresholds] chooses them. Errors wrap [usage.ErrUsage].
func NewThresholds(m Model, threshold []float64) (*Thresholds, error) {
	if m == nil {
		return nil, usage.Errorf("a nil model was given")
	}
	if _, ok := m.(*Thresholds); ok {
		return nil, usage.Errorf("the model has thresholds already")
	}
	if len(threshold) != len(m.Classes()) {
		return nil, usage.Errorf("%d thresholds for %d classes", len(threshold), len(m.Classes()))
	}
	if c := slices.IndexFunc(threshold, math.IsNaN); c >= 0 {
		return nil, usage.Errorf("the threshold of class %q is not a number", m.Classes()[c])
	}
	h := header{kind: kindThresholds, classes: m.Classes(), columns: m.Columns()}
	if f, ok := m.(Fallback); ok {
		h.largest = f.Largest()
	}
	return &Thresholds{h, m, slices.Clone(threshold)}, nil
}

// Kind is that of the model that scores.
func (x *Thresholds) Kind() string { return x.model.Kind() }

// Model is the one that scores.
func (x *Thresholds) Model() Model { return x.model }

// Threshold is that of a class.
func (x *Thresholds) Threshold(class int) float64 { return x.threshold[class] }

// NewScorer makes a scorer of the model that scores.
func (x *Thresholds) NewScorer() Scorer { return x.model.NewScorer() }

// Assign appends the classes whose scores are at least their thresholds.
func (x *Thresholds) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if !evidence {
		return dst
	}
	for c, score := range scores {
		// A score of +Inf is no reason to assign what is never assigned.
		if t := x.threshold[c]; score >= t && !math.IsInf(t, 1) {
			dst = append(dst, uint32(c))
		}
	}
	return dst
}

// Warnings say what a user should know of the training, a sentence each.
func (x *Thresholds) Warnings() []string {
	var never []string
	for c, t := range x.threshold {
		if math.IsInf(t, 1) {
			never = append(never, x.classes[c])
		}
	}
	if len(never) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d classes are never predicted, %q: a model that has not learnt from a document finds nothing that speaks for them",
		len(never), len(x.classes), short(never))}
}

// encode writes the thresholds, and the model that scores.
func (x *Thresholds) encode(e *encoder) {
	e.floats(x.threshold)
	e.model(x.model)
}

func (x *Thresholds) decode(d *decoder) {
	x.threshold = d.floats()
	x.model = d.model()
	_, nested := x.model.(*Thresholds)
	switch {
	case d.err != nil:
	case nested:
		d.fail("thresholds of thresholds")
	case len(x.threshold) != len(x.classes):
		d.fail("%d thresholds of %d classes", len(x.threshold), len(x.classes))
	case slices.ContainsFunc(x.threshold, math.IsNaN):
		d.fail("a threshold that is no number")
	case x.model.Columns() != x.columns || !slices.Equal(x.model.Classes(), x.classes):
		d.fail("thresholds of %d classes for a model of %d columns and %d classes", len(x.classes), x.model.Columns(), len(x.model.Classes()))
	}
}
