package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// This file has the commands' operations on files of statistics.

// indexSummary is index --stats-only. Raw text is counted without an index.
func (f *inputFlags) indexSummary(c *cobra.Command, args []string, rare flags.Rare, out string) error {
	kind, err := f.kindOfOne(args)
	if err != nil {
		return err
	}
	var s *corpus.Statistics
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
		_, err := s.WriteTo(w)
		return err
	})
}

// statisticsOfCorpus opens or builds a corpus and counts it.
func (f *inputFlags) statisticsOfCorpus(c *cobra.Command, args []string) (*corpus.Statistics, error) {
	indexed, err := f.corpus(c, args)
	if err != nil {
		return nil, err
	}
	return indexed.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
}

// count counts raw inputs, and says what was read as build does.
func (f *inputFlags) count(ctx context.Context, paths []string) (*corpus.Statistics, error) {
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
	return counted.Statistics, nil
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
func (a *app) statistics(c *cobra.Command, paths []string) (*corpus.Statistics, error) {
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

// selectFromStatistics selects terms by a method that the counts suffice for. Path is the
// file of the statistics.
func (f *selectingFlags) selectFromStatistics(c *cobra.Command, m selection.Method, stats *corpus.Statistics, path string) (*selection.Selection, error) {
	by, ok := m.(methods.Measure)
	switch {
	case !ok:
		return nil, usageError("--by %s looks at the terms of each document, and %s has statistics only: use the index", f.By, path)
	case f.Rules.Auto():
		return nil, usageError("-k auto tries parts of the documents, and %s has statistics only: use the index, or say a number", path)
	}
	if err := f.best.refuse(c); err != nil {
		return nil, err
	}
	choose, err := f.stages(by)
	if err != nil {
		return nil, err
	}
	return choose(c.Context(), stats)
}
