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
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat(flags.In(flags.GroupMeasuring, []flags.Flag{
			{Name: "threads", To: &f.threadCounts, Help: "numbers of goroutines, separated by commas (default 1, 2, 4 and so on up to GOMAXPROCS)"},
			{Name: "rounds", To: &f.rounds, Default: 5, Positive: true, Most: 1000, Help: "take the median of so many rounds"},
			{
				Name: "buffer", To: &f.buffer, Default: "512MiB", Takes: "SIZE",
				Help: "the memory whose reading is measured; it should be larger than the caches",
			},
		}), f.wholeFlags(), []flags.Flag{formatFlag(&f.format, "table")}),
		run: func(c *cobra.Command, args []string) error { return f.bench(c, args) },
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
	rows, err := f.measureStages(c.Context(), data, threads, f.rounds)
	if err != nil {
		return err
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
	if kind := f.kindOfOne(args); kind == indexFile || kind == statisticsFile {
		return f.benchIndex(c.Context(), args)
	}
	return f.benchText(c.Context(), args)
}

// benchIndex opens an index.
func (f *benchFlags) benchIndex(ctx context.Context, args []string) (*stages.Data, error) {
	whole, err := f.load(ctx, args)
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
	opt, err := f.options()
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

// measureStages measures the stages of the data, and shows on a terminal how far it is.
func (a *app) measureStages(ctx context.Context, d *stages.Data, threads []int, rounds int) ([]stages.Row, error) {
	list, err := d.Stages(ctx)
	if err != nil {
		return nil, err
	}
	tell, end := a.countdown()
	defer end()
	rows, err := stages.Run(ctx, list, threads, rounds, tell)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return rows, nil
}
