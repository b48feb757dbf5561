package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// This file has the commands' operations on files of statistics.

func (a *app) writeSummary(ctx context.Context, out string, c *corpus.Corpus, threads int) error {
	s, err := c.Statistics(ctx, corpus.CountOptions{Threads: threads})
	if err != nil {
		return err
	}
	return a.write(out, func(w io.Writer) error {
		_, err := s.WriteTo(w)
		return err
	})
}

// mergeSummaries writes the sum of files of statistics.
func (a *app) mergeSummaries(ctx context.Context, f *mergeFlags, paths []string) error {
	opt := corpus.StatisticsMergeOptions{AllowRepeats: f.repeats, Dir: f.tempDir}
	return a.write(f.out, func(w io.Writer) error {
		warnings, err := corpus.MergeStatistics(ctx, w, paths, opt)
		a.warn(warnings)
		return err
	})
}

// scoreSummary is the command score for a file of statistics, for everything that needs
// no postings.
func (a *app) scoreSummary(c *cobra.Command, f *scoreFlags, path string, plans []rank.Plan) error {
	if name := changedRaw(c); name != "" {
		return usageError("--%s says how raw text is read, but %s has statistics", name, path)
	}
	for _, name := range []string{"docs", "reference", "reference-docs", "permutations"} {
		if c.Flags().Changed(name) {
			return usageError("--%s needs postings, and %s has statistics only: use the index", name, path)
		}
	}
	stats, err := corpus.OpenStatistics(path)
	if err != nil {
		return err
	}
	return newScorer(a, c, f, stats).all(plans)
}
