package rank

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// Sourced is p with the values of f in place of those that cells give: by class, or a single one
// if f is of a measure over all classes. f returns an error for terms that it cannot read.
func (p Plan) Sourced(byClass bool, open error, f func(s *table.Table, t int) (values []float64, signs []int, err error)) Plan {
	p.measure, p.info.Combinable = nil, byClass
	p.source = &source{info: p.info, open: func(_ context.Context, _ Counted, s *table.Table) (sourced, error) {
		return func() termReader {
			return func(of []sourcedValue, t int) error {
				values, signs, err := f(s, t)
				if err != nil {
					return err
				}
				for i, v := range values {
					of[i] = sourcedValue{value: v, sign: signs[i]}
				}
				return nil
			}
		}, open
	}}
	return p
}

// Explained is what an explanation says of a term.
func (r *Ranking) Explained(ctx context.Context, c Counted, t int) (Explained, error) {
	return r.explained(ctx, c, t)
}

// CellsTell reports whether cells tell the k best terms of some class.
func (p Plan) CellsTell(ctx context.Context, s *table.Table, k int) bool {
	found, err := p.topOfCells(ctx, s, k)
	return err == nil && slices.ContainsFunc(found, func(best []Candidate) bool { return len(best) == k })
}
