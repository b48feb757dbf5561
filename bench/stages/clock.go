package stages

import (
	"context"
	"runtime"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/usage"
)

// A Timing is what one run takes: the median of some rounds, of each time by itself.
type Timing struct {
	Wall time.Duration
	// CPU is what the process used of all processors, the garbage collector included.
	CPU time.Duration
}

// shortRound is the least length of a round. A function that takes less is run several
// times in a round, whose time is divided: clocks and the garbage of the function before
// disturb a short run.
const shortRound = 20 * time.Millisecond

// measure runs each of some functions in rounds and returns what one run of each takes.
// The functions take turns, so that a machine that becomes slower meanwhile slows all of
// them. It collects the garbage before each round of a function. It returns the first
// error, or that of ctx.
func measure(ctx context.Context, rounds int, functions []func() error) ([]Timing, error) {
	walls, cpus := make([][]time.Duration, len(functions)), make([][]time.Duration, len(functions))
	for range rounds {
		for i, f := range functions {
			t, err := measureRound(f)
			if err == nil && ctx.Err() != nil {
				err = usage.Cause(ctx)
			}
			if err != nil {
				return nil, err
			}
			walls[i], cpus[i] = append(walls[i], t.Wall), append(cpus[i], t.CPU)
		}
	}
	timings := make([]Timing, len(functions))
	for i := range timings {
		timings[i] = Timing{Wall: lab.Median(walls[i]), CPU: lab.Median(cpus[i])}
	}
	return timings, nil
}

// measureRound returns the mean time of a run of f in one round.
func measureRound(f func() error) (Timing, error) {
	runtime.GC()
	start, startCPU := time.Now(), lab.CPU()
	for runs := time.Duration(1); ; runs++ {
		if err := f(); err != nil {
			return Timing{}, err
		}
		if took := time.Since(start); took >= shortRound {
			return Timing{Wall: took / runs, CPU: (lab.CPU() - startCPU) / runs}, nil
		}
	}
}
