package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

type indexFlags struct {
	inputFlags
	out, store string
	statsOnly  bool
	rare       flags.Rare
}

func indexCommand(a *app) *command {
	var f indexFlags
	f.app = a
	return &command{
		use:   "index INPUT... -o FILE",
		short: "count a corpus once and keep it in a file",
		example: "  termsift index 20news-bydate.tar.gz --split train --charset latin-1 -o train.idx\n" +
			"  termsift index reuters21578.tar.gz --split train --single-label --classes both -o r52.idx\n" +
			"  termsift index --docs 'not file=fold1.txt' all.idx -o train1.idx\n" +
			"  termsift index --max-memory 256MiB large.jsonl.zst -o large.idx\n" +
			"  termsift index --store none train.tar.gz -o train.idx\n" +
			"  termsift index reviews.csv.gz --text-field review --label-field cat --tokens zh-bigrams -o reviews.idx",
		flags: slices.Concat(f.flags(), flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "output", Short: "o", To: &f.out, Writes: true, Missing: toWrite + "FILE", Help: "the index file; - is standard output"},
			{Name: "stats-only", To: &f.statsOnly, Help: "write the statistics of all terms and classes without the postings: for score and merge"},
			storeFlag(&f.store, "cells"),
			f.rare.Flag(),
		})),
		output: func([]string) fileKind {
			if f.statsOnly {
				return statisticsFile
			}
			return indexFile
		},
		classes: classesOptional,
		run:     f.run,
	}
}

func (f *indexFlags) run(c *cobra.Command, args []string) error {
	noCells := f.store == storeNothing
	switch {
	case f.statsOnly:
		return f.writeStatistics(c, args)
	case f.maxMemory != "":
		return f.buildFile(c.Context(), args, noCells)
	}
	// An index is an input only if a part of it or a file with other contents is asked for.
	var made *corpus.Corpus
	var err error
	if f.docs != "" || f.store != "" && f.kindOfOne(args) == indexFile {
		made, err = f.corpus(c, args)
	} else {
		made, err = f.build(c.Context(), args)
	}
	if err != nil {
		return err
	}
	return f.write(f.out, func(w io.Writer) error {
		_, err := made.Write(c.Context(), w, corpus.SaveOptions{NoCells: noCells, Threads: f.threads})
		return err
	})
}

// buildFile builds an index file, with cells unless noCells is set, from raw inputs, which
// need not fit into memory.
func (f *indexFlags) buildFile(ctx context.Context, paths []string, noCells bool) error {
	return f.read(ctx, paths, func(source *reader.Source, opt *corpus.Options) (m made, err error) {
		opt.NoCells = noCells
		err = f.write(f.out, func(w io.Writer) error {
			built, err := ingest.BuildTo(ctx, w, f.watchBatches(source), *opt)
			if err := explained(source, err); err != nil {
				return err
			}
			m = made{vocabulary{built.Terms, built.Classes}, built.EmptyDocuments, built.Provenance}
			return nil
		})
		return m, err
	})
}

// writeStatistics is index --stats-only. Raw text is counted without an index.
func (f *indexFlags) writeStatistics(c *cobra.Command, args []string) error {
	f.shard = true
	var s *table.Table
	var err error
	switch {
	case f.kindOfOne(args) == indexFile || f.docs != "":
		var indexed *corpus.Corpus
		if indexed, err = f.corpus(c, args); err == nil {
			s, err = indexed.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
		}
	case f.maxMemory == "":
		s, err = f.count(c, args)
	case f.needsIndex() || f.rare.Least != 0:
		return usageError("--max-memory bounds what --stats-only counts of all: --dedupe, --min-df, --max-df and --local-min-df hold the table in memory; omit them, or index within the bound and take index --stats-only of that")
	default:
		counted, err := f.countToFile(c.Context(), args)
		if err != nil {
			return err
		}
		return f.write(f.out, func(w io.Writer) error {
			open := func(int) (*store.TableFile, error) { return counted.TableFile, nil } // the merging closes it
			return store.MergeTables(c.Context(), w, 1, open, store.TableMergeOptions{Meta: counted.Meta})
		})
	}
	if err != nil {
		return err
	}
	all := s.Terms()
	if s, err = f.rare.LeftOut(s); err != nil {
		return err
	}
	if n := all - s.Terms(); n > 0 {
		f.note("%d of %d terms are in fewer than %d documents and were left out", n, all, f.rare.Least)
	}
	return f.write(f.out, func(w io.Writer) error {
		_, err := corpus.WriteStatistics(w, s)
		return err
	})
}

// countToFile counts raw inputs into a temporary file.
func (f *inputFlags) countToFile(ctx context.Context, paths []string) (counted *ingest.CountedFile, err error) {
	err = f.read(ctx, paths, func(source *reader.Source, opt *corpus.Options) (m made, err error) {
		counted, err = ingest.CountToFile(ctx, f.watchBatches(source), *opt)
		if err := explained(source, err); err != nil {
			return m, err
		}
		return made{vocabulary{counted.Terms, len(counted.Classes)}, counted.EmptyDocuments, counted.Provenance}, nil
	})
	return counted, err
}

// needsIndex reports whether documents have to be known apart, or the frequencies of terms in all of them.
func (f *inputFlags) needsIndex() bool {
	return f.dedupe || f.minDF != "0" || f.maxDF != "0" || f.segment != 0
}

// count counts raw inputs.
func (f *inputFlags) count(c *cobra.Command, paths []string) (counted *table.Table, err error) {
	err = f.read(c.Context(), paths, func(source *reader.Source, opt *corpus.Options) (m made, err error) {
		s, err := corpus.CountBatches(c.Context(), f.watchBatches(source), *opt)
		if err := explained(source, err); err != nil {
			return m, err
		}
		counted = s.Table
		return made{vocabulary{s.Terms(), len(s.Classes())}, s.EmptyDocuments, s.Provenance()}, nil
	})
	return counted, err
}

// toWrite is what a command lacks without -o.
const toWrite = "the file to write: -o "

// storeNothing is the value of --store for no optional contents.
const storeNothing = "none"

// storeFlag returns the flag of the optional contents of an index.
func storeFlag(to *string, without string) flags.Flag {
	return flags.Flag{
		Name: "store", To: to, Choices: flags.Among("cells", storeNothing), OneOf: true, Group: flags.GroupOutput,
		Excludes: "stats-only", Why: "is of an index, and files of statistics hold nothing beside them",
		Help: "what the result has for speed: cells, the counts of every term in every class, or none (default " + without + ")",
	}
}

// withoutCells reports whether an index made from others has no cells: none were asked for, or,
// where nothing was, some of the others have none. It prints a note if only some have.
func (tk *talk) withoutCells(asked string, corpora ...*corpus.Corpus) bool {
	if asked != "" {
		return asked == storeNothing
	}
	having := 0
	for _, c := range corpora {
		if c.HasCells() {
			having++
		}
	}
	if having > 0 && having < len(corpora) {
		tk.note("note: the result does not hold cells, for not all indexes do: --store cells makes them anew")
	}
	return having < len(corpora)
}

type mergeFlags struct {
	*app
	corpus.MergeOptions
	out, minDF, maxDF, store string
}

func (f *mergeFlags) flags() []flags.Flag {
	return []flags.Flag{
		{Name: "output", Short: "o", To: &f.out, Writes: true, Missing: toWrite + "FILE", Group: flags.GroupOutput, Help: "the index file; - is standard output"},
		storeFlag(&f.store, "what all INDEXes hold"),
		minDFFlag(&f.minDF, "least documents of a term of the result, as of index", 0),
		maxDFFlag(&f.maxDF, "most documents of a term of the result, as of index", 0),
		{Name: "allow-repeats", To: &f.AllowRepeats, Group: flags.GroupOther, Help: "take files of the same documents, which then count twice"},
		threadsFlag(&f.Threads),
		tempDirFlag(&f.Dir, "directory for temporary files, smaller than the result (default the system's)", 0),
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
		args:    arguments(1, flags.Unlimited, "an INDEX"),
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
	f.Names, f.Warn = paths, f.warn
	if f.MinDF, f.MaxDF, err = bounds(f.minDF, f.maxDF); err != nil {
		return err
	}
	statistics := f.ofKinds(paths)[statisticsFile]
	switch {
	case f.ofKinds(paths)[featuresFile] > 0:
		return usageError("merge takes indexes or statistics, and features files are selected from what these add up to: termsift select on it")
	case statistics == 0:
		return f.mergeIndexes(c.Context(), paths)
	case statistics < len(paths):
		return usageError("merge takes indexes or files of statistics, not both: statistics have no postings")
	case f.MinDF != 0 || f.MaxDF != 0:
		return usageError("--min-df and --max-df bound the terms of an index: statistics that lack terms do not add up")
	case f.store != "":
		return usageError("--store is of an index: files of statistics hold nothing beside them")
	}
	return f.write(f.out, func(w io.Writer) error {
		warnings, err := corpus.MergeStatistics(c.Context(), w, paths, corpus.StatisticsMergeOptions{AllowRepeats: f.AllowRepeats, Dir: f.Dir})
		f.warn(warnings)
		return err
	})
}

func (f *mergeFlags) mergeIndexes(ctx context.Context, paths []string) (err error) {
	var corpora []*corpus.Corpus
	for _, path := range paths {
		failed := regular(path)
		if failed == nil && f.kind(path) != indexFile {
			if _, failed = kindOf(path); failed == nil {
				failed = usageError("%s is no index: make one with termsift index %[1]s -o FILE", path)
			}
		}
		if failed != nil {
			return failed
		}
		c, failed := f.openCorpus(path, corpus.OpenOptions{})
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		corpora = append(corpora, c)
	}
	if len(corpora) > 1 && corpora[0].Provenance().Dedupe {
		f.warn([]string{"--dedupe saw each index alone: a document that two of them have counts twice"})
	}
	f.NoCells = f.withoutCells(f.store, corpora...)
	return f.write(f.out, func(w io.Writer) error { return corpus.Merge(ctx, w, f.MergeOptions, corpora...) })
}
