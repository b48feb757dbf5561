package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
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

// Kind is that of the model that scores.
func (x *thresholds) Kind() string { return x.model.Kind() }

func (x *thresholds) newScorer() scorer { return x.model.newScorer() }

// assign appends the classes whose scores are at least their thresholds.
func (x *thresholds) assign(dst []uint32, scores []float64, evidence bool) []uint32 {
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

// leastF1 is the F1 that a threshold must have to be believed, Yang's fbr. Without it a
// class that the model does not find is given to many rows for one right one among
// them: of Reuters R90, centroids of 2,000 terms then have a micro-F1 of 69.0 % instead
// of 80.4. From 0.05 to 0.5 it hardly matters (80.4 to 80.8); the higher it is, the more
// classes are held to their highest score.
const leastF1 = .1

// trainThresholds learns from all rows, and gives the model the threshold for each
// class that is best for rows from which a model has not learnt (SCut of Yang, A Study
// of Thresholding Strategies for Text Categorization, 2001).
//
// The rows are cut into folds, five unless others are asked for, each with its share of every first label, and scored
// by a model that learn made of the other folds. Where there are fewer rows, each is a fold. Thresholds in question lie midway between
// neighbouring scores of the class, among which 0 counts, the score of a class that
// nothing speaks for. The one with the highest F1 over all rows is taken, of equal ones
// the highest. Where that F1 is below 0.1, the threshold is the highest score (Yang's
// fbr.1): a row must be as near to the class as the nearest so far. If that is 0, or if
// the class has no rows, it is +Inf and the class never assigned. A row without evidence
// has no score; nor has one of a fold whose other folds have no label.
//
// learn makes a model over the columns and classes of the rows that it is given. Beside
// the models there are about 20 bytes for each row and class with a score other than 0.
// The thresholds are the same for any number of threads.
func trainThresholds(ctx context.Context, m *Matrix, folds int, o TrainOptions, learn trainer) (*thresholds, error) {
	if err := m.checkTraining(anyValue); err != nil {
		return nil, err
	}
	model, err := learn(ctx, m)
	if err != nil {
		return nil, err
	}
	x := &heldOut{m: m, threads: o.Threads, evidence: make([]bool, m.Rows()), of: make([][]tally, len(m.Classes))}
	var splits []Split
	if folds = min(cmp.Or(folds, defaultFolds), m.Rows()); folds > 1 {
		if splits, err = Folds(m.Rows(), folds, Dividing{Seed: o.Seed, Strata: firstLabels(m.Rows(), m.Labels)}); err != nil {
			return nil, err
		}
	}
	for _, split := range splits {
		if err := x.add(ctx, split, learn); err != nil {
			return nil, err
		}
	}
	threshold, err := x.thresholds(ctx)
	if err != nil {
		return nil, err
	}
	h := *model.common()
	h.kind = kindThresholds
	return &thresholds{h, model, threshold}, nil
}

// heldOut collects the scores of rows by models that have not learnt from them.
type heldOut struct {
	m        *Matrix
	threads  int
	evidence []bool    // by row
	of       [][]tally // by class: the rows with a score other than 0
}

// A tally counts rows of one score, and those of them that have the class.
type tally struct {
	score       float64
	rows, right int32
}

// add scores the rows of a fold, as many at a time as workers take in one turn.
func (x *heldOut) add(ctx context.Context, split Split, learn trainer) error {
	part := x.m.rows(split.Train)
	if len(part.LabelOf) == 0 {
		return nil
	}
	model, err := learn(ctx, part)
	if err != nil {
		return err
	}
	for rows := range slices.Chunk(split.Test, predictChunk*pool.Threads(x.threads)) {
		said, err := Predict(ctx, model, x.m.rows(rows), PredictOptions{Scores: true, Threads: x.threads})
		if err != nil {
			return err
		}
		for i, row := range rows {
			if x.evidence[row] = said.Evidence[i]; said.Evidence[i] {
				x.tally(row, said.Row(i))
			}
		}
	}
	return nil
}

// tally notes the scores of a row.
func (x *heldOut) tally(row int, scores []float64) {
	labels := x.m.Labels(row)
	for c, score := range scores {
		if score != 0 {
			t := tally{score: score, rows: 1}
			if slices.Contains(labels, uint32(c)) {
				t.right = 1
			}
			x.of[c] = append(x.of[c], t)
		}
	}
}

// thresholds returns the threshold of every class.
func (x *heldOut) thresholds(ctx context.Context) ([]float64, error) {
	rows, right := int32(0), make([]int32, len(x.of)) // with evidence, those of the class
	for row, ok := range x.evidence {
		if !ok {
			continue
		}
		rows++
		for _, c := range x.m.Labels(row) {
			right[c]++
		}
	}
	sizes := x.m.sizes()
	threshold := make([]float64, len(x.of))
	err := pool.Run(ctx, x.threads, len(x.of), func(_, c int) error {
		zero := tally{0, rows, right[c]}
		for _, t := range x.of[c] {
			zero.rows, zero.right = zero.rows-t.rows, zero.right-t.right
		}
		threshold[c] = bestThreshold(append(x.of[c], zero), int64(sizes[c]))
		x.of[c] = nil // the memory of a class is not needed any more
		return nil
	})
	return threshold, err
}

// bestThreshold returns the threshold of a class that size rows have. scores must include a
// score of 0. F1 is 2TP/(2TP+FP+FN): twice the right rows divided by the sum of those
// assigned and those that have the class. Quotients are compared exactly, as products.
func bestThreshold(scores []tally, size int64) float64 {
	slices.SortFunc(scores, func(a, b tally) int { return cmp.Compare(b.score, a.score) })
	best, bestRight, bestOf := math.Inf(1), int64(0), int64(1)
	right, assigned := int64(0), int64(0)
	for i := range len(scores) - 1 {
		assigned, right = assigned+int64(scores[i].rows), right+int64(scores[i].right)
		lower, upper := scores[i+1].score, scores[i].score
		if !(lower < upper) {
			continue
		}
		t := float64(lower*.5) + float64(upper*.5) // midway if there is a number
		if t <= lower {
			t = upper
		}
		if of := assigned + size; !infinite(t) && right*bestOf > bestRight*of {
			best, bestRight, bestOf = t, right, of
		}
	}
	if 2*float64(bestRight)/float64(bestOf) >= leastF1 {
		return best
	}
	if highest := scores[0].score; highest > 0 && size > 0 {
		return highest
	}
	return math.Inf(1)
}
