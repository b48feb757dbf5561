package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
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
func (a *app) mergeSummaries(out string, paths []string) error {
	var sum *corpus.Statistics
	for _, path := range paths {
		s, err := corpus.OpenStatistics(path)
		if err != nil {
			return err
		}
		if sum == nil {
			sum = s
		} else if sum, err = sum.Add(s); err != nil {
			return err
		}
	}
	return a.write(out, func(w io.Writer) error {
		_, err := sum.WriteTo(w)
		return err
	})
}

// needDocuments are the flags of all commands that need the documents of the counts.
var needDocuments = []string{"docs", "reference", "reference-docs"}

// statistics opens the file of statistics that is the only input of a command, or returns
// nil if the inputs are others. It refuses flags for raw text, and those that need
// documents: needDocuments and the given ones.
func (a *app) statistics(c *cobra.Command, paths []string, flags ...string) (*corpus.Statistics, error) {
	if len(paths) != 1 {
		return nil, nil
	}
	path := paths[0]
	if isSummary, err := startsAsSummary(path); err != nil || !isSummary {
		return nil, err
	}
	if name := changedRaw(c); name != "" {
		return nil, usageError("--%s says how raw text is read, but %s has statistics", name, path)
	}
	for _, name := range slices.Concat(needDocuments, flags) {
		if c.Flags().Changed(name) {
			return nil, usageError("--%s needs the documents, and %s has statistics only: use the index", name, path)
		}
	}
	stats, err := corpus.OpenStatistics(path)
	if err != nil {
		return nil, err
	}
	a.warnPart(stats)
	return stats, nil
}

// counted opens the inputs of a command that needs no more than counts: a file of
// statistics, for which some flags are refused, an index, or raw text.
func (a *app) counted(c *cobra.Command, f *inputFlags, paths []string, flags ...string) (rank.Counted, error) {
	stats, err := a.statistics(c, paths, flags...)
	if err != nil {
		return nil, err
	}
	if stats != nil {
		return stats, nil
	}
	return a.corpus(c, f, paths)
}

// selectFromStatistics selects terms by a method that the counts suffice for. Path is the
// file of the statistics.
func (a *app) selectFromStatistics(c *cobra.Command, f *selectingFlags, m selection.Method, stats *corpus.Statistics, path string) (*selection.Selection, error) {
	by, ok := m.(methods.Measure)
	switch {
	case !ok:
		return nil, usageError("--by %s looks at the terms of each document, and %s has statistics only: use the index", f.by, path)
	case f.rules.auto():
		return nil, usageError("-k auto tries parts of the documents, and %s has statistics only: use the index, or say a number", path)
	}
	if err := f.best.refuse(c); err != nil {
		return nil, err
	}
	choose, err := a.stages(f, by)
	if err != nil {
		return nil, err
	}
	return choose(c.Context(), stats)
}
