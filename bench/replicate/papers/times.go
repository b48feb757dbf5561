package papers

import (
	"context"
	"math"

	"github.com/termsift/termsift/bench/cputime"
	"github.com/termsift/termsift/engine"
)

// times measures the CPU time of ranking all terms by each method, on one thread, the
// least of five runs: "NAME counting METHOD" with the counting of the terms, "NAME
// scoring METHOD" from counts that are there. Milliseconds.
func (r *runner) times(ctx context.Context, s *Step, d division) error {
	for _, method := range s.Methods {
		o, err := scoring(method, 1)
		if err != nil {
			return err
		}
		counts, err := d.train.Statistics(ctx, engine.StatisticsOptions{Weight: o.Weight, Threads: 1})
		if err != nil {
			return err
		}
		for _, way := range []struct {
			name string
			run  func() error
		}{
			{"counting", func() error { _, err := d.train.Rank(ctx, o); return err }},
			{"scoring", func() error { _, err := counts.Rank(ctx, o); return err }},
		} {
			ms, err := leastTime(5, way.run)
			if err != nil {
				return err
			}
			r.figures.set(ms, s.Name, way.name, method)
		}
	}
	return nil
}

// leastTime is the least CPU time of some runs, in milliseconds.
func leastTime(runs int, run func() error) (float64, error) {
	least := math.Inf(1)
	for range runs {
		start := cputime.Now()
		if err := run(); err != nil {
			return 0, err
		}
		least = min(least, float64((cputime.Now()-start).Microseconds())/1000)
	}
	return least, nil
}
