package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// This file has the commands that make indexes, statistics and features from others.

type mergeFlags struct {
	*app
	out, minDF, maxDF string
	tempDir, store    string
	threads           int
	repeats           bool
}

func (f *mergeFlags) flags() []flags.Flag {
	return []flags.Flag{
		{Name: "output", Short: "o", To: &f.out, Writes: true, Group: flags.GroupOutput, Help: "the index file; - is standard output"},
		storeFlag(&f.store, "what all INDEXes hold"),
		minDFFlag(&f.minDF, "least documents of a term of the result, as of index", 0),
		maxDFFlag(&f.maxDF, "most documents of a term of the result, as of index", 0),
		{Name: "allow-repeats", To: &f.repeats, Group: flags.GroupOther, Help: "take files of the same documents, which then count twice"},
		threadsFlag(&f.threads),
		tempDirFlag(&f.tempDir, "directory for temporary files, smaller than the result (default the system's)", 0),
	}
}

func mergeCommand(a *app) *command {
	var f mergeFlags
	f.app = a
	return &command{
		use:   "merge INDEX... -o FILE",
		short: "make one index of several, as one build of all documents would be",
		long: "merge writes the index of the documents of all indexes, those of the first before those of the second:\n" +
			"the bytes of one build of them all. They must have been analysed alike and not be bounded by document\n" +
			"frequency; bounds may be given here. With files of statistics (index --stats-only) it adds these up, any\n" +
			"number of them in little memory. Parts of statistics (see split) are added up part by part and joined, in\n" +
			"any order; with features files that select made of parts it writes the features of the whole.",
		example: "  termsift merge jan.idx feb.idx mar.idx -o quarter.idx\n  termsift merge a.stats b.stats -o both.stats",
		args:    atLeast(1, "an INDEX"),
		flags:   f.flags(),
		output: func(args []string) fileKind {
			if len(args) > 0 {
				if kind := a.kind(args[0]); kind == statisticsFile || kind == featuresFile {
					return kind
				}
			}
			return indexFile
		},
		run: f.merge,
	}
}

// merge merges what the paths name: features, parts of statistics, statistics or indexes.
func (f *mergeFlags) merge(c *cobra.Command, paths []string) (err error) {
	if f.out == "" {
		return usageError("merge needs the file to write: -o FILE")
	}
	opt := corpus.MergeOptions{Names: paths, AllowRepeats: f.repeats, Warn: f.warn, Dir: f.tempDir, Threads: f.threads}
	if opt.MinDF, opt.MaxDF, err = bounds(f.minDF, f.maxDF); err != nil {
		return err
	}
	bounded, kind := opt.MinDF != 0 || opt.MaxDF != 0, f.kind(paths[0])
	features, statistics := f.ofKinds(paths)[featuresFile], f.ofKinds(paths)[statisticsFile]
	ofParts := features == len(paths)
	if kind == statisticsFile {
		first, err := corpus.StatisticsProvenance(paths[0])
		if err != nil {
			return err
		}
		ofParts = first.Part != nil
	}
	switch {
	case features > 0 && features < len(paths):
		return usageError("merge takes features files or others, not both: those of parts merge, if select made them")
	case ofParts && (bounded || f.store != ""):
		return usageError("--min-df, --max-df and --store are of an index, and %s is %s", paths[0], kind)
	case ofParts && f.repeats:
		return usageError("--allow-repeats is of statistics of all terms: parts of the same documents are never added up twice")
	case features > 0:
		return f.mergeFeatures(paths)
	case ofParts:
		return f.mergeStatisticsParts(c.Context(), paths)
	case statistics == 0:
		return f.mergeIndexes(c.Context(), paths, opt)
	case statistics < len(paths):
		return usageError("merge takes indexes or files of statistics, not both: statistics have no postings")
	case bounded:
		return usageError("--min-df and --max-df bound the terms of an index: statistics that lack terms do not add up")
	case f.store != "":
		return usageError("--store is of an index: files of statistics hold nothing beside them")
	}
	return f.write(f.out, func(w io.Writer) error {
		warnings, err := corpus.MergeStatistics(c.Context(), w, paths, corpus.StatisticsMergeOptions{AllowRepeats: f.repeats, Dir: f.tempDir})
		f.warn(warnings)
		return err
	})
}

func (f *mergeFlags) mergeIndexes(ctx context.Context, paths []string, opt corpus.MergeOptions) (err error) {
	var corpora []*corpus.Corpus
	for _, path := range paths {
		c, failed := f.openIndex(path)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		corpora = append(corpora, c)
	}
	f.warnDedupe(corpora...)
	if opt.NoCells, err = f.withoutCells(f.store, corpora...); err != nil {
		return err
	}
	return f.write(f.out, func(w io.Writer) error { return corpus.Merge(ctx, w, opt, corpora...) })
}

// mergeFeatures merges what was selected from parts.
func (f *mergeFlags) mergeFeatures(paths []string) error {
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

// openIndex opens an index. It returns an error if the file is none.
func (a *app) openIndex(path string) (*corpus.Corpus, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	if err := a.expect(path, indexFile, "%s is no index: make one with termsift index %s -o FILE"); err != nil {
		return nil, err
	}
	return a.openCorpus(path, corpus.OpenOptions{})
}

// warnDedupe warns that repeated texts are only found within each input.
func (tk *talk) warnDedupe(corpora ...*corpus.Corpus) {
	if len(corpora) > 1 && corpora[0].Provenance().Dedupe {
		tk.warn([]string{"--dedupe saw each index alone: a document that two of them have counts twice"})
	}
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
