package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

// errSlower says what the table has shown.
var errSlower = errors.New("a job takes longer than its limit")

// times are the CPU times of a job in nanoseconds, of base and head.
type times struct {
	job
	of [2][]float64
}

// compare runs the jobs of both sides in turn, and judges them.
func compare(ctx context.Context, chosen []job, sides []*side, pairs int, stdout, stderr io.Writer) error {
	var all []times
	for _, j := range chosen {
		fmt.Fprintf(stderr, "jobs: %s\n", j.name)
		t := times{job: j}
		for turn := range 2 * pairs {
			i := (turn + 1) / 2 % 2 // base, head, head, base, ...
			cpu, err := sides[i].run(ctx, j)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", j.name, sides[i].label, err)
			}
			t.of[i] = append(t.of[i], float64(cpu.Nanoseconds()))
			fmt.Fprintf(stdout, "Benchmark%s/rev=%s 1 %d cpu-ns/op\n", j.benchmark(), sides[i].label, cpu.Nanoseconds())
		}
		all = append(all, t)
	}
	return judge(all, stdout)
}

// judge prints a row a job, and returns errSlower if one takes longer than its limit. A difference counts if
// benchstat takes it for one.
func judge(all []times, stdout io.Writer) (err error) {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\njob\tbase, ms\thead, ms\thead / base\tp\tlimit\t")
	for _, t := range all {
		var samples [2]*benchmath.Sample
		var medians [2]float64
		for i, values := range t.of {
			samples[i] = benchmath.NewSample(values, &benchmath.DefaultThresholds)
			medians[i] = benchmath.AssumeNothing.Summary(samples[i], .95).Center
		}
		c := benchmath.AssumeNothing.Compare(samples[0], samples[1])
		ratio, verdict := medians[1]/medians[0], ""
		switch {
		case c.P > c.Alpha:
			verdict = "no difference"
		case ratio > t.limit:
			verdict, err = "SLOWER", errSlower
		}
		fmt.Fprintf(w, "%s\t%.3g\t%.3g\t%.3f\t%.3f\t%.2f\t%s\n", t.name, medians[0]/1e6, medians[1]/1e6, ratio, c.P, t.limit, verdict)
	}
	return errors.Join(err, w.Flush())
}
