package classify

import (
	"fmt"
	"math"
	"slices"
)

// thresholds is a model with a threshold for the score of each class, so that it
// decides about the classes one by one: a row is given those whose score is at least,
// that is above or equal to, their threshold, and none without evidence. A threshold
// of +Inf is never reached. Scores, evidence and the largest class are those of the
// model that it is made of.
type thresholds struct {
	header
	model     Model
	threshold []float64 // by class
}

func newThresholds(m Model, threshold []float64) *thresholds {
	h := header{kind: kindThresholds, classes: m.Classes(), columns: m.Columns(), largest: m.Largest()}
	return &thresholds{h, m, threshold}
}

// Kind is that of the model that scores.
func (x *thresholds) Kind() string { return x.model.Kind() }

// Threshold is that of a class.
func (x *thresholds) Threshold(class int) float64 { return x.threshold[class] }

func (x *thresholds) NewScorer() Scorer { return x.model.NewScorer() }

// Assign appends the classes whose scores are at least their thresholds.
func (x *thresholds) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
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

func (x *thresholds) Warnings() []string {
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

// code codes the thresholds, and the model that scores.
func (x *thresholds) code(c *coder) {
	c.floats(&x.threshold)
	c.model(&x.model)
	_, nested := x.model.(*thresholds)
	switch {
	case !c.hasRead():
	case nested:
		c.fail("thresholds of thresholds")
	case len(x.threshold) != len(x.classes):
		c.fail("%d thresholds of %d classes", len(x.threshold), len(x.classes))
	case slices.ContainsFunc(x.threshold, math.IsNaN):
		c.fail("a threshold that is no number")
	case !isOf(x.model, x.columns, x.classes):
		c.fail("thresholds of %d classes for a model of %d columns and %d classes", len(x.classes), x.model.Columns(), len(x.model.Classes()))
	}
}
