package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// The losses of a linear SVM, of a margin y(w·x + b).
const (
	L2Loss = "l2" // max(0, 1 - margin)², the squared hinge
	L1Loss = "l1" // max(0, 1 - margin), the hinge
)

// SVMOptions say what a linear SVM minimises and how well. The zero value is the
// squared hinge with C = 1 and no bias.
type SVMOptions struct {
	// Loss is L2Loss or L1Loss; "" is L2Loss.
	Loss string
	// C is the cost of the loss against the size of w; 0 is 1.
	C float64
	// SVMlightC takes for C what SVMlight takes unless it is told: one over the mean of x·x over all rows (Joachims,
	// "Making large-scale SVM learning practical", 1999); 1 for rows without values.
	SVMlightC bool
	// Positive multiplies the C of the rows that have the class, which are often
	// fewer than the others; 0 is 1.
	Positive float64
	// Eps is how far a projected gradient may be from 0 in the end: the range of
	// them, over all rows, is at most Eps. 0 is 1e-3, which gives an objective that
	// is right to about seven digits with L2Loss. LIBLINEAR's own default is 0.1,
	// that of scikit-learn's LinearSVC 1e-4.
	Eps float64
	// Bias is the value B of a further column that every row has; its weight is
	// regularised like the others. 0 is none, LIBLINEAR's -B -1; LinearSVC's is 1.
	Bias float64
	// MaxSweeps bounds the passes over the rows for a class; 0 is 1000. A class that
	// needs more is reported.
	MaxSweeps int
	// NoShrinking visits every row in every sweep; for comparisons.
	NoShrinking bool
	// Seed orders the rows.
	Seed uint64
	// Threads is the number of goroutines, of which each trains a class at a time;
	// 0 is GOMAXPROCS.
	Threads int
}

// lightC returns the C of SVMlightC.
func lightC(m *Matrix) float64 {
	sum := 0.0
	for _, square := range squares(m, 0) {
		sum += square
	}
	if sum == 0 {
		return 1
	}
	return float64(m.Rows()) / sum
}

func (o SVMOptions) withDefaults() SVMOptions {
	o.Loss = cmp.Or(o.Loss, L2Loss)
	o.C, o.Positive, o.Eps = cmp.Or(o.C, 1), cmp.Or(o.Positive, 1), cmp.Or(o.Eps, 1e-3)
	o.MaxSweeps = cmp.Or(o.MaxSweeps, 1000)
	return o
}

func (o SVMOptions) check() error {
	if o.Loss != L1Loss && o.Loss != L2Loss {
		return &usage.UnknownError{Kind: "loss", Name: o.Loss, Known: []string{L1Loss, L2Loss}}
	}
	for _, v := range []struct {
		name  string
		value float64
		zero  bool
	}{{"C", o.C, false}, {"Positive", o.Positive, false}, {"Eps", o.Eps, false}, {"Bias", o.Bias, true}} {
		if !(v.value > 0 || v.zero && v.value == 0) || math.IsInf(v.value, 1) {
			return usage.Errorf("SVM: %s is %v; it must be positive and finite", v.name, v.value)
		}
	}
	if o.MaxSweeps < 0 {
		return usage.Errorf("SVM: MaxSweeps is %d; it must be positive", o.MaxSweeps)
	}
	return nil
}

// trainSVM learns one linear machine for each class, the rows of the class against all
// others: it minimises
//
//	½ w·w + Σ C_i loss(y_i (w·x_i + b))
//
// by dual coordinate descent (Hsieh et al., ICML 2008), the weight of the bias within
// w. A row with several labels is positive for each of them, one without is negative
// for all. A class without rows is not trained: its score is -Inf. Two classes that
// share the rows out among them need one machine. The model is the same for any
// number of threads.
func trainSVM(ctx context.Context, m *Matrix, o SVMOptions) (*linear, error) {
	o = o.withDefaults()
	if err := cmp.Or(o.check(), m.checkTraining()); err != nil {
		return nil, err
	}
	if o.SVMlightC {
		o.C, o.SVMlightC = lightC(m), false
	}
	machines := make([]machine, len(m.Classes))
	err := pool.Stage(ctx, "svm", func(ctx context.Context) error {
		return trainAll(ctx, m, o, machines)
	})
	if err != nil {
		return nil, err
	}
	return newLinear(ctx, m, o, machines)
}

// A machine is what was learnt for a class.
type machine struct {
	MachineReport
	weights   foundCells // those that are not 0
	intercept float64    // the weight of the bias times its value
}

// A MachineReport says how the training of a class went.
type MachineReport struct {
	Rows      int     // that have the class; if 0, the class was not trained
	Sweeps    int     // over the rows that were not shrunk
	Converged bool    // within Eps before MaxSweeps
	Support   int     // rows with a dual variable that is not 0
	Dual      float64 // the dual objective, a lower bound of the primal one
}

func trainAll(ctx context.Context, m *Matrix, o SVMOptions, machines []machine) error {
	square := squares(m, o.Bias)
	threads := pool.Threads(o.Threads)
	solvers := make([]*solver, threads)
	trained := len(machines)
	mirrored := halves(m) && o.Positive == 1
	if mirrored {
		trained = 1
	}
	err := pool.Run(ctx, threads, trained, func(worker, class int) (err error) {
		if solvers[worker] == nil {
			solvers[worker] = newSolver(m, square, o)
		}
		machines[class], err = solvers[worker].train(ctx, class)
		return err
	})
	if mirrored && err == nil {
		machines[1] = machines[0].mirrored(m.Rows())
	}
	return err
}

// halves reports whether there are two classes and every row has exactly one of them. Then
// the machine of the second class is the negative of the first.
func halves(m *Matrix) bool {
	for i := range m.Rows() {
		if len(m.Labels(i)) != 1 {
			return false
		}
	}
	return len(m.Classes) == 2
}

// mirrored returns the machine of the other class of two.
func (x machine) mirrored(rows int) machine {
	y := x
	y.Rows = rows - x.Rows
	if y.Rows == 0 {
		return untrained
	}
	y.intercept = 0 - x.intercept // not -0
	y.weights.values = make([]float64, len(x.weights.values))
	for i, w := range x.weights.values {
		y.weights.values[i] = -w
	}
	return y
}

// untrained is the machine of a class without rows, which no row is given.
var untrained = machine{MachineReport: MachineReport{Converged: true}, intercept: math.Inf(-1)}

// machine returns the weights other than 0 with a report.
func (s *solver) machine(report MachineReport) machine {
	n := 0
	for _, w := range s.w {
		if w != 0 {
			n++
		}
	}
	x := machine{MachineReport: report, intercept: s.bias * s.o.Bias}
	x.weights.columns, x.weights.values = make([]uint32, 0, n), make([]float64, 0, n)
	for column, w := range s.w {
		if w != 0 {
			x.weights.columns, x.weights.values = append(x.weights.columns, uint32(column)), append(x.weights.values, w)
		}
	}
	return x
}

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
