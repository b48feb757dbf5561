package papers

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/termsift/termsift/engine/classify"
)

// A dense matrix, row by row.
type dense struct {
	columns int
	data    []float64
}

func newDense(rows, columns int) *dense { return &dense{columns, make([]float64, rows*columns)} }

func (d *dense) rows() int           { return len(d.data) / d.columns }
func (d *dense) row(i int) []float64 { return d.data[i*d.columns : (i+1)*d.columns] }

func dot(x, y []float64) (total float64) {
	for i, v := range x {
		total += v * y[i]
	}
	return total
}

func addScaled(dst []float64, by float64, x []float64) {
	for i, v := range x {
		dst[i] += by * v
	}
}

// oversampling and powers are those of principalAxes: with both the axes of text, whose
// singular values fall slowly, come out to a few digits (Halko, Martinsson and Tropp,
// SIAM Review 53(2), 2011, algorithm 4.4).
const (
	oversampling = 10
	powers       = 3
)

// principalAxes gives the first right singular vectors of the rows, as the columns of a
// matrix of columns x dimensions, by a randomised search of their range: the axes of the
// rows within it are the eigenvectors of a small symmetric matrix.
func principalAxes(ctx context.Context, m *classify.Matrix, dimensions int) (*dense, error) {
	width := min(dimensions+oversampling, m.Rows(), m.Columns)
	random := rand.New(rand.NewPCG(1, 2))
	z := newDense(m.Columns, width)
	for i := range z.data {
		z.data[i] = random.NormFloat64()
	}
	for range powers {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		z = orthonormal(transposedTimes(m, orthonormal(times(m, z))))
	}
	y := times(m, z)
	gram := newDense(width, width)
	for i := range y.rows() {
		for j, v := range y.row(i) {
			addScaled(gram.row(j), v, y.row(i))
		}
	}
	order, vectors := eigen(gram)
	axes := newDense(m.Columns, min(dimensions, width))
	for i := range axes.rows() {
		for j, from := range order[:axes.columns] {
			for k, v := range z.row(i) {
				axes.row(i)[j] += v * vectors.row(k)[from]
			}
		}
	}
	return axes, nil
}

// times gives the rows times a matrix.
func times(m *classify.Matrix, z *dense) *dense {
	out := newDense(m.Rows(), z.columns)
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, c := range index {
			addScaled(out.row(i), float64(value[j]), z.row(int(c)))
		}
	}
	return out
}

// transposedTimes gives the transpose of the rows times a matrix.
func transposedTimes(m *classify.Matrix, y *dense) *dense {
	out := newDense(m.Columns, y.columns)
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, c := range index {
			addScaled(out.row(int(c)), float64(value[j]), y.row(i))
		}
	}
	return out
}

// orthonormal makes the columns orthonormal, in place, by Gram and Schmidt's method,
// twice for its rounding. A column that is within those before becomes 0.
func orthonormal(y *dense) *dense {
	basis := make([][]float64, y.columns)
	for j := range basis {
		x := make([]float64, y.rows())
		for i := range x {
			x[i] = y.row(i)[j]
		}
		before := math.Sqrt(dot(x, x))
		for range 2 {
			for _, b := range basis[:j] {
				addScaled(x, -dot(b, x), b)
			}
		}
		after := math.Sqrt(dot(x, x))
		for i := range x {
			if x[i] /= after; after <= 1e-12*before {
				x[i] = 0
			}
			y.row(i)[j] = x[i]
		}
		basis[j] = x
	}
	return y
}

// eigen gives the eigenvectors of a symmetric matrix, which it destroys, as columns, and
// their order by eigenvalue, the largest first. It is Jacobi's method: rotations in the
// plane of two axes until nothing is left beside the diagonal.
func eigen(a *dense) (order []int, vectors *dense) {
	n := a.columns
	vectors = newDense(n, n)
	for i := range n {
		vectors.row(i)[i] = 1
	}
	total := dot(a.data, a.data)
	for beside := total; beside > 1e-28*total; {
		beside = 0
		for p := range n {
			for q := range p {
				beside += 2 * a.row(p)[q] * a.row(p)[q]
				rotate(a, vectors, p, q)
			}
		}
	}
	order = make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.row(j)[j], a.row(i)[i]) })
	return order, vectors
}

// rotate turns the axes p and q so that a[p][q] becomes 0.
func rotate(a, vectors *dense, p, q int) {
	if a.row(p)[q] == 0 {
		return
	}
	angle := math.Atan2(2*a.row(p)[q], a.row(q)[q]-a.row(p)[p]) / 2
	sin, cos := math.Sincos(angle)
	for k := range a.columns {
		a.row(k)[p], a.row(k)[q] = cos*a.row(k)[p]-sin*a.row(k)[q], sin*a.row(k)[p]+cos*a.row(k)[q]
		vectors.row(k)[p], vectors.row(k)[q] = cos*vectors.row(k)[p]-sin*vectors.row(k)[q], sin*vectors.row(k)[p]+cos*vectors.row(k)[q]
	}
	for k := range a.columns {
		a.row(p)[k], a.row(q)[k] = cos*a.row(p)[k]-sin*a.row(q)[k], sin*a.row(p)[k]+cos*a.row(q)[k]
	}
}
