package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/redundancy"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// selectingFlags are the flags that say which terms to keep.
type selectingFlags struct {
	inputFlags
	flags.Selecting
	lists flags.Lists // reads keep and drop
	best  bestTermsFlags
	auto  autoFlags
}

func (f *selectingFlags) flags() []flags.Flag {
	return append(f.Flags("mrmr, jmi, cmim: K terms for what each adds to those before", methods.NameBestTerms), f.best.flags()...)
}

// method parses --by, with the flags of Best Terms as well.
func (f *selectingFlags) method(threads int) (selection.Method, error) {
	o := f.Defaults(f.By, threads)
	o.BestTerms = f.best.Options
	return methods.Parse(f.By, o)
}

func selectCommand(a *app) *command {
	var f struct {
		selectingFlags
		out, svmlight, factors string
	}
	f.app = a
	return &command{
		use:   "select INPUT... -o features.tsv",
		short: "select terms by a measure",
		long: "select writes the best terms by a measure: -k or another criterion says how many.\n\n" +
			"--by best-terms chooses the best term of every document instead, as many as that takes: for\n" +
			"each class the terms for it (positive) and against it (negative), which -p makes more precise.\n" +
			"The features are those of all classes; --class-terms has them class by class, and how many\n" +
			"documents each keeps: one without a positive term is outside the class at once. --svmlight\n" +
			"has all documents; of one --class, those that it keeps, labelled 1 and -1.\n\n" +
			strings.TrimSpace(autoHelp),
		example: "  termsift select --by chi --combine max -k 10000 train.idx -o features.tsv\n" +
			"  termsift select --by ig --percentile 5 train.jsonl --svmlight train.svm\n" +
			"  termsift select --by chi -k auto --classifier svm train.idx -o features.tsv\n" +
			"  termsift select --by chi --fdr 0.05 train.idx -o features.tsv\n" +
			"  termsift select --by ocfs --weight ltc -k 10000 --then ig -k 500 train.idx -o features.tsv\n" +
			"  termsift select --by best-terms --function chi -p 0.25 train.idx --class-terms classes.tsv -o features.tsv",
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat(f.selectingFlags.flags(), f.auto.flags(), f.inputFlags.flags(), f.referenceFlags(), []flags.Flag{
			{Name: "output", Short: "o", To: &f.out, Writes: true, Group: flags.GroupOutput, Help: "the features file (default standard output)"},
			{
				Name: "svmlight", To: &f.svmlight, Writes: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
				Help: "also write the reduced data, weight tf, to this file",
			},
			{
				Name: "factors", To: &f.factors, List: true, Choices: flags.From(selection.Factors), Group: flags.GroupOutput, More: true,
				Help: "also write the factors of supervised weightings, for transform and train: " + strings.Join(selection.Factors(), ", "),
			},
		}),
		output: always(featuresFile),
		run: func(c *cobra.Command, args []string) error {
			m, err := f.method(f.threads)
			if err != nil {
				return err
			}
			if err := f.checkAuto(c, m); err != nil {
				return err
			}
			stats, err := a.statistics(c, args)
			if err != nil {
				return err
			}
			if stats != nil {
				f.lists = flags.Lists{Limit: f.Read.MaxList}
				s, err := f.selectFromStatistics(c, m, stats, args[0])
				if err != nil {
					return err
				}
				if s, err = withFactors(c.Context(), s, stats, f.factors, f.threads); err != nil {
					return err
				}
				return a.write(f.out, s.WriteTSV)
			}
			if b, ok := m.(methods.BestTerms); ok {
				return f.selectBestTerms(c, b, f.out, f.svmlight, args)
			}
			s, corpus, err := f.selection(c, m, args)
			if err != nil {
				return err
			}
			if s, err = withFactors(c.Context(), s, corpus, f.factors, f.threads); err != nil {
				return err
			}
			if f.svmlight != "" {
				if err := a.writeRows(f.svmlight, formatSVMLight, s, "tf", rowsOf(c.Context(), corpus, f.threads)); err != nil {
					return err
				}
			}
			return a.write(f.out, s.WriteTSV)
		},
	}
}

// withFactors returns a selection with the factors in a list of names separated by commas.
func withFactors(ctx context.Context, s *selection.Selection, counted rank.Counted, list string, threads int) (*selection.Selection, error) {
	if list == "" {
		return s, nil
	}
	return s.WithFactors(ctx, counted, threads, factorNames(list)...)
}

// selection selects terms of the inputs by a method.
func (f *selectingFlags) selection(c *cobra.Command, m selection.Method, args []string) (*selection.Selection, *corpus.Corpus, error) {
	if b, ok := m.(methods.BestTerms); ok {
		return f.bestTermsSelection(c, b, args)
	}
	f.lists = flags.Lists{Limit: f.Read.MaxList}
	choose, err := f.chooser(c, m)
	if err != nil {
		return nil, nil, err
	}
	corpus, err := f.corpus(c, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := choose(c.Context(), corpus)
	return s, corpus, err
}

type chooser func(ctx context.Context, corpus *corpus.Corpus) (*selection.Selection, error)

// chooser returns the function that chooses terms as the flags ask. Errors in the flags
// are found before the corpus is read.
func (f *selectingFlags) chooser(c *cobra.Command, m selection.Method) (chooser, error) {
	if err := f.best.refuse(c); err != nil {
		return nil, err
	}
	if f.Rules.Auto() {
		return f.automatic(c, m)
	}
	switch m := m.(type) {
	case methods.Measure:
		choose, err := f.stages(m)
		return func(ctx context.Context, corpus *corpus.Corpus) (*selection.Selection, error) {
			return choose(ctx, corpus)
		}, err
	case methods.Redundancy:
		return f.redundancy(c, m)
	}
	return nil, usageError("--by %s goes with train and evaluate, and is a command of its own", m.Name())
}

// stages returns the function that chooses terms by measures, in one stage or two, for which
// statistics suffice.
func (f *selectingFlags) stages(by methods.Measure) (func(context.Context, rank.Counted) (*selection.Selection, error), error) {
	keep, drop, err := f.Terms(f.lists)
	if err != nil {
		return nil, err
	}
	stages, err := f.Stages(by.Options, keep, drop)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, counted rank.Counted) (s *selection.Selection, err error) {
		for _, o := range stages {
			o.Among = s
			if s, err = selection.Select(ctx, counted, o); err != nil {
				return nil, err
			}
			f.warn(s.Warnings)
			f.tellStage(s.Stages[len(s.Stages)-1])
		}
		return s, nil
	}, nil
}

// tellStage prints the result of a stage.
func (tk *talk) tellStage(s selection.Stage) {
	if s.Energy != nil {
		var shares []string
		for _, e := range s.Energy {
			shares = append(shares, fmt.Sprintf("%v %% in %d", e.Share*100, e.Terms))
		}
		tk.note("energy: %s of %d terms", strings.Join(shares, ", "), s.Candidates)
	}
	if s.Test != "" {
		tk.note("p-values of %s: %s", s.Measure, s.Test)
	}
	tk.note("selected %d of %d terms by %s, %s", s.Terms, s.Candidates, s.Measure, s.Combine)
}

type transformFlags struct {
	selectingFlags
	features, out, to string
}

func transformCommand(a *app) *command {
	var f transformFlags
	f.app = a
	return &command{
		use:   "transform INPUT... -o out.svm",
		short: "turn documents into vectors over selected terms",
		long: "transform writes one vector a document. With --features the terms are those of a file that\n" +
			"select wrote, raw text is analysed in the same way, and idf is that of the selection's\n" +
			"corpus; without, terms are selected from the input itself. --weight is the weighting of the\n" +
			"vectors: tf, tfidf, tfidf-unit, ltc, binary, or a supervised one, whose factors a features\n" +
			"file has if it was written with --factors: tf-rf, tf-chi, tf-ig, delta-idf, each also with\n" +
			"-unit behind it.\n\n" +
			"--to npz is for numpy and scipy, and has the labels, ids, terms and idf beside the matrix;\n" +
			"--to mtx, Matrix Market, is for R and others: FILE is the matrix, FILE.terms.tsv and\n" +
			"FILE.documents.tsv name its columns and rows.",
		example: "  termsift transform --features features.tsv --weight ltc test.jsonl -o test.svm\n" +
			"  termsift transform --by chi -k 10000 20news-bydate.tar.gz --split train -o train.svm\n" +
			"  termsift transform --features features.tsv --to npz train.idx -o train.npz",
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat(f.selectingFlags.flags(), f.inputFlags.flags(), []flags.Flag{
			featuresFlag(&f.features),
			{Name: "output", Short: "o", To: &f.out, Writes: true, Group: flags.GroupOutput, Help: "the output (default standard output)"},
			{
				Name: "to", To: &f.to, Default: formatSVMLight, Choices: flags.From(rowFormatNames), Group: flags.GroupOutput,
				Help: "the format: " + strings.Join(rowFormatNames(), ", "),
			},
		}),
		beside: func(path string) []string {
			if f.to == formatMatrixMarket {
				return []string{path + termsTable, path + documentsTable}
			}
			return nil
		},
		run: func(c *cobra.Command, args []string) error { return f.transform(c, args) },
	}
}

// featuresFlag returns the flag of a file that select wrote.
func featuresFlag(to *string) flags.Flag {
	return flags.Flag{Name: "features", To: to, Reads: flags.AFile, Group: flags.GroupSelection, Help: "a features file of select"}
}

func (f *transformFlags) transform(c *cobra.Command, args []string) error {
	if _, err := rowFormatFor(f.to, f.out); err != nil {
		return err
	}
	weight := f.Weight
	if f.features == "" {
		// --weight is the weighting of the vectors; a measure that uses a column takes
		// it too.
		m, err := f.method(f.threads)
		if err != nil {
			return err
		}
		if err := f.checkAuto(c, m); err != nil {
			return err
		}
		s, corpus, err := f.selection(c, m, args)
		if err == nil {
			s, err = s.WithFactors(c.Context(), corpus, f.threads, vectors.Weighting(weight))
		}
		if err != nil {
			return err
		}
		return f.writeRows(f.out, f.to, s, weight, rowsOf(c.Context(), corpus, f.threads))
	}
	s, err := readSelection(f.features)
	if err != nil {
		return err
	}
	f.warn(s.Warnings)
	f.ToPredict(c.Flags().Changed)
	in, err := f.vectors(c, s, "--features", args)
	if err != nil {
		return err
	}
	if err := f.writeRows(f.out, f.to, s, weight, in); err != nil {
		return err
	}
	in.done()
	return nil
}

// vectors opens inputs, whose documents a transformer of the selection turns into rows.
// Raw inputs are analysed like the selection's corpus; flags that contradict its
// analysis are an error.
func (in *inputFlags) vectors(c *cobra.Command, s *selection.Selection, from string, args []string) (*rowInput, error) {
	kind, err := in.kind(args[0])
	if err != nil {
		return nil, err
	}
	if kind == indexFile {
		in.keepClasses, in.keepEmpty = true, true // documents without a label or a term have vectors too
		corpus, err := in.corpus(c, args)
		if err != nil {
			return nil, err
		}
		return rowsOf(c.Context(), corpus, in.threads), nil
	}
	if name := changesAnalysis(c); name != "" {
		return nil, usageError("--%s contradicts %s: documents are analysed as the selection's were", name, from)
	}
	in.Remember(c.Flags().Changed, s.Provenance)
	filter, err := parseDocs(flags.Lists{Limit: in.Read.MaxList}, "docs", in.docs)
	if err != nil {
		return nil, err
	}
	source, err := in.source(c.Context(), args)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	opened := &rowInput{
		rows: func(t *vectors.Transformer) rows {
			return t.Documents(c.Context(), in.filtered(in.watch(source.Documents(), source), filter))
		},
		done: func() { in.sumUp(source, time.Since(start), nil) },
	}
	if filter == nil {
		opened.lines = func(t *vectors.Transformer, w io.Writer) error {
			if err := t.WriteBatches(c.Context(), w, in.watchBatches(source), in.threads); err != nil {
				return err
			}
			return source.Check()
		}
	}
	return opened, nil
}

// factorNames returns the weightings in a list separated by commas.
func factorNames(list string) (all []vectors.Weighting) {
	for name := range strings.SplitSeq(list, ",") {
		all = append(all, vectors.Weighting(name))
	}
	return all
}

// redundancy returns the chooser of mrmr, jmi or cmim.
func (f *selectingFlags) redundancy(c *cobra.Command, m methods.Redundancy) (chooser, error) {
	o := m.Options
	if name := givenName(c, flags.OfSingle); name != "" {
		return nil, usageError("--%s does not go with --by %s, which chooses terms for what they add to those before: say -k, and --drop if you like", name, f.By)
	}
	if len(f.Rules) > 1 {
		return nil, usageError("-k comes twice: --by %s has one stage", f.By)
	}
	for _, r := range f.Rules {
		o.K = r.Whole
	}
	if f.Drop != "" {
		var err error
		if o.Drop, err = f.lists.Terms(f.Drop); err != nil {
			return nil, err
		}
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, corpus *corpus.Corpus) (*selection.Selection, error) {
		s, err := redundancy.Select(ctx, corpus, o)
		if err != nil {
			return nil, err
		}
		f.warn(s.Warnings)
		f.note("selected %d of %d terms by %s, %s", len(s.Features), corpus.Terms(), s.Measure, s.Combine)
		return s, nil
	}, nil
}
