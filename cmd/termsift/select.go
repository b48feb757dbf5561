package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

type selectFlags struct {
	selectingFlags
	out, svmlight, factors string
}

func selectCommand(a *app) *command {
	var f selectFlags
	f.app = a
	return &command{
		use:   "select INPUT... -o features.tsv",
		short: "select terms by a measure",
		long: "select writes the best terms by a measure: -k or another criterion says how many.\n\n" +
			"--by best-terms chooses the best term of every document instead, as many as that takes: for each class\n" +
			"the terms for it (positive) and against it (negative), which -p makes more precise. The features are\n" +
			"those of all classes; --class-terms has them class by class, and how many documents each keeps: one\n" +
			"without a positive term is outside the class at once. --svmlight has all documents; of one --class,\n" +
			"those that it keeps, labelled 1 and -1.\n\n" +
			"-k auto finds the number by folds of INPUT: terms are selected and --classifier is trained without a\n" +
			"fold and tested on it, for each number of --try, from the counts alone. The fewest terms that are\n" +
			"within one standard deviation of the best are taken.",
		example: "  termsift select --by chi --combine max -k 10000 train.idx -o features.tsv\n" +
			"  termsift select --by ig --percentile 5 train.jsonl --svmlight train.svm\n" +
			"  termsift select --by chi -k auto --classifier svm train.idx -o features.tsv\n" +
			"  termsift select --by chi --fdr 0.05 train.idx -o features.tsv\n" +
			"  termsift select --by ocfs --weight ltc -k 10000 --then ig -k 500 train.idx -o features.tsv\n" +
			"  termsift select --by best-terms --function chi -p 0.25 train.idx --class-terms classes.tsv -o features.tsv",
		flags: slices.Concat(f.selectingFlags.flags(), f.auto.flags(), f.inputFlags.flags(), f.referenceFlags(), flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "output", Short: "o", To: &f.out, Writes: true, Applies: flags.OfMethods, Help: "the features file (default standard output)"},
			{Name: "svmlight", To: &f.svmlight, Writes: true, Applies: flags.OfDocuments | flags.OfMethods, Help: "also write the reduced data, weight tf, to this file"},
			{
				Name: "factors", To: &f.factors, List: true, Choices: flags.From(selection.Factors), More: true,
				Help: "also write the factors of supervised weightings, for transform and train: " + strings.Join(selection.Factors(), ", "),
			},
		})),
		output:  always(featuresFile),
		classes: classesOptional,
		without: "--by df or --by cf",
		run:     f.run,
	}
}

func (f *selectFlags) run(c *cobra.Command, args []string) error {
	f.byTarget(c, args, &f.By, string(rank.Pearson))
	if err := cmp.Or(checkFeatures(f.out), checkEnding(f.svmlight, "the text of svmlight (.svm)")); err != nil {
		return err
	}
	m, err := f.method(c)
	if err != nil {
		return err
	}
	choose, err := f.chooser(c, m)
	if err != nil {
		return err
	}
	counted, err := f.counted(c, args)
	if err != nil {
		return err
	}
	s, err := choose(c.Context(), counted)
	if err == nil && f.factors != "" {
		var factors []table.Weighting
		for name := range strings.SplitSeq(f.factors, ",") {
			factors = append(factors, table.Weighting(name))
		}
		s.Selection, err = s.WithFactors(c.Context(), counted, f.threads, factors...)
	}
	if err != nil {
		return err
	}
	if f.svmlight != "" {
		if err := f.writeReduced(c.Context(), s, counted.(*corpus.Corpus)); err != nil { // statistics do not go with --svmlight
			return err
		}
	}
	named, err := f.withNames(c.Context(), args, s.Selection)
	if err != nil {
		return err
	}
	err = f.write(f.out, named.WriteTSV)
	if c, ok := counted.(*corpus.Corpus); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// writeReduced writes the reduced data. With Best Terms those of one class are those of its binary
// problem: the remaining documents, with the labels 1 and -1. With several classes, for each of
// which other documents remain, they are all documents with their labels.
func (f *selectFlags) writeReduced(ctx context.Context, s choice, whole *corpus.Corpus) error {
	in := rowsOf(ctx, whole, f.threads)
	one := s.best != nil && len(f.best.Classes) == 1
	if one {
		in = &rowInput{rows: func(t *vectors.Transformer) rows { return s.best.OneAgainstRest(s.Selection, 0, t.Corpus(ctx, whole)) }}
	}
	if err := f.writeRows(f.svmlight, formatSVMLight, s.Selection, "tf", in); err != nil {
		return err
	}
	switch {
	case one:
		class := s.best.Classes[0]
		f.note("the reduced data have %d of %d documents, labelled 1 in the class %s and -1 outside", class.KeptDocuments, whole.Documents(), class.Class)
	case s.best != nil:
		f.note("the reduced data have all %d documents, for every class keeps others; name one --class for its own", whole.Documents())
	}
	return nil
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
		long: "transform writes one vector a document. With --features the terms are those of a file that select wrote,\n" +
			"raw text is analysed in the same way, and idf is that of the selection's corpus; without, terms are\n" +
			"selected from the input itself. --weight is tf, tfidf, tfidf-unit, ltc, binary, or a supervised one,\n" +
			"whose factors a features file has if it was written with --factors: tf-rf, tf-chi, tf-ig, delta-idf,\n" +
			"each also with -unit behind it.\n\n" +
			"--to npz is for numpy and scipy, and has the labels, ids, terms and idf beside the matrix; --to mtx,\n" +
			"Matrix Market, is for R and others: FILE is the matrix, FILE.terms.tsv and FILE.documents.tsv name its\n" +
			"columns and rows.",
		example: "  termsift transform --features features.tsv --weight ltc test.jsonl -o test.svm\n" +
			"  termsift transform --by chi -k 10000 20news-bydate.tar.gz --split train -o train.svm\n" +
			"  termsift transform --features features.tsv --to npz train.idx -o train.npz",
		flags: slices.Concat(f.selectingFlags.flags(), f.inputFlags.flags(), flags.In(flags.GroupOutput, []flags.Flag{
			featuresFlag(&f.features),
			{Name: "output", Short: "o", To: &f.out, Writes: true, Applies: flags.OfMethods, Help: "the output (default standard output)"},
			{
				Name: "to", To: &f.to, Applies: flags.OfMethods, Choices: flags.Among(rowFormatNames...),
				Help: "the format: " + strings.Join(rowFormatNames, ", ") + " (default that of the ending of -o, or svmlight)",
			},
		})),
		beside: func(path string) []string {
			if f.format() == formatMatrixMarket {
				return []string{path + termsTable, path + documentsTable}
			}
			return nil
		},
		classes: classesOptional,
		without: "--by df or --by cf",
		run:     f.transform,
	}
}

// featuresFlag returns the flag of a file that select wrote.
func featuresFlag(to *string) flags.Flag {
	return flags.Flag{Name: "features", To: to, Reads: flags.AFile, Group: flags.GroupSelection, Applies: flags.OfClasses | flags.OfMethods, Help: "a features file of select"}
}

func (f *transformFlags) transform(c *cobra.Command, args []string) error {
	format := f.format()
	if err := checkRowFormat(format, f.out); err != nil {
		return err
	}
	s, in, err := f.open(c, args)
	if err != nil {
		return err
	}
	if err := f.writeRows(f.out, format, s, string(f.Weight), in); err != nil {
		return err
	}
	in.done()
	return nil
}

// format returns the format of the rows: that of --to, else that of the ending of the file.
func (f *transformFlags) format() string {
	if ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), "."); f.to == "" && slices.Contains(rowFormatNames, ending) {
		return ending
	}
	return cmp.Or(f.to, formatSVMLight)
}

// open returns the terms, and the documents to turn into vectors over them. --weight is the
// weighting of the vectors; a measure that uses a column takes it, too.
func (f *transformFlags) open(c *cobra.Command, args []string) (*selection.Selection, *rowInput, error) {
	if f.features != "" {
		f.ToPredict(c.Flags().Changed)
		return f.featuresAndRows(c, f.features, args)
	}
	if err := f.checkNoFeatures(args); err != nil {
		return nil, nil, err
	}
	f.byTarget(c, args, &f.By, string(rank.Pearson))
	f.OfRows = true
	m, err := f.method(c)
	if err != nil {
		return nil, nil, err
	}
	choose, err := f.chooser(c, m)
	if err != nil {
		return nil, nil, err
	}
	s, in, err := f.chooseFrom(c, choose, string(f.Weight), args)
	return s.Selection, in, err
}

type rows = func(yield func(vectors.Row, error) bool)

// rowFormats are the formats of transform. A function writes the rows of a selection to one file;
// Matrix Market takes several.
var rowFormats = map[string]func(w io.Writer, s *selection.Selection, in rows) error{
	formatSVMLight: func(w io.Writer, _ *selection.Selection, in rows) error { return vectors.WriteSVMLight(w, in) },
	"jsonl":        func(w io.Writer, s *selection.Selection, in rows) error { return vectors.WriteJSONLines(w, s, in) },
	"npz": func(w io.Writer, s *selection.Selection, in rows) error {
		m, err := vectors.Collect(s, in)
		if err != nil {
			return err
		}
		return m.WriteNPZ(w)
	},
	formatMatrixMarket: nil,
}

// rowFormatNames are the names of the formats.
var rowFormatNames = []string{formatSVMLight, "jsonl", "npz", formatMatrixMarket}

// checkRowFormat returns an error unless there is a format that can be written to path.
func checkRowFormat(name, path string) error {
	switch {
	case !slices.Contains(rowFormatNames, name):
		return usageError("unknown output %q; known: %s", name, strings.Join(rowFormatNames, " "))
	case name == formatMatrixMarket && (path == "" || path == "-"):
		return usageError("--to %s writes three files: name the matrix by -o FILE; the tables are FILE%s and FILE%s", name, termsTable, documentsTable)
	case name == formatSVMLight:
		return checkEnding(path, "the text of svmlight (.svm); --to and the endings .npz .mtx .jsonl name other formats")
	case strings.EqualFold(filepath.Ext(path), "."+name):
		return nil
	}
	return checkEnding(path, "."+name)
}

// formatSVMLight is the format of one line a document.
const formatSVMLight = "svmlight"

// formatMatrixMarket is the format that takes three files: the matrix, and tables of its
// columns and its rows, whose names end so.
const (
	formatMatrixMarket = "mtx"
	termsTable         = ".terms.tsv"
	documentsTable     = ".documents.tsv"
)

// A rowInput are inputs that are turned into rows.
type rowInput struct {
	rows func(*vectors.Transformer) rows
	// lines writes the rows as svmlight text, made on several threads; it is nil if they can be
	// made one after the other alone.
	lines func(t *vectors.Transformer, w io.Writer) error
	done  func() // prints what was read
}

// rowsOf returns the rows of a corpus.
func rowsOf(ctx context.Context, c *corpus.Corpus, threads int) *rowInput {
	return &rowInput{
		rows:  func(t *vectors.Transformer) rows { return t.Corpus(ctx, c) },
		lines: func(t *vectors.Transformer, w io.Writer) error { return t.WriteSVMLight(ctx, w, c, threads) },
		done:  func() {},
	}
}

// writeRows writes the vectors of a selection in a format that is known.
func (a *app) writeRows(path, format string, s *selection.Selection, weight string, in *rowInput) error {
	t, err := vectors.New(s, table.Weighting(weight))
	if err != nil {
		return err
	}
	switch {
	case format == formatMatrixMarket:
		var m *vectors.Matrix
		if m, err = vectors.Collect(s, in.rows(t)); err == nil {
			err = a.writeAll(filepath.Dir(path), []filled{ // all or none
				{path + termsTable, m.WriteTerms}, {path + documentsTable, m.WriteDocuments}, {path, m.WriteMatrixMarket},
			})
		}
	case format == formatSVMLight && in.lines != nil:
		err = a.write(path, func(w io.Writer) error { return in.lines(t, w) })
	default:
		err = a.write(path, func(w io.Writer) error { return rowFormats[format](w, s, in.rows(t)) })
	}
	if err == nil {
		a.noteUnseen(t)
	}
	return err
}

// noteUnseen prints what a transformer left out.
func (tk *talk) noteUnseen(t *vectors.Transformer) {
	if terms, labels := t.Unseen(); terms > 0 || labels > 0 {
		tk.note("left out: %d occurrences of terms that were not selected, %d labels that the selection's corpus did not have", terms, labels)
	}
}

// vectors opens inputs, whose documents a transformer of the selection turns into rows.
// Raw inputs are analysed like the selection's corpus; flags that contradict its
// analysis are an error.
func (in *inputFlags) vectors(c *cobra.Command, s *selection.Selection, from string, args []string) (*rowInput, error) {
	if in.kind(args[0]) == indexFile {
		in.keepClasses, in.keepEmpty = true, true // documents without a label or a term have vectors too
		corpus, err := in.corpus(c, args)
		if err != nil {
			return nil, err
		}
		return rowsOf(c.Context(), corpus, in.threads), nil
	}
	if err := noAnalysis(c, from, "the selection's"); err != nil {
		return nil, err
	}
	if in.maxMemory != "" {
		return nil, usageError("--max-memory bounds the building of an index, and with %s none is built: omit it", from)
	}
	in.Remember(c.Flags().Changed, s.Provenance)
	filter, err := in.query("docs", in.docs)
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

// featuresAndRows reads a features file, and opens the documents to turn into vectors over its terms.
func (in *inputFlags) featuresAndRows(c *cobra.Command, path string, args []string) (*selection.Selection, *rowInput, error) {
	s, err := readSelection(path)
	if err != nil {
		return nil, nil, err
	}
	in.warn(s.Warnings)
	rows, err := in.vectors(c, s, "--features", args)
	return s, rows, err
}
