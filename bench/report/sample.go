package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/termsift/termsift/bench/markdown"
)

// enoughRuns is how many runs a median should rest on.
const enoughRuns = 6

// A sample is the figures of all runs of a benchmark in one unit, ascending.
type sample []float64

func newSample(values []float64) sample {
	return benchmath.NewSample(values, &benchmath.DefaultThresholds).Values
}

func (s sample) median() float64 {
	return benchmath.AssumeNothing.Summary(&benchmath.Sample{Values: s}, 0.95).Center
}

func (s sample) least() float64   { return s[0] }
func (s sample) largest() float64 { return s[len(s)-1] }

// spread is half the range relative to the median, in percent.
func (s sample) spread() float64 {
	if s.median() == 0 {
		return 0
	}
	return 100 * (s.largest() - s.least()) / 2 / s.median()
}

// cell is median and spread, and the number of runs if they are too few.
func (s sample) cell() string {
	return markdown.Number(s.median()) + " ±" + formatPercent(s.spread()) + fewRuns(len(s))
}

func fewRuns(n int) string {
	if n < enoughRuns {
		return fmt.Sprintf(" (n=%d)", n)
	}
	return ""
}

// in gives the figures of the benchmark in a unit, or in a multiple of it.
func (b *benchmark) in(unit string) (sample, error) {
	var values []float64
	for _, run := range b.runs {
		if v, ok := lookUp(run, unit); ok {
			values = append(values, v)
		}
	}
	if len(values) < len(b.runs) {
		units := strings.Join(slices.Sorted(maps.Keys(b.runs[0])), ", ")
		return nil, fmt.Errorf("%s: %d of %d runs of %s have no %s; the first one has %s", b.file, len(b.runs)-len(values), len(b.runs), b.name, unit, units)
	}
	return newSample(values), nil
}

// A runCount collects for a caption on how many runs its table rests.
type runCount struct{ least, most int }

func (c *runCount) add(n int) {
	if c.least == 0 || n < c.least {
		c.least = n
	}
	c.most = max(c.most, n)
}

func (c *runCount) String() string {
	switch {
	case c.least < c.most:
		return fmt.Sprintf("medians of %d to %d runs", c.least, c.most)
	case c.most == 1:
		return "single runs"
	}
	return fmt.Sprintf("medians of %d runs", c.most)
}
