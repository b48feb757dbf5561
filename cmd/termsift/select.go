package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// selectingFlags say which terms to keep.
type selectingFlags struct {
	scoringFlags
	by, then             string
	rules                rules
	perClass, roundRobin bool
	keep, drop           string
	best                 bestTermsFlags
}

func (f *selectingFlags) register(c *cobra.Command) {
	f.scoringFlags.register(c)
	f.registerPValues(c)
	f.best.register(c)
	flags := c.Flags()
	flags.StringVar(&f.by, "by", "chi", "measure; or mrmr, jmi, cmim: K terms for what each adds to those before; or "+byBestTerms)
	f.rules.register(c)
	flags.BoolVar(&f.perClass, "per-class", false, "select for each class and unite")
	flags.BoolVar(&f.roundRobin, "round-robin", false, "the best of each class in turn, K in all")
	flags.StringVar(&f.then, "then", "", "a second stage: measure that selects among the terms of the first")
	flags.StringVar(&f.keep, "keep", "", "file of terms to keep whatever their value")
	flags.StringVar(&f.drop, "drop", "", "file of terms to leave out")
}

// selecting turns the flags into the options of each stage.
func (f *selectingFlags) selecting(threads int) ([]engine.Selecting, error) {
	o := engine.Selecting{Scoring: f.scoring(f.by, threads), PerClass: f.perClass, RoundRobin: f.roundRobin}
	for _, list := range []struct {
		path string
		to   *[]string
	}{{f.keep, &o.Keep}, {f.drop, &o.Drop}} {
		if list.path == "" {
			continue
		}
		var err error
		if *list.to, err = readWords(list.path); err != nil {
			return nil, err
		}
	}
	return f.stages(o)
}

func (a *app) selectCommand() *cobra.Command {
	var f struct {
		inputFlags
		selectingFlags
		out, svmlight, factors string
	}
	c := &cobra.Command{
		Use:   "select INPUT... -o features.tsv",
		Short: "select terms by a measure",
		Long: "select writes the best terms by a measure: -k, --percentile or --min-score say how many.\n\n" +
			"--by best-terms chooses the best term of every document instead, as many as that takes: for\n" +
			"each class the terms for it (positive) and against it (negative), which -p makes more precise.\n" +
			"The features are those of all classes; --class-terms has them class by class, and how many\n" +
			"documents each keeps: one without a positive term is outside the class at once. --svmlight\n" +
			"has all documents; of one --class, those that it keeps, labelled 1 and -1.",
		Example: "  termsift select --by chi --combine max -k 10000 train.idx -o features.tsv\n" +
			"  termsift select --by ig --percentile 5 train.jsonl --svmlight train.svm\n" +
			"  termsift select --by chi --fdr 0.05 train.idx -o features.tsv\n" +
			"  termsift select --by ocfs --weight ltc -k 10000 --then ig -k 500 train.idx -o features.tsv\n" +
			"  termsift select --by best-terms --function chi -p 0.25 train.idx --class-terms classes.tsv -o features.tsv",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.by == byBestTerms {
				return a.selectBestTerms(c, &f.inputFlags, &f.selectingFlags, f.out, f.svmlight, args)
			}
			s, corpus, err := a.selection(c, &f.inputFlags, &f.selectingFlags, args)
			if err != nil {
				return err
			}
			if f.factors != "" {
				if s, err = s.WithFactors(c.Context(), corpus, f.threads, strings.Split(f.factors, ",")...); err != nil {
					return err
				}
			}
			if f.svmlight != "" {
				if err := a.writeRows(f.svmlight, "svmlight", s, "tf", func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) }); err != nil {
					return err
				}
			}
			return a.write(f.out, s.WriteTSV)
		},
	}
	f.inputFlags.register(c)
	f.registerReference(c)
	f.selectingFlags.register(c)
	c.Flags().StringVarP(&f.out, "output", "o", "", "the features file (default standard output)")
	c.Flags().StringVar(&f.factors, "factors", "", "also write the factors of supervised weightings, for transform and train: "+strings.Join(engine.Factors(), ", "))
	c.Flags().StringVar(&f.svmlight, "svmlight", "", "also write the reduced data, weight tf, to this file")
	return c
}

// selection selects terms of the inputs.
func (a *app) selection(c *cobra.Command, in *inputFlags, f *selectingFlags, args []string) (*engine.Selection, *engine.Corpus, error) {
	if f.by == byBestTerms {
		return a.bestTermsSelection(c, in, f, args)
	}
	if err := f.best.refuse(c); err != nil {
		return nil, nil, err
	}
	choose, err := a.chooser(c, f, in.threads)
	if err != nil {
		return nil, nil, err
	}
	corpus, err := a.corpus(c, in, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := choose(c.Context(), corpus)
	return s, corpus, err
}

type chooser func(ctx context.Context, corpus *engine.Corpus) (*engine.Selection, error)

// chooser is the way to choose terms that the flags ask for. It finds errors in them
// before the corpus is read.
func (a *app) chooser(c *cobra.Command, f *selectingFlags, threads int) (chooser, error) {
	if slices.Contains(engine.RedundancyCriteria(), f.by) {
		return a.redundancy(c, f, threads)
	}
	stages, err := f.selecting(threads)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, corpus *engine.Corpus) (s *engine.Selection, err error) {
		for _, o := range stages {
			o.Among = s
			if s, err = corpus.Select(ctx, o); err != nil {
				return nil, err
			}
			a.warn(s.Warnings)
			a.tellStage(s.Stages[len(s.Stages)-1])
		}
		return s, nil
	}, nil
}

type rows = func(yield func(engine.Row, error) bool)

type transformFlags struct {
	inputFlags
	selectingFlags
	features, out, to string
}

func (a *app) transformCommand() *cobra.Command {
	var f transformFlags
	c := &cobra.Command{
		Use:   "transform INPUT... -o out.svm",
		Short: "turn documents into vectors over selected terms",
		Long: "transform writes one vector a document. With --features the terms are those of a file that\n" +
			"select wrote, raw text is analysed in the same way, and idf is that of the selection's\n" +
			"corpus; without, terms are selected from the input itself. --weight is the weighting of the\n" +
			"vectors: tf, tfidf, tfidf-unit, ltc, binary, or a supervised one, whose factors a features\n" +
			"file has if it was written with --factors: tf-rf, tf-chi, tf-ig, delta-idf, each also with\n" +
			"-unit behind it.",
		Example: "  termsift transform --features features.tsv --weight ltc test.jsonl -o test.svm\n" +
			"  termsift transform --by chi -k 10000 20news-bydate.tar.gz --split train -o train.svm",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error { return a.transform(c, &f, args) },
	}
	f.inputFlags.register(c)
	f.selectingFlags.register(c)
	c.Flags().StringVar(&f.features, "features", "", "a features file of select")
	c.Flags().StringVarP(&f.out, "output", "o", "", "the output (default standard output)")
	c.Flags().StringVar(&f.to, "to", "svmlight", "svmlight, jsonl or npz")
	return c
}

func (a *app) transform(c *cobra.Command, f *transformFlags, args []string) error {
	if _, ok := rowFormats[f.to]; !ok {
		return usageError("unknown output %q; known: svmlight jsonl npz", f.to)
	}
	weight := f.weight
	if f.features == "" {
		// --weight is that of the vectors; a measure that wants a column takes it as well.
		s, corpus, err := a.selection(c, &f.inputFlags, &f.selectingFlags, args)
		if err == nil {
			s, err = s.WithFactors(c.Context(), corpus, f.threads, weight)
		}
		if err != nil {
			return err
		}
		return a.writeRows(f.out, f.to, s, weight, func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) })
	}
	s, err := readSelection(f.features)
	if err != nil {
		return err
	}
	vectors, done, err := a.vectors(c, &f.inputFlags, s, "--features", args)
	if err != nil {
		return err
	}
	if err := a.writeRows(f.out, f.to, s, weight, vectors); err != nil {
		return err
	}
	done()
	return nil
}

// vectors opens inputs, whose documents a transformer of the selection turns into rows.
// Raw ones are analysed as the selection's corpus was: flags that say something else
// contradict what it comes from. done sums up what was read.
func (a *app) vectors(c *cobra.Command, in *inputFlags, s *engine.Selection, from string, args []string) (vectors func(*engine.Transformer) rows, done func(), err error) {
	isIndex, err := startsAsIndex(args[0])
	if err != nil {
		return nil, nil, err
	}
	if isIndex {
		in.keepClasses = true // documents without a label have vectors, too
		corpus, err := a.corpus(c, in, args)
		if err != nil {
			return nil, nil, err
		}
		return func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) }, func() {}, nil
	}
	for _, name := range analysisFlags {
		if c.Flags().Changed(name) {
			return nil, nil, usageError("--%s contradicts %s: documents are analysed as the selection's were", name, from)
		}
	}
	if !c.Flags().Changed("charset") && s.Provenance.Charset != "" {
		in.read.Charset = s.Provenance.Charset
	}
	filter, err := parseDocs("docs", in.docs)
	if err != nil {
		return nil, nil, err
	}
	source, err := a.source(c.Context(), in, args)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	vectors = func(t *engine.Transformer) rows {
		return t.Documents(c.Context(), a.filtered(a.watch(source.Documents()), filter))
	}
	return vectors, func() { a.sumUp(source, time.Since(start), "") }, nil
}

// writeRows writes the vectors of a selection.
func (a *app) writeRows(path, format string, s *engine.Selection, weight string, make func(*engine.Transformer) rows) error {
	t, err := engine.NewTransformer(s, weight)
	if err != nil {
		return err
	}
	err = a.write(path, func(w io.Writer) error { return rowFormats[format](w, s, make(t)) })
	if err != nil {
		return err
	}
	a.noteUnseen(t)
	return nil
}

// noteUnseen tells what a transformer left out.
func (a *app) noteUnseen(t *engine.Transformer) {
	if terms, labels := t.Unseen(); terms > 0 || labels > 0 {
		a.note("left out: %d occurrences of terms that were not selected, %d labels that the selection's corpus did not have", terms, labels)
	}
}
