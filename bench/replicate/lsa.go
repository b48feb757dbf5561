package main

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A turning makes other rows of rows.
type turning func(m *classify.Matrix) *classify.Matrix

// latent classifies by latent semantic analysis: the best terms by a method become the
// step's Dimensions by a truncated singular value decomposition of the training rows,
// on which a linear SVM learns. "NAME svm K" as for a projection.
func (r *runner) latent(ctx context.Context, s *Step, d division) {
	r.selected(ctx, s, d, func(train *classify.Matrix) turning {
		axes := principalAxes(ctx, train, s.Dimensions)
		return func(m *classify.Matrix) *classify.Matrix { return onAxes(m, axes) }
	})
}

// filtered classifies by a linear SVM on the best terms by a method, with the steps and
// the figures of a projection: "NAME svm K".
func (r *runner) filtered(ctx context.Context, s *Step, d division) {
	r.selected(ctx, s, d, func(*classify.Matrix) turning {
		return func(m *classify.Matrix) *classify.Matrix { return m }
	})
}

// selected classifies by a linear SVM on rows of the best terms, turned by what learn
// makes of those of the training part.
func (r *runner) selected(ctx context.Context, s *Step, d division, learn func(train *classify.Matrix) turning) {
	o := scoring(s.Methods[0])
	for _, k := range s.Features {
		var chosen *selection.Selection
		var turn turning
		r.svm(ctx, s.Name+" svm "+sizeName(k), d, func() {
			chosen = lab.Need(selection.Select(ctx, d.train, selection.Options{By: o, Keep: selection.Best(k)}))
		}, func(c *corpus.Corpus) *classify.Matrix {
			t := lab.Need(vectors.New(chosen, table.Weighting(s.Weight)))
			m := lab.Need(classify.Collect(t.Corpus(ctx, c), len(chosen.Features), chosen.Classes))
			if turn == nil { // the training part is the first
				turn = learn(m)
			}
			return turn(m)
		})
	}
}

// onAxes turns rows to the axes, each of unit length.
func onAxes(m *classify.Matrix, axes *mat.Dense) *classify.Matrix {
	y := times(m, axes)
	_, columns := axes.Dims()
	out := &classify.Matrix{Columns: columns, Classes: m.Classes, Start: []int{0}, LabelStart: m.LabelStart, LabelOf: m.LabelOf}
	for i := range m.Rows() {
		row := y.RawRowView(i)
		length := floats.Norm(row, 2)
		for j, v := range row {
			if scaled := float32(v / length); length > 0 && scaled != 0 {
				out.Index, out.Value = append(out.Index, uint32(j)), append(out.Value, scaled)
			}
		}
		out.Start = append(out.Start, len(out.Index))
	}
	return out
}

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
func principalAxes(ctx context.Context, m *classify.Matrix, dimensions int) *mat.Dense {
	width := min(dimensions+oversampling, m.Rows(), m.Columns)
	random := rand.New(rand.NewPCG(1, 2))
	z := mat.NewDense(m.Columns, width, nil)
	z.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, z)
	for range powers {
		lab.Check(context.Cause(ctx))
		z = orthonormal(transposedTimes(m, orthonormal(times(m, z))))
	}
	var within mat.SVD
	if !within.Factorize(times(m, z), mat.SVDThinV) {
		panic(lab.Errorf("no singular value decomposition of %d rows of %d columns was found", m.Rows(), m.Columns))
	}
	var vectors, axes mat.Dense
	within.VTo(&vectors)
	kept := max(min(dimensions, within.Rank(nothing)), 1)
	axes.Mul(z, vectors.Slice(0, width, 0, kept))
	return &axes
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
