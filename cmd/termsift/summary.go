package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// This file has what the commands do with files of statistics.

func (a *app) writeSummary(ctx context.Context, out string, corpus *engine.Corpus, threads int) error {
	s, err := corpus.Summary(ctx, threads)
	if err != nil {
		return err
	}
	return a.write(out, func(w io.Writer) error {
		_, err := s.WriteTo(w)
		return err
	})
}

// mergeSummaries adds files of statistics up.
func (a *app) mergeSummaries(out string, paths []string) error {
	var sum *engine.Summary
	for _, path := range paths {
		s, err := engine.OpenSummary(path)
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

// scoreSummary is score of a file of statistics, with what needs no postings.
func (a *app) scoreSummary(c *cobra.Command, f *scoreFlags, path string, measures []string) error {
	if name := changedRaw(c); name != "" {
		return usageError("--%s says how raw text is read, but %s has statistics", name, path)
	}
	for _, name := range []string{"docs", "reference", "reference-docs", "permutations"} {
		if c.Flags().Changed(name) {
			return usageError("--%s needs postings, and %s has statistics only: use the index", name, path)
		}
	}
	summary, err := engine.OpenSummary(path)
	if err != nil {
		return err
	}
	s := scorer{a: a, c: c, f: f, stats: summary.Statistics, warned: map[string]bool{}}
	s.p = &printer{w: a.out, format: f.format, terminal: a.toTerminal, byClass: f.combine == "class", pvalues: f.pvalues}
	return s.all(s.scorings(measures))
}
