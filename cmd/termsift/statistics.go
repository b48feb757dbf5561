package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// This file has the commands' operations on files of statistics.

// indexSummary is index --stats-only. Raw text is counted without an index.
func (f *inputFlags) indexSummary(c *cobra.Command, args []string, rare flags.Rare, out string) error {
	kind, err := f.kindOfOne(args)
	if err != nil {
		return err
	}
	var s *table.Table
	if kind == indexFile || f.docs != "" {
		s, err = f.statisticsOfCorpus(c, args)
	} else {
		s, err = f.count(c.Context(), args)
	}
	if err != nil {
		return err
	}
	all := s.Terms()
	if s, err = rare.LeftOut(s); err != nil {
		return err
	}
	if n := all - s.Terms(); n > 0 {
		f.note("%d of %d terms are in fewer than %d documents and were left out", n, all, rare.Least)
	}
	return f.write(out, func(w io.Writer) error {
		_, err := corpus.WriteStatistics(w, s)
		return err
	})
}

// statisticsOfCorpus opens or builds a corpus and counts it.
func (f *inputFlags) statisticsOfCorpus(c *cobra.Command, args []string) (*table.Table, error) {
	indexed, err := f.corpus(c, args)
	if err != nil {
		return nil, err
	}
	return indexed.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
}

// count counts raw inputs, and says what was read as build does.
func (f *inputFlags) count(ctx context.Context, paths []string) (*table.Table, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	source, err := f.source(ctx, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	counted, err := corpus.CountBatches(ctx, f.watchBatches(source), opt)
	if err := explained(source, err); err != nil {
		return nil, err
	}
	p := counted.Provenance()
	f.noteAnalysis(opt, p)
	f.sumUp(source, time.Since(start), &vocabulary{counted.Terms(), len(counted.Classes())})
	f.noteLeftOut(counted.EmptyDocuments, p)
	return counted.Table, nil
}

// mergeSummaries writes the sum of files of statistics.
func (f *mergeFlags) mergeSummaries(ctx context.Context, paths []string) error {
	opt := corpus.StatisticsMergeOptions{AllowRepeats: f.repeats, Dir: f.tempDir}
	return f.write(f.out, func(w io.Writer) error {
		warnings, err := corpus.MergeStatistics(ctx, w, paths, opt)
		f.warn(warnings)
		return err
	})
}

// statistics opens the file of statistics that is the only input of a command, or returns
// nil if the inputs are others. It refuses flags for raw text, and those that need documents.
func (a *app) statistics(c *cobra.Command, paths []string) (*table.Table, error) {
	if kind, err := a.kindOfOne(paths); err != nil || kind != statisticsFile {
		return nil, err
	}
	path := paths[0]
	if name := changedRaw(c); name != "" {
		return nil, usageError("--%s says how raw text is read, but %s has statistics", name, path)
	}
	if name := givenName(c, flags.OfDocuments); name != "" {
		return nil, usageError("--%s needs the documents, and %s has statistics only: use the index", name, path)
	}
	stats, err := a.openStatistics(path)
	if err != nil {
		return nil, err
	}
	a.noteIncomplete(stats)
	return stats, nil
}

// counted opens the inputs of a command that needs no more than counts: a file of statistics, an
// index, or raw text.
func (f *inputFlags) counted(c *cobra.Command, paths []string) (rank.Counted, error) {
	stats, err := f.statistics(c, paths)
	if err != nil {
		return nil, err
	}
	if stats != nil {
		return stats, nil
	}
	return f.corpus(c, paths)
}

func splitCommand(a *app) *command {
	var parts int
	var folder string
	return &command{
		use:   "split FILE.stats -n N -o DIR",
		short: "split statistics by their terms, for several machines",
		long: "split writes N files of statistics to the folder DIR, part-0-of-N.stats and so on: each has the terms\n" +
			"of one value of a hash, and the totals of all. Measures give a term the value in its part that it has\n" +
			"in the whole. merge adds up the same part of several shards, joins the parts of one whole to the\n" +
			"file that was split, and merges the features that select found in each part (by -k, --min-score or\n" +
			"--fpr) to those of the whole.",
		example: "  termsift split a.stats -n 4 -o parts",
		args:    atLeast(1, "a FILE of statistics"),
		flags: []flags.Flag{
			{
				Name: "parts", Short: "n", To: &parts, Most: table.MostParts, Group: flags.GroupOther,
				Help: fmt.Sprintf("number of parts, up to %d", table.MostParts),
			},
			{Name: "output", Short: "o", To: &folder, Folder: true, Writes: true, Group: flags.GroupOutput, Help: "the folder, which is made if it is not there"},
		},
		run: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError("split takes one FILE of statistics, not %d", len(args))
			case parts <= 0:
				return usageError("split needs the number of parts, a positive one: -n 16")
			case folder == "":
				return usageError("split needs the folder to write to: -o DIR")
			}
			return a.split(args[0], parts, folder)
		},
	}
}

func (a *app) split(path string, n int, folder string) error {
	if kind, err := a.kind(path); err != nil {
		return err
	} else if kind != statisticsFile {
		return usageError("%s is no file of statistics: make one with termsift index --stats-only %s -o FILE", path, path)
	}
	stats, err := a.openStatistics(path)
	if err != nil {
		return err
	}
	parts, err := stats.Split(n)
	if err != nil {
		return err
	}
	all := make([]filled, n)
	for i, part := range parts {
		to := filepath.Join(folder, fmt.Sprintf("part-%0*d-of-%d.stats", len(fmt.Sprint(n-1)), i, n))
		all[i] = filled{to, statisticsFile, func(w io.Writer) error { _, err := corpus.WriteStatistics(w, part); return err }}
	}
	return a.writeAll(folder, all)
}

// mergeParts merges features files, or files of statistics that are parts. It reports whether
// the files are such.
func (f *mergeFlags) mergeParts(ctx context.Context, paths []string, of map[fileKind]int, bounded bool) (bool, error) {
	features := of[featuresFile]
	kind, err := f.kind(paths[0])
	if err != nil {
		return true, err
	}
	var merge func(context.Context, []string) error
	switch {
	case features == len(paths):
		merge = f.mergeFeatures
	case features > 0:
		return true, usageError("merge takes features files or others, not both: those of parts merge, if select made them")
	case kind == statisticsFile:
		first, err := corpus.StatisticsProvenance(paths[0])
		if err != nil {
			return true, err
		}
		if first.Part == nil {
			return false, nil
		}
		merge = f.mergeStatisticsParts
	default:
		return false, nil
	}
	if bounded || f.store != "" {
		return true, usageError("--min-df, --max-df and --store are of an index, and %s is %s", paths[0], kind)
	}
	if f.repeats {
		return true, usageError("--allow-repeats is of statistics of all terms: parts of the same documents are never added up twice")
	}
	return true, merge(ctx, paths)
}

// mergeFeatures merges what was selected from parts.
func (f *mergeFlags) mergeFeatures(_ context.Context, paths []string) error {
	var parts []*selection.Selection
	for _, path := range paths {
		s, err := readSelection(path)
		if err != nil {
			return err
		}
		f.warn(s.Warnings)
		parts = append(parts, s)
	}
	merged, err := selection.MergeFeatures(parts...)
	if err != nil {
		return err
	}
	f.noteMissing(merged.Provenance.Part)
	return f.write(f.out, merged.WriteTSV)
}

// mergeStatisticsParts adds up the files of each part, in their order, and joins the parts.
func (f *mergeFlags) mergeStatisticsParts(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if kind, err := f.kind(path); err != nil {
			return err
		} else if kind != statisticsFile {
			return usageError("%s is no file of statistics, as the others are", path)
		}
	}
	return f.write(f.out, func(w io.Writer) error {
		missing, err := corpus.MergeParts(ctx, w, paths, corpus.StatisticsMergeOptions{Dir: f.tempDir})
		if err == nil {
			f.noteMissing(missing)
		}
		return err
	})
}

// noteMissing says that the result lacks the terms of other parts.
func (tk *talk) noteMissing(part *table.Part) {
	if part != nil {
		tk.note("the result is %s: merge it with the others", part)
	}
}

// noteIncomplete says what statistics lack: the terms of other parts, the rare ones of shards.
func (tk *talk) noteIncomplete(s *table.Table) {
	if part := s.Provenance().Part; part != nil {
		tk.note("the statistics are %s, by the hash of their terms: other terms are elsewhere", part)
	}
	if n := int(s.Missing); n > 0 {
		tk.note("rare terms of the shards were left out: all terms in more than %d documents are there, and of each up to %d documents may not be counted", n, n)
	}
}
