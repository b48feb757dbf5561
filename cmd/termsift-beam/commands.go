package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// The number of parts of the terms without --parts. Each costs as many lines of features as -k
// says: 10,000 terms of 20 Newsgroups took 0.9 s of CPU time from 4 parts and 1.4 s from 16. Many
// workers need more, to share the terms among them.
const (
	partsInProcess = 4
	partsElsewhere = 64
)

// countFlags are the flags of the jobs that count.
type countFlags struct {
	jobFlags
	flags.Analysis
	flags.Rare
	parts   int
	repeats bool
}

func (f *countFlags) flags(out string) []flags.Flag {
	return slices.Concat(f.jobFlags.flags(out), f.Analysis.Flags(), []flags.Flag{
		f.Rare.Flag(),
		{Name: "allow-repeats", To: &f.repeats, Help: "count shards of the same documents, which then count twice"},
		{Name: "parts", To: &f.parts, Most: table.MostParts, Help: fmt.Sprintf(
			"parts of the terms, by their hash, which are added up and scored each by itself (default %d with prism, else %d)", partsInProcess, partsElsewhere)},
	})
}

// countPlan returns how shards are counted.
func (f *countFlags) countPlan() (p countPlan, err error) {
	if p.Shards, err = f.shards(); err != nil {
		return p, err
	}
	switch {
	case f.parts < 0 || f.parts > table.MostParts:
		return p, usage.Errorf("--parts can be 1 to %d, not %d", table.MostParts, f.parts)
	case f.LearnsPhrases() != "":
		return p, usage.Errorf("--phrases %s reads the text once more to learn phrases, which a job does not: learn them from a part by termsift index --phrase-list FILE, and name the file", f.Phrases)
	case f.parts == 0 && inProcess():
		f.parts = partsInProcess
	case f.parts == 0:
		f.parts = partsElsewhere
	}
	p.Parts, p.Rare = f.parts, f.Rare
	p.Options = ingest.Options{Shard: true, Charset: f.Read.Charset, Fields: f.Fields(), Target: f.Read.Target, Control: f.Read.Control, Threads: f.threads, TempDir: f.tempDir}
	p.Options.Analysis, err = f.Analysis.Options(f.lists())
	return p, err
}

func (f *jobFlags) lists() flags.Lists { return flags.Lists{Limit: f.Read.MaxList} }

func featuresCommand(stderr io.Writer) *cobra.Command {
	var f struct {
		countFlags
		flags.Selecting
		factors, svmlight string
	}
	c := &cobra.Command{
		Use:   "features --inputs 'GLOB' -o features.tsv",
		Short: "select terms by a measure, as termsift select does",
		Long: "features counts each shard, adds up the counts by parts of the terms, and writes the file that\n" +
			"termsift select writes of all shards together.",
		Example: "  termsift-beam features --inputs 'shards/*.jsonl' --tokens words --by chi -k 10000 -o features.tsv",
		RunE: func(c *cobra.Command, _ []string) error {
			count, err := f.countPlan()
			if err != nil {
				return err
			}
			if count.Options.Control != "" {
				return usage.Errorf("features selects each part of the terms by the classes alone: count with --control, and select with termsift select")
			}
			o, err := newChoice(f.Selecting, f.lists(), factorNames(f.factors), f.parts, f.threads)
			if err != nil {
				return err
			}
			o.Repeats = f.repeats
			if f.svmlight != "" {
				if err := onWorkers(&f.svmlight); err != nil {
					return err
				}
				if err := notAnInput(f.inputs, f.svmlight); err != nil {
					return err
				}
			}
			if err := tryOutputs([]string{f.out}, []string{f.svmlight}); err != nil {
				return err
			}
			return runJob(c.Context(), stderr, &f.jobFlags, func(s beam.Scope) {
				parts, heads := countShards(s, f.inputs, count)
				written := selectTerms(s, o, f.out, parts, heads)
				if f.svmlight != "" {
					writeVectors(s, vectorsPlan{Shards: count.Shards, Features: f.out, Glob: f.inputs, Out: f.svmlight, Format: "svmlight", Weight: "tf"}, written)
				}
			})
		},
	}
	flags.Add(c.Flags(), slices.Concat(f.countFlags.flags("the features file"), f.Selecting.Flags(), []flags.Flag{
		{
			Name: "factors", To: &f.factors, List: true, Choices: flags.From(selection.Factors),
			Help: "also write the factors of supervised weightings, for transform and train: " + strings.Join(selection.Factors(), ", "),
		},
		{Name: "svmlight", To: &f.svmlight, Writes: true, Folder: true, Help: "also write the reduced data, weight tf, a file for each shard, to this folder"},
	})...)
	return c
}

// factorNames returns the weightings in a list separated by commas.
func factorNames(list string) (all []table.Weighting) {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		all = append(all, table.Weighting(name))
	}
	return all
}

func statsCommand(stderr io.Writer) *cobra.Command {
	var f countFlags
	c := &cobra.Command{
		Use:   "stats --inputs 'GLOB' -o FILE.stats",
		Short: "count all shards into one file of statistics, as termsift index --stats-only does",
		Long: "stats counts each shard and writes the file of statistics that termsift index --stats-only writes of all\n" +
			"shards together: for termsift select, score, compare, explain, keyness and merge.",
		Example: "  termsift-beam stats --inputs 'shards/*.jsonl' --tokens words -o all.stats",
		RunE: func(c *cobra.Command, _ []string) error {
			count, err := f.countPlan()
			if err != nil {
				return err
			}
			if err := tryOutputs([]string{f.out}, nil); err != nil {
				return err
			}
			return runJob(c.Context(), stderr, &f.jobFlags, func(s beam.Scope) {
				parts, heads := countShards(s, f.inputs, count)
				s = s.Scope("write")
				logAll(s, writeJoined(s, &wholeFn{Choice: encodePlan(choice{Parts: f.parts, Repeats: f.repeats}), Out: f.out, Statistics: true}, parts, heads))
			})
		},
	}
	flags.Add(c.Flags(), f.flags("the file of statistics")...)
	return c
}

func transformCommand(stderr io.Writer) *cobra.Command {
	var f struct {
		jobFlags
		features, weight, to string
	}
	c := &cobra.Command{
		Use:   "transform --features features.tsv --inputs 'GLOB' -o DIR",
		Short: "turn documents into vectors over selected terms, a file for each shard",
		Long: "transform writes for each shard the file that termsift transform writes of it: to the folder DIR, with the\n" +
			"name of the shard and the ending of the format. The workers read the features file.",
		Example: "  termsift-beam transform --features features.tsv --weight ltc --inputs 'shards/*.jsonl' -o vectors",
		RunE: func(c *cobra.Command, _ []string) error {
			if f.features == "" {
				return usage.Errorf("name the features file by --features FILE")
			}
			if err := onWorkers(&f.features); err != nil {
				return err
			}
			if _, err := vectorFormatOf(f.to); err != nil {
				return err
			}
			f.ToPredict(c.Flags().Changed)
			shards, err := f.shards()
			if err != nil {
				return err
			}
			if err := tryOutputs(nil, []string{f.out}); err != nil {
				return err
			}
			if s, err := readFeatures(c.Context(), f.features); err != nil {
				return err
			} else if _, _, err := s.FactorsFor(table.Weighting(f.weight)); err != nil {
				return err
			}
			write := vectorsPlan{Shards: shards, Given: given(c.Flags()), Features: f.features, Glob: f.inputs, Out: f.out, Format: f.to, Weight: f.weight}
			return runJob(c.Context(), stderr, &f.jobFlags, func(s beam.Scope) {
				writeVectors(s, write, beam.Create(s, f.features))
			})
		},
	}
	flags.Add(c.Flags(), append(
		f.flags("the folder of the vectors"),
		flags.Flag{Name: "features", To: &f.features, Reads: flags.AFile, Help: "the features file"},
		flags.Flag{
			Name: "weight", To: &f.weight, Default: "tf", Choices: flags.From(selection.Weightings),
			Help: "weighting of the vectors: " + flags.Words(selection.Weightings()),
		},
		flags.Flag{Name: "to", To: &f.to, Default: "svmlight", Choices: flags.From(vectorFormatNames), Help: "the format: " + strings.Join(vectorFormatNames(), ", ")},
	)...)
	return c
}

// given returns the names of the flags that were given.
func given(set *pflag.FlagSet) (names []string) {
	set.Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
