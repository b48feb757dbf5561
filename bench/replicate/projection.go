package main

import (
	"context"
	"iter"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// projecting classifies by term projection: "NAME rule T" by the largest weight, with micro, train and predict (seconds
// of CPU) and terms (that were projected), and "NAME svm T" by a linear SVM on the vectors over the classes. T is the
// number of terms to project.
func projecting(o projection.Options, features ...int) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		for _, k := range features {
			o := o
			o.K = k
			m.byRule(ctx, name+" rule "+sizeName(k), d, o)
			o.Unit = true
			var p *projection.Projection
			m.linear(ctx, name+" svm "+sizeName(k), d, func() { p = testkit.Must(projection.Project(ctx, d.train, o)) }, func(c *corpus.Corpus) *learn.Matrix {
				return testkit.Must(learn.Collect(rowsOf(p.Corpus(ctx, c)), len(p.Classes), p.Classes))
			})
		}
	}
}

// byRule predicts the class with the largest weight.
func (m *measuring) byRule(ctx context.Context, name string, d division, o projection.Options) {
	start := pool.CPU()
	p := testkit.Must(projection.Project(ctx, d.train, o))
	trained := pool.CPU() - start
	start = pool.CPU()
	var score projection.RuleScore
	for v, err := range p.Corpus(ctx, d.test) {
		testkit.OK(err)
		score.Add(v)
	}
	m.figures.set(trained.Seconds(), name, "train")
	m.figures.set((pool.CPU() - start).Seconds(), name, "predict")
	m.figures.set(100*score.MicroF1(), name, "micro")
	m.figures.set(float64(len(p.Terms)), name, "terms")
}

func rowsOf(rows iter.Seq2[projection.Vector, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		for v, err := range rows {
			if !yield(v.Row, err) {
				return
			}
		}
	}
}

// linear trains a linear SVM on the rows of the training part, which rows makes of what choose has chosen, and tests it
// on those of the test part: micro and macro, and train and predict, the seconds of CPU from documents that are counted
// to a model and from there to classes. Whatever rows are made of, the work has the same beginning and end.
func (m *measuring) linear(ctx context.Context, name string, d division, choose func(), rows func(c *corpus.Corpus) *learn.Matrix) {
	start := pool.CPU()
	choose()
	train := rows(d.train)
	model := testkit.Must(learn.Learner{Kind: "svm", SVM: learn.SVMOptions{Loss: learn.L1Loss, Bias: 1}}.Train(ctx, train, learn.TrainOptions{}))
	trained := pool.CPU() - start
	start = pool.CPU()
	test := rows(d.test)
	predictions := testkit.Must(learn.Predict(ctx, model, test, learn.PredictOptions{}))
	m.figures.set(trained.Seconds(), name, "train")
	m.figures.set((pool.CPU() - start).Seconds(), name, "predict")
	m.told(name, test, func(i int) []int { return []int{int(predictions.Best[i])} })
}

// told keeps the figures of the classes that were said of test documents.
func (m *measuring) told(name string, test *learn.Matrix, said func(i int) []int) {
	right, predicted := make([][]int, test.Rows()), make([][]int, test.Rows())
	for i := range right {
		right[i], predicted[i] = ints(test.Labels(i)), said(i)
	}
	m.classified(name, testkit.Must(learn.Multi(test.Classes, right, predicted)))
}

// selected classifies by a linear SVM on rows of the best terms by a method: "NAME svm K" as for a projection. Unless
// 0, they become so many dimensions by a truncated singular value decomposition of the training rows: latent semantic
// analysis.
func selected(weight, by string, dimensions int, features ...int) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		for _, k := range features {
			var chosen *selection.Selection
			var axes *mat.Dense
			m.linear(ctx, name+" svm "+sizeName(k), d, func() {
				chosen = testkit.Must(selection.Select(ctx, d.train, selection.Options{By: scoring(by), Keep: selection.Best(k)}))
			}, func(c *corpus.Corpus) *learn.Matrix {
				t := testkit.Must(vectors.New(chosen, table.Weighting(weight)))
				rows := testkit.Must(learn.Collect(t.Corpus(ctx, c), len(chosen.Features), chosen.Classes))
				if dimensions == 0 {
					return rows
				}
				if axes == nil { // the training part is the first
					axes = principalAxes(ctx, rows, dimensions)
				}
				return onAxes(rows, axes)
			})
		}
	}
}

// onAxes turns rows to the axes, each of unit length.
func onAxes(m *learn.Matrix, axes *mat.Dense) *learn.Matrix {
	y := product(m, axes)
	_, columns := axes.Dims()
	out := &learn.Matrix{Columns: columns, Classes: m.Classes, Start: []int{0}, LabelStart: m.LabelStart, LabelOf: m.LabelOf}
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
func principalAxes(ctx context.Context, m *learn.Matrix, dimensions int) *mat.Dense {
	width := min(dimensions+oversampling, m.Rows(), m.Columns)
	random := rand.New(rand.NewPCG(1, 2))
	z := mat.NewDense(m.Columns, width, nil)
	z.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, z)
	for range powers {
		testkit.OK(context.Cause(ctx))
		z = orthonormal(transposedProduct(m, orthonormal(product(m, z))))
	}
	var within mat.SVD
	if !within.Factorize(product(m, z), mat.SVDThinV) {
		fail("no singular value decomposition of %d rows of %d columns was found", m.Rows(), m.Columns)
	}
	var vectors, axes mat.Dense
	within.VTo(&vectors)
	kept := max(min(dimensions, within.Rank(nothing)), 1)
	axes.Mul(z, vectors.Slice(0, width, 0, kept))
	return &axes
}

// product gives the rows times a matrix.
func product(m *learn.Matrix, z *mat.Dense) *mat.Dense {
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

// transposedProduct gives the transpose of the rows times a matrix.
func transposedProduct(m *learn.Matrix, y *mat.Dense) *mat.Dense {
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
