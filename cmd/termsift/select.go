package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// selectingFlags say which terms to keep.
type selectingFlags struct {
	scoringFlags
	by                   string
	k                    int
	percentile, minScore float64
	perClass, roundRobin bool
	keep, drop           string
}

func (f *selectingFlags) register(c *cobra.Command) {
	f.scoringFlags.register(c)
	flags := c.Flags()
	flags.StringVar(&f.by, "by", "chi", "measure")
	flags.IntVarP(&f.k, "number", "k", 0, "the K best terms")
	flags.Float64Var(&f.percentile, "percentile", 0, "this share of the terms, in percent")
	flags.Float64Var(&f.minScore, "min-score", 0, "terms with at least this value")
	flags.BoolVar(&f.perClass, "per-class", false, "the K best of each class")
	flags.BoolVar(&f.roundRobin, "round-robin", false, "the best of each class in turn, K in all")
	flags.StringVar(&f.keep, "keep", "", "file of terms to keep whatever their value")
	flags.StringVar(&f.drop, "drop", "", "file of terms to leave out")
}

// selecting turns the flags into options.
func (f *selectingFlags) selecting(c *cobra.Command, threads int) (o engine.Selecting, err error) {
	o = engine.Selecting{Scoring: f.scoring(f.by, threads), PerClass: f.perClass, RoundRobin: f.roundRobin}
	switch changed := c.Flags().Changed; {
	case changed("number") && f.k <= 0:
		return o, usageError("-k must be positive, not %d", f.k)
	case changed("percentile") && f.percentile <= 0:
		return o, usageError("--percentile must be above 0, not %v", f.percentile)
	case changed("min-score"):
		o.MinScore = &f.minScore
	}
	o.K, o.Percentile = f.k, f.percentile
	for _, list := range []struct {
		path string
		to   *[]string
	}{{f.keep, &o.Keep}, {f.drop, &o.Drop}} {
		if list.path == "" {
			continue
		}
		if *list.to, err = readWords(list.path); err != nil {
			return o, err
		}
	}
	return o, o.Validate()
}

func (a *app) selectCommand() *cobra.Command {
	var f struct {
		inputFlags
		selectingFlags
		out, svmlight string
	}
	c := &cobra.Command{
		Use:   "select INPUT... -o features.tsv",
		Short: "select terms by a measure",
		Example: "  termsift select --by chi --combine max -k 10000 train.idx -o features.tsv\n" +
			"  termsift select --by ig --percentile 5 train.jsonl --svmlight train.svm",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error {
			s, corpus, err := a.selection(c, &f.inputFlags, &f.selectingFlags, args)
			if err != nil {
				return err
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
	c.Flags().StringVar(&f.svmlight, "svmlight", "", "also write the reduced data, weight tf, to this file")
	return c
}

// selection selects terms of the inputs.
func (a *app) selection(c *cobra.Command, in *inputFlags, f *selectingFlags, args []string) (*engine.Selection, *engine.Corpus, error) {
	o, err := f.selecting(c, in.threads)
	if err != nil {
		return nil, nil, err
	}
	corpus, err := a.corpus(c, in, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := corpus.Select(c.Context(), o)
	if err != nil {
		return nil, nil, err
	}
	a.warn(s.Warnings)
	a.note("selected %d of %d terms by %s, %s", len(s.Features), corpus.Terms(), s.Measure, s.Combine)
	return s, corpus, nil
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
			"vectors: tf, tfidf, tfidf-unit, ltc or binary.",
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
		if err != nil {
			return err
		}
		return a.writeRows(f.out, f.to, s, weight, func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) })
	}
	s, err := readSelection(f.features)
	if err != nil {
		return err
	}
	isIndex, err := startsAsIndex(args[0])
	if err != nil {
		return err
	}
	if isIndex {
		f.keepClasses = true // documents without a label have vectors, too
		corpus, err := a.corpus(c, &f.inputFlags, args)
		if err != nil {
			return err
		}
		return a.writeRows(f.out, f.to, s, weight, func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) })
	}
	return a.transformRaw(c.Context(), c, f, s, args)
}

// transformRaw streams raw documents; how they are analysed is the selection's
// choice.
func (a *app) transformRaw(ctx context.Context, c *cobra.Command, f *transformFlags, s *engine.Selection, args []string) error {
	for _, name := range analysisFlags {
		if c.Flags().Changed(name) {
			return usageError("--%s contradicts --features: documents are analysed as the selection's were", name)
		}
	}
	if !c.Flags().Changed("charset") && s.Provenance.Charset != "" {
		f.read.Charset = s.Provenance.Charset
	}
	filter, err := parseDocs("docs", f.docs)
	if err != nil {
		return err
	}
	source, err := a.source(ctx, &f.inputFlags, args)
	if err != nil {
		return err
	}
	start := time.Now()
	err = a.writeRows(f.out, f.to, s, f.weight, func(t *engine.Transformer) rows {
		return t.Documents(ctx, a.filtered(a.watch(source.Documents()), filter))
	})
	if err == nil {
		a.sumUp(source, time.Since(start), "")
	}
	return err
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
	if terms, labels := t.Unseen(); terms > 0 || labels > 0 {
		a.note("left out: %d occurrences of terms that were not selected, %d labels that the selection's corpus did not have", terms, labels)
	}
	return nil
}
