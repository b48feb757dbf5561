package classify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

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
	report := MachineReport{Rows: s.begin(class)}
	if report.Rows == 0 {
		return untrained, nil
	}
	random := rand.New(rand.NewPCG(s.o.Seed, uint64(class)))
	for report.Sweeps < s.o.MaxSweeps && !report.Converged {
		rows := s.order[:s.active]
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		highest, lowest, err := s.sweep(ctx)
		if err != nil {
			return machine{}, err
		}
		report.Sweeps++
		report.Converged = s.settle(highest, lowest)
	}
	report.Dual, report.Support = s.dual()
	return s.machine(report), nil
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
	if s.o.NoShrinking {
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
	value = -halfSquare(s.w) - float64(s.bias*s.bias)/2
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

// halfSquare is w·w/2.
func halfSquare(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += float64(x * x)
	}
	return sum / 2
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
