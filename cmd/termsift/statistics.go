package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// This file has the commands' operations on files of statistics.

// indexSummary is index --stats-only. Raw text is counted without an index.
func (a *app) indexSummary(c *cobra.Command, f *inputFlags, args []string, out string) error {
	isIndex, err := isOneIndex(args)
	if err != nil {
		return err
	}
	var s *corpus.Statistics
	if isIndex || f.docs != "" {
		s, err = a.statisticsOfCorpus(c, f, args)
	} else {
		s, err = a.count(c.Context(), f, args)
	}
	if err != nil {
		return err
	}
	return a.write(out, func(w io.Writer) error {
		_, err := s.WriteTo(w)
		return err
	})
}

// statisticsOfCorpus opens or builds a corpus and counts it.
func (a *app) statisticsOfCorpus(c *cobra.Command, f *inputFlags, args []string) (*corpus.Statistics, error) {
	indexed, err := a.corpus(c, f, args)
	if err != nil {
		return nil, err
	}
	return indexed.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
}

// count counts raw inputs, and says what was read as build does.
func (a *app) count(ctx context.Context, f *inputFlags, paths []string) (*corpus.Statistics, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	a.noteDeprecated(f)
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	counted, err := corpus.CountBatches(ctx, a.watchBatches(source), opt)
	if err != nil {
		return nil, explained(source, err)
	}
	p := counted.Provenance()
	a.noteDecided(opt, p)
	a.sumUp(source, time.Since(start), fmt.Sprintf(", %d terms, %d classes", counted.Terms(), len(counted.Classes())))
	a.noteLeftOut(counted.EmptyDocuments, p)
	return counted.Statistics, nil
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
