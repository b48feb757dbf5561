package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// This file has the commands' operations on files of statistics.

// mergeSummaries writes the sum of files of statistics.
func (f *mergeFlags) mergeSummaries(ctx context.Context, paths []string) error {
	opt := corpus.StatisticsMergeOptions{AllowRepeats: f.repeats, Dir: f.tempDir}
	return f.write(f.out, func(w io.Writer) error {
		warnings, err := corpus.MergeStatistics(ctx, w, paths, opt)
		f.warn(warnings)
		return err
	})
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
	if err := a.expect(path, statisticsFile, "%s is no file of statistics: make one with termsift index --stats-only %s -o FILE"); err != nil {
		return err
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
	kind := f.kind(paths[0])
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
		if err := f.expect(path, statisticsFile, "%s is no file of statistics, as the others are"); err != nil {
			return err
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
