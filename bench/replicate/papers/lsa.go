package papers

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// A turning makes other rows of rows.
type turning func(m *classify.Matrix) *classify.Matrix

// latent classifies by latent semantic analysis: the best terms by a method become the
// step's Dimensions by a truncated singular value decomposition of the training rows,
// on which a linear SVM learns. "NAME svm K" as for a projection.
func (r *runner) latent(ctx context.Context, s *Step, d division) error {
	return r.selected(ctx, s, d, func(train *classify.Matrix) (turning, error) {
		axes, err := principalAxes(ctx, train, s.Dimensions)
		return func(m *classify.Matrix) *classify.Matrix { return onAxes(m, axes) }, err
	})
}

// filtered classifies by a linear SVM on the best terms by a method, with the steps and
// the figures of a projection: "NAME svm K".
func (r *runner) filtered(ctx context.Context, s *Step, d division) error {
	return r.selected(ctx, s, d, func(*classify.Matrix) (turning, error) {
		return func(m *classify.Matrix) *classify.Matrix { return m }, nil
	})
}

// selected classifies by a linear SVM on rows of the best terms, turned by what learn
// makes of those of the training part.
func (r *runner) selected(ctx context.Context, s *Step, d division, learn func(train *classify.Matrix) (turning, error)) error {
	if d.test == nil {
		return errNoTest
	}
	o, err := scoring(s.Methods[0])
	if err != nil {
		return err
	}
	for _, k := range s.Features {
		var chosen *selection.Selection
		var turn turning
		err := r.svm(ctx, s.Name+" svm "+sizeName(k), d, func() (err error) {
			chosen, err = selection.Select(ctx, d.train, selection.Options{By: o, Keep: selection.Best(k)})
			return err
		}, func(c *corpus.Corpus) (*classify.Matrix, error) {
			t, err := vectors.New(chosen, vectors.Weighting(s.Weight))
			if err != nil {
				return nil, err
			}
			m, err := classify.Collect(t.Corpus(ctx, c), len(chosen.Features), chosen.Classes)
			if err == nil && turn == nil { // the training part is the first
				turn, err = learn(m)
			}
			if err != nil {
				return nil, err
			}
			return turn(m), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
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
