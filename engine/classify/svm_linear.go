package classify

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/pool"
)

// A Linear is a linear SVM, one machine for each class. The score of a class is its
// decision value, w·x + b: above 0 assigns it. A row none of whose columns has a
// weight gives no evidence.
type Linear struct {
	header
	options  SVMOptions
	machines []MachineReport
	zeros    int // training rows without values
	// intercept of each class, and the weights that are not 0 by column: of column
	// t, class[start[t]:start[t+1]] and so on, ascending.
	intercept []float64
	start     []int
	class     []uint32
	weight    []float64
}

// newLinear turns the weights of the classes into those of the columns.
func newLinear(m *Matrix, o SVMOptions, machines []machine) *Linear {
	l := &Linear{header: headerOf(kindSVM, m, m.sizes()), options: o, start: make([]int, m.Columns+1)}
	l.options.Threads = 0 // no matter of the model
	for _, x := range machines {
		l.machines = append(l.machines, x.MachineReport)
		l.intercept = append(l.intercept, x.intercept)
		for _, t := range x.column {
			l.start[t+1]++
		}
	}
	for i := range m.Rows() {
		if m.Start[i] == m.Start[i+1] {
			l.zeros++
		}
	}
	for t := range m.Columns {
		l.start[t+1] += l.start[t]
	}
	next := append([]int(nil), l.start...)
	l.class, l.weight = make([]uint32, l.start[m.Columns]), make([]float64, l.start[m.Columns])
	for c, x := range machines {
		for i, t := range x.column {
			l.class[next[t]], l.weight[next[t]] = uint32(c), x.weight[i]
			next[t]++
		}
	}
	return l
}

// Options are those of the training, defaults filled in, without Threads.
func (l *Linear) Options() SVMOptions { return l.options }

// Machines say how the training of each class went. The slice must not be modified.
func (l *Linear) Machines() []MachineReport { return l.machines }

// Intercept is what the decision value of a class has of the bias.
func (l *Linear) Intercept(class int) float64 { return l.intercept[class] }

// Weights sets dst, of as many elements as there are columns, to the weights of a
// class.
func (l *Linear) Weights(dst []float64, class int) {
	clear(dst)
	for t := range l.columns {
		for i := l.start[t]; i < l.start[t+1]; i++ {
			if int(l.class[i]) == class {
				dst[t] = l.weight[i]
			}
		}
	}
}

// Warnings say what a user should know of the training, a sentence each.
func (l *Linear) Warnings() (warnings []string) {
	var empty []string
	for c, x := range l.machines {
		if x.Rows == 0 {
			empty = append(empty, l.classes[c])
		}
	}
	if len(empty) > 0 {
		warnings = append(warnings, fmt.Sprintf("%d classes have no training documents (%s): they are never predicted", len(empty), someOf(empty)))
	}
	warnings = append(warnings, unconverged(l)...)
	if l.zeros > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of the training documents have no term of the selection", l.zeros))
	}
	return warnings
}

// unconverged returns a warning that names the classes whose training did not come within
// eps, if there are any. With values far from 1, such as those of unscaled cluster vectors,
// these can be all classes.
func unconverged(models ...Model) []string {
	var classes []string
	var o SVMOptions
	for _, m := range models {
		l, ok := m.(*Linear)
		if !ok {
			continue
		}
		for c, x := range l.machines {
			if x.Rows > 0 && !x.Converged {
				classes, o = append(classes, l.classes[c]), l.options
			}
		}
	}
	if len(classes) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d classes are not within eps %v after %d sweeps (%s): scale the rows to unit length, or raise sweeps or eps",
		len(classes), o.Eps, o.MaxSweeps, someOf(classes))}
}

// NewScorer makes a scorer, which has no scratch. It leaves out columns that the model
// does not know.
func (l *Linear) NewScorer() Scorer { return linearScorer{l} }

type linearScorer struct{ l *Linear }

func (s linearScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	l := s.l
	copy(scores, l.intercept)
	for j, t := range index {
		if int(t) >= l.columns {
			continue
		}
		from, to := l.start[t], l.start[t+1]
		class, weight := l.class[from:to], l.weight[from:to]
		weight = weight[:len(class)]
		x := float64(value[j])
		for i, c := range class {
			scores[c] += float64(weight[i] * x)
		}
		evidence = evidence || len(class) > 0
	}
	return evidence
}

// primalChunk is the number of rows whose losses are summed up in one piece: the sums
// must not depend on the number of threads.
const primalChunk = 256

// Primal computes the objective that [TrainSVM] minimises, by class, on the rows that
// the model was trained with. Less [MachineReport.Dual] it is what the optimum may at
// most be better by. A class that was not trained has 0.
func (l *Linear) Primal(ctx context.Context, m *Matrix, threads int) ([]float64, error) {
	if err := l.fits(m); err != nil {
		return nil, err
	}
	chunks := (m.Rows() + primalChunk - 1) / primalChunk
	losses := make([][]float64, chunks)
	err := pool.Run(ctx, threads, chunks, func(_, chunk int) error {
		losses[chunk] = l.losses(m, chunk*primalChunk, min((chunk+1)*primalChunk, m.Rows()))
		return nil
	})
	if err != nil {
		return nil, err
	}
	objective := l.regularizer()
	for _, chunk := range losses {
		for c, loss := range chunk {
			objective[c] += loss
		}
	}
	return objective, nil
}

// losses sums up the losses of some rows by class, times C.
func (l *Linear) losses(m *Matrix, from, to int) []float64 {
	sums, scores, y := make([]float64, len(l.classes)), make([]float64, len(l.classes)), make([]float64, len(l.classes))
	scorer := l.NewScorer()
	for i := from; i < to; i++ {
		index, value := m.Row(i)
		scorer.Score(index, value, scores)
		for c := range y {
			y[c] = -1
		}
		for _, c := range m.Labels(i) {
			y[c] = 1
		}
		for c, score := range scores {
			if l.machines[c].Rows > 0 {
				sums[c] += l.loss(y[c], score)
			}
		}
	}
	return sums
}

func (l *Linear) loss(y, score float64) float64 {
	loss, cost := max(0, 1-float64(y*score)), l.options.C
	if l.options.Loss == L2Loss {
		loss *= loss
	}
	if y > 0 {
		cost *= l.options.Positive
	}
	return cost * loss
}

// regularizer is ½ w·w by class, the weight of the bias within w.
func (l *Linear) regularizer() []float64 {
	sums := make([]float64, len(l.classes))
	for i, c := range l.class {
		sums[c] += float64(l.weight[i] * l.weight[i])
	}
	for c, b := range l.intercept {
		if l.options.Bias > 0 && !math.IsInf(b, 0) {
			w := b / l.options.Bias
			sums[c] += float64(w * w)
		}
		sums[c] /= 2
	}
	return sums
}
