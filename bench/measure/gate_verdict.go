package main

import (
	"math"

	"golang.org/x/perf/benchmath"
)

// enoughRuns is the least number of runs on both sides with which p can be
// below 0.05.
const enoughRuns = 4

// significant is what p must be below.
const significant = 0.05

// A verdict on a benchmark.
type verdict string

const (
	unchanged     verdict = "ok"
	slower        verdict = "SLOWER" // fails the gate
	perhapsSlower verdict = "slower, but not significant"
	faster        verdict = "faster"
	tooFewRuns    verdict = "too few runs to judge"
	onlyBase      verdict = "only in base"
	onlyHead      verdict = "only in head"
	notJudged     verdict = "not judged, CPU time is"
)

// A comparison of the times of one benchmark in one unit.
type comparison struct {
	pkg, name, unit string
	base, head      float64 // medians, NaN if there are none
	delta           float64 // of head to base, in percent
	p               float64
	verdict         verdict
}

// compare judges head against base; limit is in percent.
func compare(base, head []float64, limit float64) comparison {
	c := comparison{base: median(base), head: median(head), delta: math.NaN(), p: math.NaN()}
	if len(base) > 0 && len(head) > 0 {
		c.delta, c.p = change(c.base, c.head), uTest(base, head)
	}
	switch {
	case len(head) == 0:
		c.verdict = onlyBase
	case len(base) == 0:
		c.verdict = onlyHead
	case min(len(base), len(head)) < enoughRuns:
		c.verdict = tooFewRuns
	case c.delta > limit && c.p < significant:
		c.verdict = slower
	case c.delta > limit:
		c.verdict = perhapsSlower
	case c.delta < -limit && c.p < significant:
		c.verdict = faster
	default:
		c.verdict = unchanged
	}
	return c
}

// change is how much more head is than base, in percent.
func change(base, head float64) float64 {
	if base == head {
		return 0
	}
	return 100 * (head/base - 1)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return newSample(values).median()
}

// uTest is the p of a Mann-Whitney U test, exact unless there are many runs.
func uTest(a, b []float64) float64 {
	return benchmath.AssumeNothing.Compare(benchmath.NewSample(a, &benchmath.DefaultThresholds), benchmath.NewSample(b, &benchmath.DefaultThresholds)).P
}
