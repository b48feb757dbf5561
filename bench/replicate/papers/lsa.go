package papers

import (
	"context"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
)

// latent classifies by latent semantic analysis: the best terms by a method become the
// step's Dimensions by a truncated singular value decomposition of the training rows,
// on which a linear SVM learns. "NAME svm K" as for a projection.
func (r *runner) latent(ctx context.Context, s *Step, d division) error {
	if d.test == nil {
		return errNoTest
	}
	o, err := scoring(s.Methods[0], r.opt.Threads)
	if err != nil {
		return err
	}
	for _, k := range s.Features {
		r.opt.Progress(s.Name + ": " + sizeName(k))
		start := time.Now()
		selection, err := d.train.Select(ctx, engine.Selecting{Scoring: o, K: k})
		if err != nil {
			return err
		}
		rows := func(c *engine.Corpus) (*classify.Matrix, error) {
			t, err := engine.NewTransformer(selection, s.Weight)
			if err != nil {
				return nil, err
			}
			return classify.Collect(t.Corpus(ctx, c), len(selection.Features), selection.Classes)
		}
		train, err := rows(d.train)
		if err != nil {
			return err
		}
		axes, err := principalAxes(ctx, train, s.Dimensions)
		if err != nil {
			return err
		}
		err = r.svm(ctx, s.Name+" svm "+sizeName(k), start, func() (*classify.Matrix, error) { return onAxes(train, axes), nil }, func() (*classify.Matrix, error) {
			m, err := rows(d.test)
			if err != nil {
				return nil, err
			}
			return onAxes(m, axes), nil
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
