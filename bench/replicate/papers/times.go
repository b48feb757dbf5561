package papers

import (
	"context"

	"github.com/termsift/termsift/bench/host"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// times measures the CPU time of ranking all terms by each method, on one thread, the
// least of five runs: "NAME counting METHOD" with the counting of the terms, "NAME
// scoring METHOD" from counts that are there. Milliseconds.
func (r *runner) times(ctx context.Context, s *Step, d division) error {
	for _, method := range s.Methods {
		o, err := scoring(method)
		if err != nil {
			return err
		}
		o.Threads = 1
		counts, err := d.train.Statistics(ctx, corpus.CountOptions{Weight: o.Weight, Threads: 1})
		if err != nil {
			return err
		}
		for _, way := range []struct {
			name, work string
			run        func() error
		}{
			{"counting", "counting the terms and ranking them", func() error { _, err := rank.Several(ctx, d.train, o); return err }},
			{"scoring", "ranking the terms, their counts being there", func() error { _, err := rank.Terms(ctx, counts, o); return err }},
		} {
			took, err := host.LeastCPU(5, way.run)
			if err != nil {
				return err
			}
			r.figures.set(Basis{Unit: "ms of CPU", Scope: r.scope, Work: way.work}, float64(took.Microseconds())/1000, s.Name, way.name, method)
		}
	}
	return nil
}
