package papers

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/engine/classify"
)

// oversampling and powers are those of principalAxes: with both the axes of text, whose
// singular values fall slowly, come out to a few digits (Halko, Martinsson and Tropp,
// SIAM Review 53(2), 2011, algorithm 4.4).
const (
	oversampling = 10
	powers       = 3
)

// nothing is the share of the largest singular value below which one is rounding.
const nothing = 1e-12

// principalAxes gives the first right singular vectors of the rows, as the columns of a
// matrix of columns x dimensions, or fewer where the rows have fewer, by a randomised
// search of their range: the axes are those of the rows within it.
func principalAxes(ctx context.Context, m *classify.Matrix, dimensions int) (*mat.Dense, error) {
	width := min(dimensions+oversampling, m.Rows(), m.Columns)
	random := rand.New(rand.NewPCG(1, 2))
	z := mat.NewDense(m.Columns, width, nil)
	z.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, z)
	for range powers {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		z = orthonormal(transposedTimes(m, orthonormal(times(m, z))))
	}
	var within mat.SVD
	if !within.Factorize(times(m, z), mat.SVDThinV) {
		return nil, fmt.Errorf("no singular value decomposition of %d rows of %d columns was found", m.Rows(), m.Columns)
	}
	var vectors, axes mat.Dense
	within.VTo(&vectors)
	kept := max(min(dimensions, within.Rank(nothing)), 1)
	axes.Mul(z, vectors.Slice(0, width, 0, kept))
	return &axes, nil
}

// times gives the rows times a matrix.
func times(m *classify.Matrix, z *mat.Dense) *mat.Dense {
	_, columns := z.Dims()
	out := mat.NewDense(m.Rows(), columns, nil)
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, c := range index {
			floats.AddScaled(out.RawRowView(i), float64(value[j]), z.RawRowView(int(c)))
		}
	}
	return out
}

// transposedTimes gives the transpose of the rows times a matrix.
func transposedTimes(m *classify.Matrix, y *mat.Dense) *mat.Dense {
	_, columns := y.Dims()
	out := mat.NewDense(m.Columns, columns, nil)
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, c := range index {
			floats.AddScaled(out.RawRowView(int(c)), float64(value[j]), y.RawRowView(i))
		}
	}
	return out
}

// orthonormal makes an orthonormal basis of the columns, in place. mat.QR would give
// all of Q, rows x rows.
func orthonormal(y *mat.Dense) *mat.Dense {
	_, columns := y.Dims()
	a, tau, size := y.RawMatrix(), make([]float64, columns), []float64{0}
	lapack64.Geqrf(a, tau, size, -1) // asks for the size of the work space
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(a, tau, work, len(work))
	lapack64.Orgqr(a, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(a, tau, work, len(work))
	return y
}
