package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
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
	if err := m.checkTraining(anyValue); err != nil {
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
	l := &linear{header: headerOf(kindSVM, m, true), options: o, zeros: empty(m)}
	l.options.Threads = 0 // no matter of the model
	found := make([]classCells, len(machines))
	for c, x := range machines {
		l.machines, l.intercept, found[c] = append(l.machines, x.report), append(l.intercept, x.intercept), x.weights
	}
	return l, l.weights.transpose(ctx, found, m.Columns)
}

// A machine is what was learnt for a class.
type machine struct {
	report
	weights   classCells // those that are not 0
	intercept float64    // the weight of the bias times its value
}

// A report says how the training of a class went.
type report struct {
	rows      int     // that have the class; if 0, the class was not trained
	sweeps    int     // over the rows that were not shrunk
	converged bool    // within Eps before MaxSweeps
	support   int     // rows with a dual variable that is not 0
	dual      float64 // the dual objective, a lower bound of the primal one
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
	y.rows = rows - x.rows
	if y.rows == 0 {
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
var untrained = machine{report: report{converged: true}, intercept: math.Inf(-1)}

// smallest is the absolute projected gradient up to which a dual variable is not changed.
const smallest = 1e-12

// A solver trains one class after the other, with memory that it keeps.
type solver struct {
	m      *Matrix
	square []float64 // x·x + B² of each row
	o      SVMOptions
	// The dual variables of negative and of positive rows have an upper bound and a
	// term on the diagonal of the dual problem: C and 0 with L1Loss, infinity and
	// 1/(2C) with L2Loss.
	bound, diagonal [2]float64

	w     []float64
	bias  float64 // the weight of the further column
	alpha []float64
	sign  []uint8  // of each row: 1 if it has the class
	order []uint32 // the rows in the order of the last sweep: those before active,
	// then those that were shrunk
	active int
	// above and below are the bounds of the projected gradients in the last sweep:
	// a row at a bound of its variable is shrunk where its gradient is beyond them.
	above, below float64
}

func newSolver(m *Matrix, square []float64, o SVMOptions) *solver {
	n := m.Rows()
	s := &solver{
		m: m, square: square, o: o,
		w: make([]float64, m.Columns), alpha: make([]float64, n), sign: make([]uint8, n), order: make([]uint32, n),
	}
	for sign, c := range [2]float64{o.C, o.C * o.Positive} {
		s.bound[sign] = c
		if o.Loss == L2Loss {
			s.bound[sign], s.diagonal[sign] = math.Inf(1), 1/(2*c)
		}
	}
	return s
}

// train solves the problem of a class.
func (s *solver) train(ctx context.Context, class int) (machine, error) {
	x := machine{report: report{rows: s.begin(class)}}
	if x.rows == 0 {
		return untrained, nil
	}
	random := rand.New(rand.NewPCG(s.o.Seed, uint64(class)))
	for x.sweeps < s.o.MaxSweeps && !x.converged {
		rows := s.order[:s.active]
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		highest, lowest, err := s.sweep(ctx)
		if err != nil {
			return machine{}, err
		}
		x.sweeps++
		x.converged = s.settle(highest, lowest)
	}
	x.dual, x.support = s.dual()
	x.intercept = s.bias * s.o.Bias
	for column, w := range s.w {
		if w != 0 {
			x.weights.columns, x.weights.values = append(x.weights.columns, uint32(column)), append(x.weights.values, w)
		}
	}
	return x, nil
}

// begin sets the start for a class and counts its rows.
func (s *solver) begin(class int) (rows int) {
	clear(s.w)
	clear(s.alpha)
	clear(s.sign)
	s.bias = 0
	for i := range s.order {
		s.order[i] = uint32(i)
		if slices.Contains(s.m.Labels(i), uint32(class)) {
			s.sign[i] = 1
			rows++
		}
	}
	s.restore()
	return rows
}

// restore makes every row active again.
func (s *solver) restore() {
	s.active = len(s.order)
	s.above, s.below = math.Inf(1), math.Inf(-1)
}

// watch is how many rows are visited between two checks of the context.
const watch = 256

// sweep visits every active row once and gives the range of the projected gradients,
// with 0 in it.
func (s *solver) sweep(ctx context.Context) (highest, lowest float64, err error) {
	for at, visited := 0, 0; at < s.active; visited++ {
		if visited%watch == 0 && ctx.Err() != nil {
			return 0, 0, usage.Cause(ctx)
		}
		gradient, shrink := s.visit(s.order[at])
		if shrink {
			s.active--
			s.order[at], s.order[s.active] = s.order[s.active], s.order[at]
			continue
		}
		highest, lowest = max(highest, gradient), min(lowest, gradient)
		at++
	}
	return highest, lowest, nil
}

// visit minimises the dual objective along the variable of a row. It gives the
// projected gradient before, or says that the row can be shrunk.
func (s *solver) visit(row uint32) (gradient float64, shrink bool) {
	index, value := s.m.Row(int(row))
	sign, alpha := s.sign[row], s.alpha[row]
	y := 2*float64(sign) - 1
	margin := y * (dot(s.w, index, value) + float64(s.bias*s.o.Bias))
	slope := margin - 1 + float64(s.diagonal[sign]*alpha)
	gradient = slope
	switch alpha {
	case 0:
		if slope > s.above {
			return 0, true
		}
		gradient = min(slope, 0)
	case s.bound[sign]:
		if slope < s.below {
			return 0, true
		}
		gradient = max(slope, 0)
	}
	if math.Abs(gradient) > smallest {
		// A row of zeros with L1Loss divides by 0: its variable goes to the bound.
		next := alpha - slope/(s.square[row]+s.diagonal[sign])
		next = min(max(next, 0), s.bound[sign])
		s.alpha[row] = next
		step := (next - alpha) * y
		add(s.w, index, value, step)
		s.bias += float64(step * s.o.Bias)
	}
	return gradient, false
}

// settle reports whether the sweep was the last one: the range of its gradients is at most
// Eps and no row was left out. Otherwise it prepares the next sweep.
func (s *solver) settle(highest, lowest float64) bool {
	if highest-lowest <= s.o.Eps {
		if s.active == len(s.order) {
			return true
		}
		s.restore()
		return false
	}
	s.above, s.below = highest, lowest
	if highest <= 0 {
		s.above = math.Inf(1)
	}
	if lowest >= 0 {
		s.below = math.Inf(-1)
	}
	return false
}

// dual returns the dual objective, whose optimum is that of the primal one, and the number
// of rows whose variable is not 0.
func (s *solver) dual() (value float64, support int) {
	for _, w := range s.w {
		value += float64(w * w)
	}
	value = -value/2 - float64(s.bias*s.bias)/2
	for i, alpha := range s.alpha {
		if alpha == 0 {
			continue
		}
		support++
		value += alpha - float64(s.diagonal[s.sign[i]]*alpha)*alpha/2
	}
	return value, support
}

// dot is the sum of the products, in two chains by the parity of the place: one
// alone waits for its own additions.
func dot(w []float64, index []uint32, value []float32) float64 {
	var even, odd float64
	value = value[:len(index)]
	i := 0
	for ; i+1 < len(index); i += 2 {
		even += float64(w[index[i]] * float64(value[i]))
		odd += float64(w[index[i+1]] * float64(value[i+1]))
	}
	if i < len(index) {
		even += float64(w[index[i]] * float64(value[i]))
	}
	return even + odd
}

// add adds step times the row to w.
func add(w []float64, index []uint32, value []float32, step float64) {
	value = value[:len(index)]
	for i, column := range index {
		w[column] += float64(step * float64(value[i]))
	}
}

// squares gives x·x + B² of every row.
func squares(m *Matrix, bias float64) []float64 {
	squares := make([]float64, m.Rows())
	for i := range squares {
		squares[i] = float64(bias * bias)
		_, value := m.Row(i)
		for _, v := range value {
			squares[i] += float64(float64(v) * float64(v))
		}
	}
	return squares
}

// linear is a linear SVM, one machine for each class. The score of a class is its
// decision value, w·x + b: above 0 assigns it. A row none of whose columns has a
// weight gives no evidence.
type linear struct {
	header
	options   SVMOptions
	machines  []report
	zeros     int       // training rows without values
	intercept []float64 // of each class
	weights   cells
}

func (l *linear) shortfall() (never, unconverged int) {
	for _, x := range l.machines {
		if !x.converged {
			unconverged++
		}
	}
	return 0, unconverged
}

func (l *linear) Warnings() (warnings []string) {
	var empty []string
	for c, x := range l.machines {
		if x.rows == 0 {
			empty = append(empty, l.classes[c])
		}
	}
	if len(empty) > 0 {
		warnings = append(warnings, fmt.Sprintf("%d classes have no training documents (%s): they are never predicted", len(empty), some(empty)))
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
			if x.rows > 0 && !x.converged {
				classes, o = append(classes, l.classes[c]), l.options
			}
		}
	}
	if len(classes) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d classes are not within eps %v after %d sweeps (%s): scale the rows to unit length, or raise sweeps or eps",
		len(classes), o.Eps, o.MaxSweeps, some(classes))}
}

func (l *linear) newScorer() scorer { return l.score }

func (l *linear) score(index []uint32, value []float32, scores []float64) (evidence bool) {
	x := &l.weights
	copy(scores, l.intercept)
	for i, column := range index {
		x.add(scores, column, float64(value[i]))
		evidence = evidence || x.start[column] < x.start[column+1]
	}
	return evidence
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
	var unused bool // of version 1, which stays
	c.bool(&unused)
	c.uint64(&o.Seed)
	c.count(&l.zeros)
	if c.reads {
		l.alone, l.machines = true, make([]report, len(l.classes))
	}
	for i := range l.machines {
		x := &l.machines[i]
		c.count(&x.rows)
		c.count(&x.sweeps)
		c.bool(&x.converged)
		c.count(&x.support)
		c.float(&x.dual)
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
