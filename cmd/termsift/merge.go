package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
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
			"number of them in little memory.",
		example: "  termsift merge jan.idx feb.idx mar.idx -o quarter.idx\n  termsift merge a.stats b.stats -o both.stats",
		args:    atLeast(1, "an INDEX"),
		flags:   f.flags(),
		output: func(args []string) fileKind {
			if len(args) > 0 {
				if a.kind(args[0]) == statisticsFile {
					return statisticsFile
				}
			}
			return indexFile
		},
		run: f.merge,
	}
}

// merge merges what the paths name: statistics or indexes.
func (f *mergeFlags) merge(c *cobra.Command, paths []string) (err error) {
	if f.out == "" {
		return usageError("merge needs the file to write: -o FILE")
	}
	opt := corpus.MergeOptions{Names: paths, AllowRepeats: f.repeats, Warn: f.warn, Dir: f.tempDir, Threads: f.threads}
	if opt.MinDF, opt.MaxDF, err = bounds(f.minDF, f.maxDF); err != nil {
		return err
	}
	statistics := f.ofKinds(paths)[statisticsFile]
	switch {
	case f.ofKinds(paths)[featuresFile] > 0:
		return usageError("merge takes indexes or statistics, and features files are selected from what these add up to: termsift select on it")
	case statistics == 0:
		return f.mergeIndexes(c.Context(), paths, opt)
	case statistics < len(paths):
		return usageError("merge takes indexes or files of statistics, not both: statistics have no postings")
	case opt.MinDF != 0 || opt.MaxDF != 0:
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
