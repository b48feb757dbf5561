package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/kernels"
)

type benchFlags struct {
	inputFlags
	counts []int // of threads
	rounds int
	text   int64 // bytes, 0 for an index
	rows   []*benchRow
}

func benchCommand(a *app) *command {
	var f benchFlags
	f.app = a
	return &command{
		use:   "bench INPUT...",
		short: "tell how fast each stage is on this input and machine, and what limits it",
		long: "bench does the same work on INPUT several times with each number of threads, and prints the median time\n" +
			"of each stage: read (the inputs to counted terms), names (the dictionaries of all threads to one),\n" +
			"build, count (every term in every class), score by three measures, select (10,000 terms), svmlight\n" +
			"(vectors over these terms, dropped). CPU time is that of all threads, the garbage collector included;\n" +
			"busy is their share of the time: far below 100 % with one thread, other processes use this machine.",
		example: "  termsift bench --threads 1,2,4,8 --rounds 9 --format json reviews.jsonl.zst",
		flags: slices.Concat(flags.In(flags.GroupMeasuring, []flags.Flag{
			{Name: "threads", To: &f.counts, Applies: flags.OfWork, Help: "numbers of goroutines, separated by commas (default 1, 2, 4 and so on up to GOMAXPROCS)"},
			{Name: "rounds", To: &f.rounds, Default: 5, Positive: true, Most: 1000, Help: "take the median of so many rounds"},
		}), f.wholeFlags(), a.tableFlags("table")),
		run: f.bench,
	}
}

// A benchRow is the times of a stage with a number of threads.
type benchRow struct {
	stage         string
	threads       int
	walls, cpus   []float64 // seconds, by round
	wall, cpu     float64   // the medians
	rate, speedUp float64   // MB/s of text, and how often the time of one thread has this one; 0 for none
}

func (f *benchFlags) bench(c *cobra.Command, args []string) (err error) {
	if f.counts, err = benchThreads(f.counts, c.Flags().Changed("threads"), runtime.GOMAXPROCS(0)); err != nil {
		return err
	}
	if f.maxMemory != "" {
		return usageError("--max-memory bounds the building of an index; bench holds the corpus in memory")
	}
	if once := slices.IndexFunc(args, func(path string) bool { return !reader.ReadableTwice(path) }); once >= 0 {
		return usageError("%s can be read only once, and bench reads it in every round: name a file", args[once])
	}
	if err := f.checkInputs(c, args); err != nil {
		return err
	}
	first, err := f.load(c.Context(), args) // which says what is wrong with it, and what it is
	if err != nil {
		return err
	}
	info, err := corpus.Overview(c.Context(), first)
	if err = errors.Join(err, first.Close()); err != nil {
		return err
	}
	if bytes := f.summary.line.Bytes; bytes != nil {
		f.text = *bytes
	}
	tell, end := f.countdown()
	for round := 0; round < f.rounds && err == nil; round++ {
		tell(round, f.rounds, "round")
		err = f.round(c.Context(), args, round)
	}
	end()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	f.summarize()
	return f.print(info)
}

// benchThreads returns the numbers of threads to measure, ascending. Without asked they are
// the powers of two below procs, and procs.
func benchThreads(asked []int, isSet bool, procs int) ([]int, error) {
	if !isSet {
		for n := 1; n < procs; n *= 2 {
			asked = append(asked, n)
		}
		asked = append(asked, procs)
	}
	switch {
	case len(asked) == 0:
		return nil, usageError("--threads has no number")
	case slices.Min(asked) <= 0:
		return nil, usageError("--threads must be positive, not %d", slices.Min(asked))
	case slices.Max(asked) > pool.MostThreads:
		return nil, usageError("--threads can be %d at most, not %d", pool.MostThreads, slices.Max(asked))
	}
	return slices.Compact(slices.Sorted(slices.Values(asked))), nil
}

// round does the work once with each number of threads, in silence.
func (f *benchFlags) round(ctx context.Context, args []string, round int) error {
	in := f.inputFlags
	in.app = newApp(nil, io.Discard, io.Discard)
	for _, in.threads = range f.counts {
		runtime.GC()
		tell := func(stage string, wall, cpu time.Duration) { f.add(round, stage, in.threads, wall, cpu) }
		err := pool.Stage(pool.Watch(ctx, tell), "all", func(ctx context.Context) error { return workOf(pool.Watch(ctx, tell), in, args) })
		if err != nil {
			return err
		}
	}
	return nil
}

// workOf is what a round does with a number of threads.
func workOf(ctx context.Context, in inputFlags, args []string) error {
	c, err := in.load(ctx, args)
	if err != nil {
		return err
	}
	defer c.Close()
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: in.threads})
	if err != nil {
		return err
	}
	for _, m := range []rank.Measure{rank.Chi, rank.IG, rank.TTest} {
		err = errors.Join(err, pool.Stage(ctx, "score "+string(m), func(ctx context.Context) error {
			_, err := rank.Terms(ctx, stats, rank.Options{Measure: m, Threads: in.threads})
			return err
		}))
	}
	var s *selection.Selection
	err = errors.Join(err, pool.Stage(ctx, "select", func(ctx context.Context) (err error) {
		s, err = selection.Select(ctx, c, selection.Options{By: rank.Options{Threads: in.threads}, Keep: selection.Best(10_000)})
		return err
	}))
	if err != nil {
		return err
	}
	return pool.Stage(ctx, "svmlight", func(ctx context.Context) error {
		transformer, err := vectors.New(s, vectors.TF)
		if err != nil {
			return err
		}
		return transformer.WriteSVMLight(ctx, io.Discard, c, in.threads)
	})
}

// add adds to the times of a stage in a round, in which it may run several times.
func (f *benchFlags) add(round int, stage string, threads int, wall, cpu time.Duration) {
	row := f.find(stage, threads)
	if row == nil {
		row = &benchRow{stage: stage, threads: threads, walls: make([]float64, f.rounds), cpus: make([]float64, f.rounds)}
		f.rows = append(f.rows, row)
	}
	row.walls[round] += max(wall, 1).Seconds()
	row.cpus[round] += max(cpu, 1).Seconds()
}

// find returns the row of a stage, or nil.
func (f *benchFlags) find(stage string, threads int) *benchRow {
	at := slices.IndexFunc(f.rows, func(row *benchRow) bool { return row.stage == stage && row.threads == threads })
	if at < 0 {
		return nil
	}
	return f.rows[at]
}

// benchStages are the stages in the order of their rows.
const benchStages = "read names build count score chi score ig score ttest select svmlight all"

// summarize orders the rows and takes the medians, that of one thread first.
func (f *benchFlags) summarize() {
	place := func(r *benchRow) int { return strings.Index(benchStages, r.stage)*(pool.MostThreads+1) + r.threads }
	slices.SortFunc(f.rows, func(a, b *benchRow) int { return place(a) - place(b) })
	for _, row := range f.rows {
		slices.Sort(row.walls)
		slices.Sort(row.cpus)
		row.wall, row.cpu = row.walls[f.rounds/2], row.cpus[f.rounds/2]
		if row.stage == "read" || row.stage == "all" {
			row.rate = float64(f.text) / 1e6 / row.wall
		}
		if one := f.find(row.stage, 1); one != nil {
			row.speedUp = one.wall / row.wall
		}
	}
}

// limits returns the figures that say what limits the work, and these in words.
func (f *benchFlags) limits() (facts []tables.Fact, words []string) {
	add := func(key, name string, share float64) {
		facts, words = append(facts, tables.Fact{Key: key, Value: share}), append(words, fmt.Sprintf("%3.0f %% of %s", 100*share, name))
	}
	most := f.counts[len(f.counts)-1]
	all, longest := f.find("all", most), &benchRow{}
	for _, row := range f.rows {
		if row.threads == most && row.stage != "all" && row.wall > longest.wall {
			longest = row
		}
	}
	add("longest_of_all", fmt.Sprintf("the time with --threads %d is %s", most, longest.stage), longest.wall/all.wall)
	if n := float64(most); all.speedUp > 0 && most > 1 { // Amdahl's law
		add("serial_of_all", "the work with one thread does not become faster with more", min(max((1/all.speedUp-1/n)/(1-1/n), 0), 1))
	}
	return facts, words
}

var benchColumns = []tables.Column[*benchRow]{
	{Key: "stage", Left: true, Value: func(r *benchRow) any { return r.stage }},
	{Key: "threads", Value: func(r *benchRow) any { return r.threads }},
	measured("seconds", "ms", "%.1f", 1e3, func(r *benchRow) float64 { return r.wall }),
	measured("cpu_seconds", "CPU ms", "%.1f", 1e3, func(r *benchRow) float64 { return r.cpu }),
	measured("mb_per_second", "MB/s", "%.1f", 1, func(r *benchRow) float64 { return r.rate }),
	measured("busy", "", "%.0f %%", 100, func(r *benchRow) float64 { return r.cpu / r.wall / float64(r.threads) }),
	measured("speed_up", "speed-up", "%.1f", 1, func(r *benchRow) float64 { return r.speedUp }),
}

// measured returns a column of numbers, which people see times scale. 0 was not measured.
func measured(key, head, format string, scale float64, of func(r *benchRow) float64) tables.Column[*benchRow] {
	return tables.Column[*benchRow]{
		Key: key, Head: head, Value: func(r *benchRow) any { return tables.If(of(r) != 0, of(r)) },
		Text: func(r *benchRow) string {
			if of(r) == 0 {
				return ""
			}
			return fmt.Sprintf(format, scale*of(r))
		},
	}
}

// print prints the rows, and what limits the work.
func (f *benchFlags) print(i corpus.Info) error {
	summary := fmt.Sprintf("%d documents, %.1f MB of text, %d terms, %d classes, %d postings, %d cells; kernels %s, medians of %d",
		i.Documents, float64(f.text)/1e6, i.Terms, i.Classes, i.Postings, i.Cells, kernels.Path(), f.rounds)
	t := list(&f.outputs, benchColumns)
	t.Title("%s", summary)
	facts, words := f.limits()
	t.Facts = append([]tables.Fact{
		{Key: "documents", Value: i.Documents},
		{Key: "terms", Value: i.Terms},
		{Key: "classes", Value: i.Classes},
		{Key: "postings", Value: int(i.Postings)},
		{Key: "cells", Value: int(i.Cells)},
		{Key: "text_bytes", Value: int(f.text)},
		{Key: "rounds", Value: f.rounds},
		{Key: "processors", Value: runtime.GOMAXPROCS(0)},
		{Key: "kernels", Value: kernels.Path()},
	}, facts...)
	if t.Format.Audience() == tables.ForLines {
		f.note("%s", summary)
	}
	if err := t.AddAll(f.rows); err != nil || !t.People() {
		return err
	}
	_, err := fmt.Fprintf(f.stdout, "\nWhat limits it\n%s\n", strings.Join(words, "\n"))
	return err
}
