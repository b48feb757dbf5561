package cputime

import (
	"math"
	"time"
)

// Least is the least time, by [Now], of some runs.
func Least(runs int, run func() error) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range runs {
		start := Now()
		if err := run(); err != nil {
			return 0, err
		}
		least = min(least, Now()-start)
	}
	return least, nil
}
