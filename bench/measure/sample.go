package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/termsift/termsift/bench/lab"
)

// goodRuns is how many runs a median should rest on.
const goodRuns = 6

// A sample is the figures of all runs of a benchmark in one unit, ascending.
type sample []float64

func newSample(values []float64) sample {
	return benchmath.NewSample(values, &benchmath.DefaultThresholds).Values
}

func (s sample) median() float64 {
	return benchmath.AssumeNothing.Summary(&benchmath.Sample{Values: s}, 0.95).Center
}

// spread is half the range relative to the median, in percent.
func (s sample) spread() float64 {
	if s.median() == 0 {
		return 0
	}
	return 100 * (s[len(s)-1] - s[0]) / 2 / s.median()
}

// cell is the median in a unit, the spread, and the number of runs if they are too few.
func (s sample) cell(unit string) string {
	return strings.TrimSpace(lab.Number(s.median())+" "+unit) + " ±" + formatPercent(s.spread()) + fewRuns(len(s))
}

func fewRuns(n int) string {
	if n < goodRuns {
		return fmt.Sprintf(" (n=%d)", n)
	}
	return ""
}

// timesBetter is how many times better a sample is than base: rates are better if they are
// larger, everything else if it is smaller.
func (s sample) timesBetter(base sample, unit string) float64 {
	if strings.HasSuffix(unit, "/s") {
		return s.median() / base.median()
	}
	return base.median() / s.median()
}

// formatPercent writes integers, and one digit below 1 %.
func formatPercent(v float64) string {
	if v != 0 && math.Abs(v) < 0.95 {
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " %"
}
