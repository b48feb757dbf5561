package classify

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// linear is a linear SVM, one machine for each class. The score of a class is its
// decision value, w·x + b: above 0 assigns it. A row none of whose columns has a
// weight gives no evidence.
type linear struct {
	header
	options   SVMOptions
	machines  []MachineReport
	zeros     int       // training rows without values
	intercept []float64 // of each class
	weights   cells
}

// newLinear turns the weights of the classes into those of the columns.
func newLinear(ctx context.Context, m *Matrix, o SVMOptions, machines []machine) (*linear, error) {
	l := &linear{header: headerOf(kindSVM, m, true), options: o}
	l.options.Threads = 0 // no matter of the model
	found := make([]foundCells, len(machines))
	for c, x := range machines {
		l.machines = append(l.machines, x.MachineReport)
		l.intercept = append(l.intercept, x.intercept)
		found[c] = foundCells{c, []int{len(x.weights.columns)}, x.weights.columns, x.weights.values}
	}
	for i := range m.Rows() {
		if m.Start[i] == m.Start[i+1] {
			l.zeros++
		}
	}
	return l, l.weights.transpose(ctx, found, m.Columns)
}

// Machines say how the training of each class went. The slice must not be modified.
func (l *linear) Machines() []MachineReport { return l.machines }

// Shortfall returns how many classes are not learnt to the end.
func (l *linear) Shortfall() (never, unconverged int) {
	for _, x := range l.machines {
		if !x.Converged {
			unconverged++
		}
	}
	return 0, unconverged
}

func (l *linear) Warnings() (warnings []string) {
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
		l, ok := m.(*linear)
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

func (l *linear) NewScorer() Scorer { return linearScorer{l} }

type linearScorer struct{ l *linear }

func (s linearScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	l, x := s.l, &s.l.weights
	copy(scores, l.intercept)
	for i, column := range index {
		if int(column) >= l.columns {
			continue
		}
		from, to := x.start[column], x.start[column+1]
		class, weight := x.class[from:to], x.value[from:to]
		weight = weight[:len(class)]
		v := float64(value[i])
		for j, c := range class {
			scores[c] += float64(weight[j] * v)
		}
		evidence = evidence || len(class) > 0
	}
	return evidence
}

// Primal computes the objective that training minimises, by class, on the rows that the model
// was trained with. Less [MachineReport.Dual] it is what the optimum may at most be better by.
// A class that was not trained has 0.
func (l *linear) Primal(m *Matrix) ([]float64, error) {
	if err := fits(l, m); err != nil {
		return nil, err
	}
	objective, scores := make([]float64, len(l.classes)), make([]float64, len(l.classes))
	for i, c := range l.weights.class {
		objective[c] += float64(l.weights.value[i]*l.weights.value[i]) / 2
	}
	for c, b := range l.intercept {
		if l.options.Bias > 0 && !math.IsInf(b, 0) {
			w := b / l.options.Bias
			objective[c] += float64(w*w) / 2
		}
	}
	scorer := l.NewScorer()
	for i := range m.Rows() {
		index, value := m.Row(i)
		scorer.Score(index, value, scores)
		for c, score := range scores {
			margin, cost := -score, l.options.C
			if slices.Contains(m.Labels(i), uint32(c)) {
				margin, cost = score, l.options.C*l.options.Positive
			}
			loss := max(0, 1-margin)
			if l.options.Loss == L2Loss {
				loss *= loss
			}
			if l.machines[c].Rows > 0 {
				objective[c] += float64(cost * loss)
			}
		}
	}
	return objective, nil
}

// code codes the options, the rows without values, the reports, the intercepts, and the
// weights.
func (l *linear) code(c *coder) {
	o := &l.options
	c.string(&o.Loss)
	for _, v := range []*float64{&o.C, &o.Positive, &o.Eps, &o.Bias} {
		c.float(v)
	}
	c.count(&o.MaxSweeps)
	c.bool(&o.NoShrinking)
	c.uint64(&o.Seed)
	c.count(&l.zeros)
	if c.reads {
		l.alone, l.machines = true, make([]MachineReport, len(l.classes))
	}
	for i := range l.machines {
		x := &l.machines[i]
		c.count(&x.Rows)
		c.count(&x.Sweeps)
		c.bool(&x.Converged)
		c.count(&x.Support)
		c.float(&x.Dual)
	}
	c.floats(&l.intercept)
	l.weights.code(c, &l.header)
	if !c.hasRead() {
		return
	}
	if err := o.check(); err != nil {
		c.fail("%v", err)
	}
	if len(l.intercept) != len(l.classes) {
		c.fail("%d intercepts of %d classes", len(l.intercept), len(l.classes))
	}
	if slices.ContainsFunc(l.intercept, func(b float64) bool { return math.IsNaN(b) || math.IsInf(b, 1) }) {
		c.fail("an intercept that is no number")
	}
}
