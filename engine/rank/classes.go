package rank

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Class ranks all terms by their value for one class, including terms that do not occur in
// it. For an unknown class the error is a [usage.UnknownError].
func Class(ctx context.Context, c Counted, class string, o Options) (*Ranking, error) {
	o.Combine = ByClass
	p, err := o.Resolve()
	if err != nil {
		return nil, err
	}
	return p.Class(ctx, c, class)
}

// Class is like the function [Class] for options that are already resolved, with the
// combination ByClass.
func (p Plan) Class(ctx context.Context, c Counted, class string) (*Ranking, error) {
	if c == nil {
		return nil, errNoStatistics
	}
	s, err := c.Statistics(ctx, corpus.CountOptions{Threads: p.threads})
	if err != nil {
		return nil, err
	}
	if len(s.Classes()) == 0 {
		return nil, p.checkTarget(s)
	}
	k, ok := slices.BinarySearch(s.Classes(), class)
	if !ok {
		return nil, usage.Unknown("class", class, s.Classes())
	}
	rankings, err := p.Classes(ctx, s, k)
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}

// Classes ranks all terms for each of several classes, by their numbers, as [Plan.Class] does for
// one: in one pass over the counts.
func (p Plan) Classes(ctx context.Context, s *table.Table, classes ...int) ([]*Ranking, error) {
	if err := p.checkTarget(s); err != nil {
		return nil, err
	}
	rankings := make([]*Ranking, len(classes))
	for i, k := range classes {
		rankings[i] = &Ranking{
			Measure: Measure(p.info.Name), Combine: ByClass, Class: s.Classes()[k], stats: s, plan: p, values: newColumn(s.Cells.Terms()), class: k,
		}
		if p.source != nil {
			var err error
			if rankings[i].sourced, err = p.source.open(ctx, s, s); err != nil {
				return nil, err
			}
		}
	}
	err := p.EachByClass(ctx, s, classes, func(t int, values []float64) {
		for i, v := range values {
			rankings[i].values[t] = v
		}
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rankings {
		if _, err := r.finish(ctx); err != nil {
			return nil, err
		}
	}
	return rankings, nil
}

// EachByClass calls f for every term, on several threads, with its values for the given
// classes. The options must have the combination ByClass. f must not keep values, which belong to
// the thread. A value that there is none of under Positive is NaN.
func (p Plan) EachByClass(ctx context.Context, s *table.Table, classes []int, f func(t int, values []float64)) error {
	if err := p.checkTarget(s); err != nil {
		return err
	}
	if p.source != nil {
		return p.eachSourcedClass(ctx, s, classes, f)
	}
	scratch, seeds := make([][]float64, pool.Threads(p.threads)), p.seeds(s)
	return scoreTerms(ctx, s, []score.Choice{p.Choice()}, table.TF, p.threads, func(worker int, panel *score.Panel, row *score.Row, t int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, len(classes))
		}
		values := scratch[worker]
		for i, k := range classes {
			values[i] = panel.Class(row, k, cellOf(row, k))
		}
		p.leaveOut(values)
		seeds.ofTerm(t, values)
		f(t, values)
	})
}
