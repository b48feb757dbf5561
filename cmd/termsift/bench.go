package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/kernels"
)

type benchFlags struct {
	inputFlags
	threadCounts []int
	rounds       int
	format       tables.Format
}

func benchCommand(a *app) *command {
	var f benchFlags
	f.app = a
	return &command{
		use:   "bench INPUT...",
		short: "tell how fast each stage is on this input and machine, and what limits it",
		long: "bench does the same work on INPUT with each number of threads, several times, and prints the\n" +
			"median time of each stage:\n\n" +
			"  unpack     decompression alone, of files that are compressed, on one thread\n" +
			"  read       the inputs to counted terms, decompression and tokens included\n" +
			"  names      the dictionaries of all threads to one\n" +
			"  build      the counted documents to a corpus\n" +
			"  count      every term in every class\n" +
			"  score ...  the values of all terms by chi, ig and ttest\n" +
			"  select     the best 10,000 terms by chi\n" +
			"  svmlight   vectors of all documents over these terms, dropped\n" +
			"  all        the whole, but for unpack; opening an index, where INPUT is one\n\n" +
			"MB/s are millions of bytes of text as it stood in the input. CPU time is that of all threads,\n" +
			"the garbage collector included. Busy is the share of the threads' time that they had a\n" +
			"processor and work. Files are read when the system has them in memory already.",
		example: "  termsift bench 20news-bydate.tar.gz --split train\n" +
			"  termsift bench --threads 1,2,4,8 --rounds 9 --format json reviews.jsonl.zst\n" +
			"  termsift bench train.idx",
		flags: slices.Concat(flags.In(flags.GroupMeasuring, []flags.Flag{
			{Name: "threads", To: &f.threadCounts, Help: "numbers of goroutines, separated by commas (default 1, 2, 4 and so on up to GOMAXPROCS)"},
			{Name: "rounds", To: &f.rounds, Default: 5, Positive: true, Most: 1000, Help: "take the median of so many rounds"},
		}), f.wholeFlags(), a.tableFlags(&f.format, "table")),
		run: f.bench,
	}
}

// A benchRow is the times of a stage with a number of threads, a time a round, and their medians.
type benchRow struct {
	stage       string
	threads     int
	walls, cpus []time.Duration
	wall, cpu   time.Duration
	rate        float64 // MB/s of text, 0 where the stage reads none
	speedUp     float64 // beside one thread, 0 where that was not measured
}

func (r *benchRow) busy() float64 { return r.cpu.Seconds() / r.wall.Seconds() / float64(r.threads) }

// A benchRun is the work, what it is done on, and the rows.
type benchRun struct {
	in      inputFlags
	args    []string
	threads []int
	rounds  int
	text    int64 // bytes, 0 for an index
	info    corpus.Info
	rows    []*benchRow
}

func (f *benchFlags) bench(c *cobra.Command, args []string) error {
	threads, err := benchThreads(f.threadCounts, c.Flags().Changed("threads"), runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	r := &benchRun{threads: threads, rounds: f.rounds}
	if err := f.prepare(c, args, r); err != nil {
		return err
	}
	tell, end := f.countdown()
	for round := range f.rounds {
		if tell != nil {
			tell(round, f.rounds, "round")
		}
		if err = r.round(c.Context(), round); err != nil {
			break
		}
	}
	end()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	r.summarize()
	return f.print(r)
}

// benchThreads returns the numbers of threads to measure, ascending. Without asked they are
// the powers of two below procs, and procs.
func benchThreads(asked []int, isSet bool, procs int) ([]int, error) {
	if !isSet {
		var threads []int
		for n := 1; n < procs; n *= 2 {
			threads = append(threads, n)
		}
		return append(threads, procs), nil
	}
	if len(asked) == 0 {
		return nil, usageError("--threads has no number")
	}
	for _, n := range asked {
		switch {
		case n <= 0:
			return nil, usageError("--threads must be positive, not %d", n)
		case n > pool.MostThreads:
			return nil, usageError("--threads can be %d at most, not %d", pool.MostThreads, n)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(asked))), nil
}

// prepare reads the inputs once, which checks them and says what they are, and lets rounds read them in silence.
func (f *benchFlags) prepare(c *cobra.Command, args []string, r *benchRun) error {
	if f.maxMemory != "" {
		return usageError("--max-memory bounds the building of an index; bench holds the corpus in memory")
	}
	if once := slices.IndexFunc(args, func(path string) bool { return !reader.ReadableTwice(path) }); once >= 0 {
		return usageError("%s can be read only once, and bench reads it in every round: name a file", args[once])
	}
	if err := f.checkInputs(c, args); err != nil {
		return err
	}
	first, err := f.load(c.Context(), args)
	if err != nil {
		return err
	}
	defer first.Close()
	if r.info, err = first.Info(c.Context()); err != nil {
		return err
	}
	if bytes := f.summary.line.Bytes; bytes != nil {
		r.text = *bytes
	}
	r.args, r.in = args, f.inputFlags
	r.in.app = newApp(nil, io.Discard, io.Discard)
	r.in.optionalClasses = f.optionalClasses
	return nil
}

// round does the work once with each number of threads.
func (r *benchRun) round(ctx context.Context, round int) error {
	if r.text > 0 {
		source, err := r.in.source(ctx, r.args)
		if err != nil {
			return err
		}
		start, cpu := time.Now(), pool.CPU()
		unpacked, err := source.Unpack()
		if err != nil {
			return err
		}
		if unpacked > 0 {
			r.add(round, "unpack", 1, time.Since(start), pool.CPU()-cpu)
		}
	}
	for _, threads := range r.threads {
		runtime.GC()
		watched := pool.Watch(ctx, func(stage string, wall, cpu time.Duration) { r.add(round, stage, threads, wall, cpu) })
		start, cpu := time.Now(), pool.CPU()
		if err := r.work(watched, threads); err != nil {
			return err
		}
		r.add(round, "all", threads, time.Since(start), pool.CPU()-cpu)
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
	}
	return nil
}

// work is what a round does with a number of threads.
func (r *benchRun) work(ctx context.Context, threads int) error {
	in := r.in
	in.threads = threads
	c, err := in.load(ctx, r.args)
	if err != nil {
		return err
	}
	defer c.Close()
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: threads})
	if err != nil {
		return err
	}
	for _, m := range []rank.Measure{rank.Chi, rank.IG, rank.TTest} {
		err = errors.Join(err, pool.Stage(ctx, "score "+string(m), func(ctx context.Context) error {
			_, err := rank.Terms(ctx, stats, rank.Options{Measure: m, Threads: threads})
			return err
		}))
	}
	var s *selection.Selection
	err = errors.Join(err, pool.Stage(ctx, "select", func(ctx context.Context) (err error) {
		s, err = selection.Select(ctx, c, selection.Options{By: rank.Options{Measure: rank.Chi, Threads: threads}, Keep: selection.Best(10_000)})
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
		return transformer.WriteSVMLight(ctx, io.Discard, c, threads)
	})
}

// add adds to the times of a stage in a round, in which it may run several times.
func (r *benchRun) add(round int, stage string, threads int, wall, cpu time.Duration) {
	row := r.find(stage, threads)
	if row == nil {
		row = &benchRow{stage: stage, threads: threads, walls: make([]time.Duration, r.rounds), cpus: make([]time.Duration, r.rounds)}
		r.rows = append(r.rows, row)
	}
	row.walls[round] += wall
	row.cpus[round] += cpu
}

func (r *benchRun) find(stage string, threads int) *benchRow {
	at := slices.IndexFunc(r.rows, func(row *benchRow) bool { return row.stage == stage && row.threads == threads })
	if at < 0 {
		return nil
	}
	return r.rows[at]
}

// summarize takes the medians, and puts the rows of a stage together.
func (r *benchRun) summarize() {
	place := map[string]int{"unpack": -1}
	for i, row := range r.rows {
		if _, ok := place[row.stage]; !ok {
			place[row.stage] = i
		}
		slices.Sort(row.walls)
		slices.Sort(row.cpus)
		row.wall, row.cpu = max(row.walls[r.rounds/2], 1), row.cpus[r.rounds/2]
		if slices.Contains([]string{"unpack", "read", "all"}, row.stage) {
			row.rate = float64(r.text) / 1e6 / row.wall.Seconds()
		}
	}
	for _, row := range r.rows {
		if one := r.find(row.stage, 1); one != nil {
			row.speedUp = one.wall.Seconds() / row.wall.Seconds()
		}
	}
	slices.SortStableFunc(r.rows, func(a, b *benchRow) int { return cmp.Compare(place[a.stage], place[b.stage]) })
}

// A benchLimit is a figure that says what limits the work.
type benchLimit struct {
	key, name string
	share     float64
}

// limits returns the figures that can be told.
func (r *benchRun) limits() (limits []benchLimit) {
	most := r.threads[len(r.threads)-1]
	if unpack, read := r.find("unpack", 1), r.find("read", 1); unpack != nil && read != nil && read.cpu > 0 {
		limits = append(limits, benchLimit{"unpack_of_read", "the CPU time of read is decompression", unpack.cpu.Seconds() / read.cpu.Seconds()})
	}
	all := r.find("all", most)
	var longest *benchRow
	for _, row := range r.rows {
		if row.threads == most && row.stage != "all" && row.stage != "unpack" && (longest == nil || row.wall > longest.wall) {
			longest = row
		}
	}
	limits = append(limits, benchLimit{"longest_of_all", fmt.Sprintf("the time with --threads %d is %s", most, longest.stage), longest.wall.Seconds() / all.wall.Seconds()})
	if n := float64(most); all.speedUp > 0 && most > 1 { // Amdahl's law
		limits = append(limits, benchLimit{"serial_of_all", "the work with one thread does not become faster with more", min(max((1/all.speedUp-1/n)/(1-1/n), 0), 1)})
	}
	return limits
}

// processorShare is the share of the time that one thread had a processor, in stages that wait for nothing.
func (r *benchRun) processorShare() float64 {
	var cpu, wall time.Duration
	for _, row := range r.rows {
		if row.threads == 1 && !slices.Contains([]string{"unpack", "read", "all"}, row.stage) {
			cpu, wall = cpu+row.cpu, wall+row.wall
		}
	}
	if wall == 0 {
		return 1
	}
	return cpu.Seconds() / wall.Seconds()
}

var benchColumns = []tables.Column[*benchRow]{
	{Key: "stage", Left: true, Value: func(r *benchRow) any { return r.stage }},
	{Key: "threads", Value: func(r *benchRow) any { return r.threads }},
	{
		Key: "seconds", Head: "ms", Value: func(r *benchRow) any { return r.wall.Seconds() },
		Text: func(r *benchRow) string { return oneDecimal(1e3 * r.wall.Seconds()) },
	},
	{
		Key: "cpu_seconds", Head: "CPU ms", Value: func(r *benchRow) any { return r.cpu.Seconds() },
		Text: func(r *benchRow) string { return oneDecimal(1e3 * r.cpu.Seconds()) },
	},
	{
		Key: "mb_per_second", Head: "MB/s", Value: func(r *benchRow) any { return tables.If(r.rate != 0, r.rate) },
		Text: func(r *benchRow) string { return oneDecimal(r.rate) },
	},
	{
		Key: "busy", Value: func(r *benchRow) any { return r.busy() },
		Text: func(r *benchRow) string { return fmt.Sprintf("%.0f %%", 100*r.busy()) },
	},
	{
		Key: "speed_up", Head: "speed-up", Value: func(r *benchRow) any { return tables.If(r.speedUp != 0, r.speedUp) },
		Text: func(r *benchRow) string { return oneDecimal(r.speedUp) },
	},
}

var benchLimitColumns = []tables.Column[benchLimit]{
	{Key: "share", Value: func(l benchLimit) any { return l.share }, Text: func(l benchLimit) string { return fmt.Sprintf("%.0f %%", 100*l.share) }},
	{Key: "of", Left: true, Value: func(l benchLimit) any { return l.name }},
}

// oneDecimal formats a number that was measured, and 0, which was not, as "".
func oneDecimal(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// print prints the rows, and what limits the work.
func (f *benchFlags) print(r *benchRun) error {
	style, limits := f.style(f.format), r.limits()
	summary := fmt.Sprintf("%d documents, %.1f MB of text, %d terms, %d classes, %d postings, %d cells; kernels %s, medians of %d",
		r.info.Documents, float64(r.text)/1e6, r.info.Terms, r.info.Classes, r.info.Postings, r.info.Cells, kernels.Path(), r.rounds)
	t := tables.New(f.stdout, style, benchColumns)
	t.Title("%s", summary)
	t.Facts = []tables.Fact{
		{Key: "documents", Value: r.info.Documents},
		{Key: "terms", Value: r.info.Terms},
		{Key: "classes", Value: r.info.Classes},
		{Key: "postings", Value: int(r.info.Postings)},
		{Key: "cells", Value: int(r.info.Cells)},
		{Key: "text_bytes", Value: int(r.text)},
		{Key: "rounds", Value: r.rounds},
		{Key: "processors", Value: runtime.GOMAXPROCS(0)},
		{Key: "kernels", Value: kernels.Path()},
	}
	for _, l := range limits {
		t.Facts = append(t.Facts, tables.Fact{Key: l.key, Value: l.share})
	}
	if style.Format.Audience() == tables.ForLines {
		f.note("%s", summary)
	}
	if share := r.processorShare(); share < .9 {
		f.warn([]string{fmt.Sprintf("one thread had a processor for %.0f %% of the time: other processes use this machine, and the times are too long", 100*share)})
	}
	if err := t.AddAll(r.rows); err != nil || !style.People() {
		return err
	}
	fmt.Fprintln(f.stdout)
	more := tables.New(f.stdout, style, benchLimitColumns)
	more.Title("What limits it")
	return more.AddAll(limits)
}
