package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/stages"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/kernels"
)

type benchFlags struct {
	inputFlags
	threadCounts []int
	rounds       int
	buffer       string
	format       tables.Format
}

// mostBuffer is the largest --buffer: more is taken for a typing error.
const mostBuffer = 4 << 30

func benchCommand(a *app) *command {
	var f benchFlags
	f.app = a
	return &command{
		use:   "bench INPUT...",
		short: "tell how fast each stage is on this input and machine, and what limits it",
		long: "bench repeats the stages of the work on INPUT and prints the median time of a run, with each\n" +
			"number of threads:\n\n" +
			"  unpack     decompression alone, of files that are compressed\n" +
			"  read       the inputs to documents, decompression included\n" +
			"  tokenise   the terms of each document and their counts\n" +
			"  build      documents in memory to a counted corpus, tokenising included\n" +
			"  cells      counting every term in every class from the postings\n" +
			"  score-...  the values of all terms by chi, ig and ttest, from these counts\n" +
			"  top        the best 10,000 terms by chi with their names\n" +
			"  svmlight   vectors of all documents over these terms as svmlight text, dropped\n" +
			"  memory     adding up a buffer of --buffer bytes\n\n" +
			"MB/s are millions of bytes of text as it stood in the input, of svmlight text, or of memory.\n" +
			"CPU time is that of all threads, the garbage collector included, which has threads of its\n" +
			"own. Stages without threads, unpack and top, are measured with one. Of an index, which has\n" +
			"no text, only the stages from cells on are measured.\n\n" +
			"All documents of raw text are held in memory, beside their index and the buffer. Files are\n" +
			"read when the system has them in memory already.",
		example: "  termsift bench 20news-bydate.tar.gz --split train\n" +
			"  termsift bench --threads 1,2,4,8 --rounds 9 --format json reviews.jsonl.zst\n" +
			"  termsift bench train.idx",
		flags: slices.Concat(flags.In(flags.GroupMeasuring, []flags.Flag{
			{Name: "threads", To: &f.threadCounts, Help: "numbers of goroutines, separated by commas (default 1, 2, 4 and so on up to GOMAXPROCS)"},
			{Name: "rounds", To: &f.rounds, Default: 5, Positive: true, Most: 1000, Help: "take the median of so many rounds"},
			{
				Name: "buffer", To: &f.buffer, Default: "512MiB", Takes: "SIZE",
				Help: "the memory whose reading is measured; it should be larger than the caches",
			},
		}), f.wholeFlags(), a.tableFlags(&f.format, "table")),
		run: f.bench,
	}
}

func (f *benchFlags) bench(c *cobra.Command, args []string) error {
	threads, err := benchThreads(f.threadCounts, c.Flags().Changed("threads"), runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	buffer, err := parseSize("buffer", f.buffer)
	if err != nil {
		return err
	}
	if buffer > mostBuffer {
		return usageError("--buffer can be %d GiB at most, not %s", mostBuffer>>30, f.buffer)
	}
	data, err := f.benchData(c, args)
	if err != nil {
		return err
	}
	data.Buffer = buffer
	info, err := data.Corpus.Info(c.Context())
	if err != nil {
		return err
	}
	list, err := data.Stages(c.Context())
	if err != nil {
		return err
	}
	tell, end := f.countdown()
	rows, err := stages.Run(c.Context(), list, threads, f.rounds, tell)
	end()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	p := benchPrinter{a: f.app, Style: f.style(f.format), rounds: f.rounds, threads: threads, data: data, info: info, rows: rows}
	return p.print()
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

// benchData opens an index, or reads raw inputs into memory and builds a corpus of them.
func (f *benchFlags) benchData(c *cobra.Command, args []string) (*stages.Data, error) {
	if f.maxMemory != "" {
		return nil, usageError("--max-memory bounds the building of an index; bench holds all documents in memory")
	}
	if err := f.checkInputs(c, args); err != nil {
		return nil, err
	}
	if kind := f.kindOfOne(args); kind != indexFile && kind != statisticsFile {
		return f.benchText(c.Context(), args)
	}
	whole, err := f.load(c.Context(), args)
	if err != nil {
		return nil, err
	}
	f.note("an index has no text: unpack, read, tokenise and build are not measured")
	if whole.HasCells() {
		f.note("the index holds the counts of all terms: cells is the time to read them, not to count postings")
	}
	return &stages.Data{Corpus: whole}, nil
}

// benchText reads raw inputs.
func (f *benchFlags) benchText(ctx context.Context, args []string) (*stages.Data, error) {
	opt, err := f.options(ctx, args)
	if err != nil {
		return nil, err
	}
	open, err := f.opener(ctx, args)
	if err != nil {
		return nil, err
	}
	source, err := open(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := stages.Keep(f.watch(source.Documents(), source))
	if err != nil {
		return nil, err
	}
	built, err := corpus.BuildBatches(ctx, document.InBatches(docs), opt)
	if err := explained(source, err); err != nil {
		return nil, err
	}
	f.noteAnalysis(opt, built.Provenance())
	opt.Analysis, opt.Sample = built.Provenance().Analysis, nil // which every round repeats
	summary := source.Summary()
	f.noteSummary(summary)
	f.summary.addVocabulary(&vocabulary{built.Terms(), len(built.Classes())})
	d := &stages.Data{Open: open, Documents: docs, Bytes: summary.Bytes, Options: opt, Corpus: built}
	if once := slices.IndexFunc(args, func(path string) bool { return !reader.ReadableTwice(path) }); once >= 0 {
		f.note("%s can be read only once: unpack and read are not measured", args[once])
		d.Open = nil
	}
	return d, nil
}

type benchPrinter struct {
	a *app
	tables.Style
	rounds  int
	threads []int
	data    *stages.Data
	info    corpus.Info
	rows    []stages.Row
}

var benchColumns = []tables.Column[stages.Row]{
	{Key: "stage", Left: true, Value: func(r stages.Row) any { return r.Stage }},
	{Key: "threads", Value: func(r stages.Row) any { return r.Threads }},
	{
		Key: "seconds", Head: "ms", Value: func(r stages.Row) any { return r.Wall.Seconds() },
		Text: func(r stages.Row) string { return threeDigits(1e3 * r.Wall.Seconds()) },
	},
	{
		Key: "cpu_seconds", Head: "CPU ms", Value: func(r stages.Row) any { return r.CPU.Seconds() },
		Text: func(r stages.Row) string { return threeDigits(1e3 * r.CPU.Seconds()) },
	},
	{
		Key: "mb_per_second", Head: "MB/s", Value: func(r stages.Row) any { return measured(r.BytesPerSecond() / 1e6) },
		Text: func(r stages.Row) string { return threeDigits(r.BytesPerSecond() / 1e6) },
	},
	{
		Key: "ns_per_unit", Head: "ns per", Value: func(r stages.Row) any { return measured(r.NanosecondsPerUnit()) },
		Text: func(r stages.Row) string { return threeDigits(r.NanosecondsPerUnit()) },
	},
	{Key: "unit", Left: true, Value: func(r stages.Row) any { return r.Unit }},
	{Key: "units", In: tables.ForPrograms, Value: func(r stages.Row) any { return int(r.Units) }},
	{Key: "bytes", In: tables.ForPrograms, Value: func(r stages.Row) any { return measured(int(r.Bytes)) }},
	{
		Key: "speed_up", Head: "speed-up", Value: func(r stages.Row) any { return measured(r.SpeedUp) },
		Text: func(r stages.Row) string { return threeDigits(r.SpeedUp) },
	},
}

// measured returns v, or nil if v is 0 and so was not measured.
func measured[T int | float64](v T) any { return tables.If(v != 0, v) }

// threeDigits formats a number that is not negative with three digits at least, and none
// smaller than a thousandth; 0 gives "".
func threeDigits(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// A benchLimit is a figure that says what limits a stage.
type benchLimit struct {
	key, name string
	share     float64
}

var benchLimitColumns = []tables.Column[benchLimit]{
	{Key: "share", Value: func(l benchLimit) any { return l.share }, Text: func(l benchLimit) string { return threeDigits(100*l.share) + " %" }},
	{Key: "of", Left: true, Value: func(l benchLimit) any { return l.name }},
}

// limits returns the figures that were measured. What was not is left out.
func (p *benchPrinter) limits() (limits []benchLimit) {
	most := p.threads[len(p.threads)-1]
	if share, ok := stages.CPUShare(p.rows, stages.Unpack, stages.Read); ok {
		limits = append(limits, benchLimit{"unpack_of_read", "the CPU time of read is decompression", share})
	}
	if share, ok := stages.CPUShare(p.rows, stages.Tokenise, stages.Build); ok {
		limits = append(limits, benchLimit{"tokenise_of_build", "the CPU time of build is tokenise; the rest makes one dictionary and the postings", share})
	}
	if share, ok := stages.RateShare(p.rows, stages.Build, stages.Memory, most); ok {
		limits = append(limits, benchLimit{"build_of_memory", fmt.Sprintf("the rate of memory is that of the text through build, with --threads %d", most), share})
	}
	return limits
}

// busy is the share of the time that threads have a processor below which the times are
// not to be relied on.
const busy = .9

func (p *benchPrinter) print() error {
	if share, ok := stages.ProcessorShare(p.rows, runtime.GOMAXPROCS(0)); ok && share < busy {
		p.a.warn([]string{fmt.Sprintf("threads had a processor for %s %% of the time: other processes use this machine, and the times are too long", threeDigits(100*share))})
	}
	limits, t := p.limits(), tables.New(p.a.stdout, p.Style, benchColumns)
	t.Facts = p.facts(limits)
	if p.Format.Audience() == tables.ForLines {
		p.a.note("%s", p.summary())
		for _, l := range limits {
			p.a.note("%s %% of %s", threeDigits(100*l.share), l.name)
		}
	}
	t.Title("%s", p.summary())
	if err := t.AddAll(p.rows); err != nil || !p.People() || len(limits) == 0 {
		return err
	}
	fmt.Fprintln(p.a.stdout)
	more := tables.New(p.a.stdout, p.Style, benchLimitColumns)
	more.Title("What limits it")
	return more.AddAll(limits)
}

// summary returns a line about the data and the machine.
func (p *benchPrinter) summary() string {
	text := ""
	if p.data.Bytes > 0 {
		text = fmt.Sprintf("%.1f MB of text, ", float64(p.data.Bytes)/1e6)
	}
	rounds := "one round"
	if p.rounds > 1 {
		rounds = fmt.Sprintf("medians of %d rounds", p.rounds)
	}
	return fmt.Sprintf("%d documents, %s%d terms, %d classes, %d postings, %d cells; kernels %s, %s",
		p.info.Documents, text, p.info.Terms, p.info.Classes, p.info.Postings, p.info.Cells, kernels.Path(), rounds)
}

// facts returns what is said of the whole in JSON.
func (p *benchPrinter) facts(limits []benchLimit) []tables.Fact {
	facts := []tables.Fact{
		{Key: "documents", Value: p.info.Documents},
		{Key: "terms", Value: p.info.Terms},
		{Key: "classes", Value: p.info.Classes},
		{Key: "postings", Value: int(p.info.Postings)},
		{Key: "cells", Value: int(p.info.Cells)},
		{Key: "text_bytes", Value: int(p.data.Bytes)},
		{Key: "buffer_bytes", Value: int(p.data.Buffer)},
		{Key: "rounds", Value: p.rounds},
		{Key: "processors", Value: runtime.GOMAXPROCS(0)},
		{Key: "kernels", Value: kernels.Path()},
	}
	for _, l := range limits {
		facts = append(facts, tables.Fact{Key: l.key, Value: l.share})
	}
	return facts
}
