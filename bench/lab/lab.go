// Package lab is what the laboratory's programs share. They measure on a machine: the time of its processors,
// its Python, the real collections, its name beside the results. Their work ends at an error (fail.go), and
// they write tables into pages (page.go).
package lab

import (
	"context"
	"math"
	"slices"
	"time"
)

// A test is a [testing.TB]: the command measures, too, and links no package testing.
type test interface {
	Helper()
	Context() context.Context
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// LeastCPU is the least time, by [CPU], of some runs.
func LeastCPU(runs int, run func()) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range runs {
		start := CPU()
		run()
		least = min(least, CPU()-start)
	}
	return least
}

// Median is the median of some times, the mean of the middle two of an even number.
func Median(times []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(times))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
