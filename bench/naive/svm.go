package naive

import "math"

// SVMOptions say what an SVM minimises: ½ w·w + Σ C_i loss.
type SVMOptions struct {
	L1       bool    // the hinge; else its square
	C        float64 // the cost of a loss
	Positive float64 // what it is multiplied by for positive rows
	Bias     float64 // the value of a further column; 0 is none
	Gap      float64 // at which to stop: of primal and dual objective, relative
}

// An SVM is the optimum of one binary problem.
type SVM struct {
	W            []float64
	B            float64 // the weight of the further column
	Alpha        []float64
	Primal, Dual float64
}

// TrainSVM solves the dual problem over a table of all inner products: every step
// minimises along the variable whose projected gradient is the largest, until the
// objectives agree. rows are dense, positive says which of them are of the class.
func TrainSVM(rows [][]float64, positive []bool, o SVMOptions) SVM {
	p := svmProblem{rows: rows, o: o, q: matrix(len(rows), len(rows))}
	for i := range rows {
		y, c := -1., o.C
		if positive[i] {
			y, c = 1, o.C*o.Positive
		}
		p.y, p.c = append(p.y, y), append(p.c, c)
	}
	for i := range rows {
		for j := range rows {
			p.q[i][j] = p.y[i] * p.y[j] * (inner(rows[i], rows[j]) + o.Bias*o.Bias)
		}
		if !o.L1 {
			p.q[i][i] += 1 / (2 * p.c[i])
		}
	}
	alpha, gradient := make([]float64, len(rows)), make([]float64, len(rows))
	for step := 0; ; step++ {
		if step%100 == 0 {
			x := p.solution(alpha)
			if x.Primal-x.Dual <= o.Gap*math.Max(1, x.Primal) || step == 2_000_000 {
				return x
			}
			for i := range gradient {
				gradient[i] = inner(p.q[i], alpha) - 1
			}
		}
		p.step(alpha, gradient)
	}
}

type svmProblem struct {
	rows [][]float64
	o    SVMOptions
	y, c []float64
	q    [][]float64
}

// bound is the largest value of a dual variable.
func (p svmProblem) bound(i int) float64 {
	if p.o.L1 {
		return p.c[i]
	}
	return math.Inf(1)
}

// step changes the variable with the largest projected gradient.
func (p svmProblem) step(alpha, gradient []float64) {
	best, size := 0, 0.
	for i, g := range gradient {
		if alpha[i] == 0 && g > 0 || alpha[i] == p.bound(i) && g < 0 {
			continue
		}
		if math.Abs(g) > size {
			best, size = i, math.Abs(g)
		}
	}
	if size == 0 {
		return
	}
	// No curvature: all the way to the bound.
	next := p.bound(best)
	if p.q[best][best] > 0 {
		next = alpha[best] - gradient[best]/p.q[best][best]
	}
	next = math.Min(math.Max(next, 0), p.bound(best))
	for i := range gradient {
		gradient[i] += p.q[best][i] * (next - alpha[best])
	}
	alpha[best] = next
}

// solution gives the weights of dual variables and both objectives.
func (p svmProblem) solution(alpha []float64) SVM {
	x := SVM{W: make([]float64, len(p.rows[0])), Alpha: alpha}
	for i, row := range p.rows {
		for t, v := range row {
			x.W[t] += alpha[i] * p.y[i] * v
		}
		x.B += alpha[i] * p.y[i] * p.o.Bias
	}
	x.Primal = (inner(x.W, x.W) + x.B*x.B) / 2
	for i, row := range p.rows {
		loss := math.Max(0, 1-p.y[i]*(inner(x.W, row)+x.B*p.o.Bias))
		if !p.o.L1 {
			loss *= loss
		}
		x.Primal += p.c[i] * loss
		x.Dual += alpha[i] - alpha[i]*inner(p.q[i], alpha)/2
	}
	return x
}

func inner(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
