package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
)

type evaluateFlags struct {
	inputFlags
	flags.Scoring
	by, k, classifiers          string
	train, test, testSplit      string
	folds, repeat               int
	share                       float64
	stratify, perClass, noTimes bool
	confusion, html, svg        string

	grid    learn.Grid
	howMany learn.Metric
}

func evaluateCommand(a *app) *command {
	var f evaluateFlags
	f.app, f.perText = a, 800 // the rows of the parts
	return &command{
		use:   "evaluate --train A --test B | INPUT... --folds N",
		short: "measure what selections are worth to classifiers",
		long: "evaluate selects terms of the training part by each measure, trains each classifier on the best k of them\n" +
			"for each k, and compares its predictions for the test part with the labels: micro-F1, macro-F1 (the\n" +
			"mean of the F1s of all training classes) and the F1 of the means of precision and recall. Where\n" +
			"several k are tried, sentences before the table say how many terms are enough: the fewest within one\n" +
			"standard deviation of the best by --metric, with one test part within 1 %.\n\n" +
			"With one label a document, the class with the highest score is predicted. With several, classes are\n" +
			"decided about one by one: svm above 0, nb and bernoulli where the class is more probable than not; knn\n" +
			"and centroid where the score is at least the threshold of the class, chosen by folds of the training\n" +
			"part, or thresholds=best: the one with the highest score.\n\n" +
			"A document without a term of the selection is given by svm the largest training class where documents\n" +
			"have one label: not the class of the highest intercept, as by scikit-learn's LinearSVC, which is 1 to 3\n" +
			"points of micro-F1 better where 10 to 30 % of 20 Newsgroups are empty. With several labels it is given\n" +
			"the classes of intercepts above 0: without a bias, none.\n\n" +
			methodsHelp +
			"The training part may also be the one INPUT: evaluate A --test B. Where A and B are the same raw text,\n" +
			"its splits train and test are taken. --folds and --repeat divide INPUT by its counts and print means.\n\n" +
			learnersHelp,
		example: "  termsift evaluate --train train.idx --test test.idx --by chi,ttest:avg,mrmr -k 100,1000,all --classifier svm,knn:k=10\n" +
			"  termsift evaluate --train 20news-bydate.tar.gz --test 20news-bydate.tar.gz --by ig -k 1000,10000\n" +
			"  termsift evaluate --train train.idx --test test.idx --by best-terms:p=0,best-terms:p=0.5 --classifier bernoulli,svm\n" +
			"  termsift evaluate --repeat 10 --share 0.33 --seed 1 --by chi -k 500 --format tsv all.idx",
		args:  cobra.ArbitraryArgs,
		flags: f.flags(),
		run:   f.evaluate,
	}
}

const methodsHelp = "Methods (--by), with their options behind a colon:\n" +
	"  chi, ttest:avg    a measure, perhaps with a combination\n" +
	"  mrmr, jmi, cmim   terms for what each adds to those before\n" +
	"  best-terms        each class learnt from its own terms and documents, whatever k: function=chi,\n" +
	"                    p=0, rule=interpolated|max, scope=reduced|all, counts=training|reduced\n" +
	"  project           rows are vectors over the classes, and rule is a classifier more: alpha=0.5,\n" +
	"                    rule=positive|literal, cluster-weight=log|tfidf, discriminate=pr|log-pr,\n" +
	"                    base=10 (else e), unit=false, occurrences=false\n\n"

func (f *evaluateFlags) flags() []flags.Flag {
	const named = "names a part"
	return slices.Concat(
		[]flags.Flag{{
			Name: "by", To: &f.by, Default: "chi", List: true, Group: flags.GroupScoring, Help: "methods, separated by commas, see above",
			Choices: func([]string) []string { return flags.Combined(methods.Names()) },
		}},
		flags.RowWeight(f.Scoring.Flags()),
		flags.In(flags.GroupEvaluation, []flags.Flag{
			{
				Name: "number", Short: "k", To: &f.k, Default: "all", Takes: "LIST", Group: flags.GroupSelection,
				Help: "numbers of best terms, separated by commas, or all",
			},
			{Name: "train", To: &f.train, Reads: flags.AFile, Excludes: "folds repeat", Why: named, Help: "the training part, an index or raw text"},
			{Name: "test", To: &f.test, Reads: flags.AFile, Excludes: "folds repeat", Why: named, Help: "the test part, an index or raw text"},
			{
				Name: "classifier", To: &f.classifiers, Default: "svm", Choices: flags.From(learn.LearnerKinds), List: true,
				Help: "classifiers, separated by commas, see above",
			},
			{Name: "metric", To: (*string)(&f.howMany), Default: string(learn.MicroF1), Choices: metrics, Help: metricNames + ", to say how many are enough"},
			{Name: "folds", To: &f.folds, Least: 2, Most: rank.MostSamples, Excludes: "repeat", Help: "cut INPUT into so many parts, and test on each with the others to train on"},
			{Name: "repeat", To: &f.repeat, Positive: true, Most: 100_000, Help: "divide INPUT at random so many times"},
			testSplitFlag(&f.testSplit, "split of --test (default test where --split is train, or A and B are the same)"),
			{Name: "share", To: &f.share, Default: .33, More: true, Share: true, Needs: "repeat", Help: "of the documents to test on"},
			{Name: "stratify", To: &f.stratify, Default: true, More: true, Help: "give every part its share of each class (by the first label)"},
			{Name: "seed", To: &f.grid.Seed, More: true, Help: "which parts; the order of the rows in svm; the folds of thresholds"},
			{Name: "per-class", To: &f.perClass, More: true, Help: "also precision, recall and F1 of each class"},
		}),
		f.inputFlags.flags(),
		f.tableFlags("table"),
		flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "html", To: &f.html, Writes: true, Help: "also write a report to this file, which needs no other and no network"},
			{Name: "confusion", To: &f.confusion, Writes: true, More: true, Help: "write how often which class was taken for which, as TSV, to this file"},
			{
				Name: "svg", To: &f.svg, Writes: true, Folder: true, Ending: ".svg", More: true,
				Help: "also write the curves to this folder, an SVG file for each classifier",
			},
			{Name: "no-times", To: &f.noTimes, More: true, Help: "leave the times out, of --html as well, so that equal results are equal bytes"},
		}),
	)
}

func (f *evaluateFlags) evaluate(c *cobra.Command, args []string) error {
	if f.test != "" && f.train == "" && len(args) == 1 {
		f.train, args = args[0], nil // evaluate TRAIN --test TEST
	}
	if err := f.check(args); err != nil {
		return err
	}
	o, err := f.measure(c, args)
	if err != nil {
		return err
	}
	f.warn(o.warnings)
	if f.confusion != "" {
		if err := f.write(f.confusion, o.writeConfusion); err != nil {
			return err
		}
	}
	if err := f.writeReport(c, &o); err != nil {
		return err
	}
	return f.printEvaluation(o)
}

// check returns an error for invalid flags.
func (f *evaluateFlags) check(args []string) error {
	parts := f.train != "" || f.test != ""
	switch {
	case parts && (f.train == "" || f.test == ""):
		return usageError("--train and --test go together; the training part may also be the one INPUT")
	case parts && len(args) > 0:
		return usageError("--train and --test name the parts: no INPUT goes with them")
	case !parts && len(args) == 0:
		return usageError("name --train and --test, or an INPUT to divide; see termsift evaluate --help")
	case !parts && f.folds == 0 && f.repeat == 0:
		return usageError("say how to divide INPUT: --folds N or --repeat N")
	case f.train == "-" && f.test == "-":
		return usageError("standard input cannot be both parts")
	}
	return f.makeGrid()
}

// makeGrid sets the grid of methods, numbers of terms and classifiers from the flags.
func (f *evaluateFlags) makeGrid() (err error) {
	g := &f.grid
	g.Weight, g.Threads, g.Confusion = string(f.Weight), f.threads, f.confusion != ""
	if err := f.ReadSeeds(f.lists()); err != nil {
		return err
	}
	f.OfRows = true
	if g.Methods, err = f.Methods(f.by, f.threads); err != nil {
		return err
	}
	if g.K, err = parseNumbers("-k", f.k); err != nil {
		return err
	}
	if _, err = learn.ParseMetric(string(f.howMany)); err != nil {
		return err
	}
	if g.Classifiers, err = learn.ParseLearners(f.classifiers); err != nil {
		return err
	}
	return g.Validate()
}

// An evaluation is the results to print.
type evaluation struct {
	title    func(count func(int) string) string // what was measured, with counts as told
	classes  []string
	points   []learn.Averages
	times    learn.Times    // of all steps
	corpus   *corpus.Corpus // the training part, or the whole corpus that was divided
	warnings []string
}

// measure runs the grid on the two parts, or on splits of the inputs, and returns its results.
func (f *evaluateFlags) measure(c *cobra.Command, args []string) (e evaluation, err error) {
	var test *corpus.Corpus
	if f.train != "" {
		e.corpus, test, err = f.parts(c)
	} else {
		e.corpus, err = f.corpus(c, args)
	}
	if err == nil {
		err = f.confusable(e.corpus)
	}
	if err != nil {
		return e, err
	}
	f.announceTraining(f.grid.Classifiers, len(e.corpus.Classes()), e.corpus.Documents())
	progress, end := f.gridProgress()
	defer end()
	if test == nil {
		return e, f.measureSplits(c.Context(), &e, progress)
	}
	o, err := learn.Run(c.Context(), e.corpus, test, f.grid, progress)
	if err != nil {
		return e, err
	}
	e.title = func(count func(int) string) string {
		return fmt.Sprintf("%s training and %s test documents, %d classes, %s", count(o.Train), count(o.Compared), len(o.Classes), kindOfLabels(o.Sets))
	}
	e.classes, e.points, e.times, e.warnings = o.Classes, learn.Average(o), o.Times, o.Warnings
	return e, nil
}

// measureSplits runs the grid on splits of the corpus.
func (f *evaluateFlags) measureSplits(ctx context.Context, e *evaluation, progress func(learn.Progress)) (err error) {
	how := learn.Dividing{Seed: f.grid.Seed}
	if f.stratify {
		how.Strata = learn.Strata(e.corpus)
	}
	splits, what, all := []learn.Split(nil), "", e.corpus.Documents()
	if f.folds > 0 {
		splits, err = learn.Folds(all, f.folds, how)
		what = fmt.Sprintf("%d folds", f.folds)
	} else {
		splits, err = learn.Repeated(all, f.repeat, f.share, how)
		what = fmt.Sprintf("%d random divisions, %v to test on,", f.repeat, f.share)
	}
	if err != nil {
		return err
	}
	s, err := learn.RunSplits(ctx, e.corpus, splits, f.grid, progress)
	if err != nil {
		return err
	}
	e.title = func(count func(int) string) string {
		return fmt.Sprintf("%s of %s documents, %d classes, %s", what, count(all), len(s.Classes), kindOfLabels(s.Sets))
	}
	e.classes, e.points, e.times, e.warnings = s.Classes, s.Points, s.Times, s.Warnings
	return nil
}

// confusable returns an error if a confusion table is asked for and cannot be made.
func (f *evaluateFlags) confusable(c *corpus.Corpus) error {
	if f.confusion == "" {
		return nil
	}
	for d := range c.Documents() {
		if len(c.Labels(d)) > 1 {
			ids, err := c.DocumentIDs()
			if err != nil {
				return err
			}
			return fmt.Errorf("%w: a table of confusion needs documents of one label, and %q has %d: leave --confusion out, or read it with --first-label",
				learn.ErrMismatch, ids[d], len(c.Labels(d)))
		}
	}
	return nil
}

// parts opens the corpora of --train and --test.
func (f *evaluateFlags) parts(c *cobra.Command) (train, test *corpus.Corpus, err error) {
	trainIsIndex, testIsIndex := f.kind(f.train) == indexFile, f.kind(f.test) == indexFile
	switch {
	case trainIsIndex && testIsIndex:
		err = noRaw(c, "both parts are indexes")
	case trainIsIndex:
		err = noAnalysis(c, f.train, "those of the index")
	}
	if err == nil && testIsIndex && f.testSplit != "" {
		err = usageError("--test-split says how raw text is read, but %s is an index", f.test)
	}
	if err != nil {
		return nil, nil, err
	}
	in := f.inputFlags
	alone := f.train == f.test && !c.Flags().Changed("split")
	if alone {
		in.Read.Split = "train"
	}
	if train, err = in.part(c, nil, f.train); err != nil {
		if alone && strings.Contains(err.Error(), "--split") { // which nobody gave
			return nil, nil, usageError("--train and --test are both %s, of which the splits train and test are taken, and it has none: name another --test, or cut it by --folds 5", f.train)
		}
		return nil, nil, fmt.Errorf("--train: %w", err)
	}
	p := train.Provenance()
	in.like, in.dedupe, in.keepClasses = &p, false, true
	if trainIsIndex {
		in.Remember(c.Flags().Changed, p)
	}
	in.Read.Split = splitOfTest(f.testSplit, in.Read.Split, trainIsIndex)
	if test, err = in.part(c, nil, f.test); err != nil {
		return nil, nil, fmt.Errorf("--test: %w", err)
	}
	return train, test, nil
}

// A point is a point of an evaluation: a method, a number of terms and a classifier.
type point = learn.Averages

// pointColumns identify the point of a row.
var pointColumns = []tables.Column[point]{
	{Key: "method", Left: true, Value: func(x point) any { return x.Method }},
	{Key: "terms", In: tables.ForPeople, Value: func(x point) any { return x.Features }},
	{Key: "classifier", Left: true, Value: func(x point) any { return x.Classifier }},
	{Key: "weight", In: tables.ForPrograms, Value: func(x point) any { return x.Weight }},
	{Key: "k", In: tables.ForLines, Value: func(x point) any { return kText(x.K) }},
	{Key: "k", In: tables.ForJSON, Value: func(x point) any {
		if x.K == 0 {
			return json.RawMessage("null") // all terms
		}
		return x.K
	}},
	{Key: "terms", In: tables.ForPrograms, Value: func(x point) any { return x.Features }},
	{Key: "runs", In: tables.ForPrograms, Value: func(x point) any { return x.Runs }},
	{Key: "documents", In: tables.ForPrograms, Value: func(x point) any { return x.Result.Documents }},
	{Key: "empty_train", In: tables.ForPrograms, Value: func(x point) any { return x.EmptyTrain }},
	{Key: "empty_test", In: tables.ForPrograms, Value: func(x point) any { return x.EmptyTest }},
}

// scoreOfPoint returns the column of a score. Tables for people show those with a head.
func scoreOfPoint(key, head string, of func(point) learn.Spread) tables.Column[point] {
	c := tables.Column[point]{Key: key, Head: head, Value: func(x point) any { return of(x).Mean }}
	if head == "" {
		c.In = tables.ForPrograms
		return c
	}
	c.Text = func(x point) string {
		if s := of(x); x.Runs > 1 {
			return fmt.Sprintf("%.4f ±%.4f", s.Mean, s.Deviation)
		}
		return fmt.Sprintf("%.4f", of(x).Mean)
	}
	return c
}

var pointScores = []tables.Column[point]{
	scoreOfPoint("micro_f1", "micro-F1", func(x point) learn.Spread { return x.Micro }),
	scoreOfPoint("macro_f1", "macro-F1", func(x point) learn.Spread { return x.Macro }),
	scoreOfPoint("macro_f1_of_mean_pr", "F1 of means", func(x point) learn.Spread { return x.F1OfMeans }),
	scoreOfPoint("micro_precision", "", func(x point) learn.Spread { return x.MicroPrecision }),
	scoreOfPoint("micro_recall", "", func(x point) learn.Spread { return x.MicroRecall }),
	scoreOfPoint("macro_precision", "", func(x point) learn.Spread { return x.MacroPrecision }),
	scoreOfPoint("macro_recall", "", func(x point) learn.Spread { return x.MacroRecall }),
	scoreOfPoint("accuracy", "", func(x point) learn.Spread { return x.Accuracy }),
	{Key: "micro_f1_sd", In: tables.ForPrograms, Value: func(x point) any { return x.Micro.Deviation }},
	{Key: "macro_f1_sd", In: tables.ForPrograms, Value: func(x point) any { return x.Macro.Deviation }},
}

// timeOfPoint returns the column of a time.
func timeOfPoint(key string, in tables.Audience, of func(t learn.Times) time.Duration) tables.Column[point] {
	return tables.Column[point]{
		Key: key, In: in,
		Value: func(x point) any { return of(x.Times).Seconds() },
		Text: func(x point) string { // with three digits
			switch d := of(x.Times); {
			case d < 10*time.Millisecond:
				return fmt.Sprintf("%.2f ms", float64(d)/1e6)
			case d < time.Second:
				return fmt.Sprintf("%.0f ms", float64(d)/1e6)
			default:
				return fmt.Sprintf("%.2f s", d.Seconds())
			}
		},
	}
}

var pointTimes = []tables.Column[point]{
	timeOfPoint("select", tables.ForPeople, func(t learn.Times) time.Duration { return t.Select + t.Gather + t.Transform }),
	timeOfPoint("train", tables.ForPeople, func(t learn.Times) time.Duration { return t.Train }),
	timeOfPoint("predict", tables.ForPeople, func(t learn.Times) time.Duration { return t.Predict }),
	timeOfPoint("select_s", tables.ForPrograms, func(t learn.Times) time.Duration { return t.Select }),
	timeOfPoint("gather_s", tables.ForPrograms, func(t learn.Times) time.Duration { return t.Gather }),
	timeOfPoint("transform_s", tables.ForPrograms, func(t learn.Times) time.Duration { return t.Transform }),
	timeOfPoint("train_s", tables.ForPrograms, func(t learn.Times) time.Duration { return t.Train }),
	timeOfPoint("predict_s", tables.ForPrograms, func(t learn.Times) time.Duration { return t.Predict }),
}

// A pointClass is the result of a point for one class.
type pointClass struct {
	learn.Class
	of point
}

// shareOfClass returns the column of a number between 0 and 1.
func shareOfClass(key, head string, of func(pointClass) float64) tables.Column[pointClass] {
	return tables.Column[pointClass]{
		Key: key, Head: head, Value: func(c pointClass) any { return of(c) }, Shows: tables.Decimals(4),
	}
}

var pointClassColumns = []tables.Column[pointClass]{
	{Key: "method", In: tables.ForLines, Value: func(c pointClass) any { return c.of.Method }},
	{Key: "classifier", In: tables.ForLines, Value: func(c pointClass) any { return c.of.Classifier }},
	{Key: "k", In: tables.ForLines, Value: func(c pointClass) any { return kText(c.of.K) }},
	{Key: "terms", In: tables.ForLines, Value: func(c pointClass) any { return c.of.Features }},
	{Key: "class", Left: true, Value: func(c pointClass) any { return c.Name }},
	{Key: "tp", In: tables.ForPrograms, Value: func(c pointClass) any { return c.TP }},
	{Key: "fp", In: tables.ForPrograms, Value: func(c pointClass) any { return c.FP }},
	{Key: "fn", In: tables.ForPrograms, Value: func(c pointClass) any { return c.FN }},
	shareOfClass("precision", "", func(c pointClass) float64 { return c.Precision() }),
	shareOfClass("recall", "", func(c pointClass) float64 { return c.Recall() }),
	shareOfClass("f1", "F1", func(c pointClass) float64 { return c.F1() }),
	{Key: "documents", In: tables.ForPeople, Value: func(c pointClass) any { return c.Support() }},
}

func classesOf(x point) []pointClass {
	classes := make([]pointClass, len(x.Result.Classes))
	for i, c := range x.Result.Classes {
		classes[i] = pointClass{c, x}
	}
	return classes
}

// printEvaluation prints the points and, if asked for, their classes: in JSON within
// the points, in csv and tsv instead of them.
func (f *evaluateFlags) printEvaluation(o evaluation) error {
	if f.perClass && f.table.Format.Audience() == tables.ForLines {
		return f.printClasses(o)
	}
	columns := pointColumns[:len(pointColumns):len(pointColumns)]
	if f.perClass {
		columns = append(columns, tables.Column[point]{Key: "classes", In: tables.ForJSON, Value: func(x point) any {
			return tables.JSONRows(pointClassColumns, classesOf(x))
		}})
	}
	columns = append(columns, pointScores...)
	if !f.noTimes {
		columns = append(columns, pointTimes...)
	}
	t := list(&f.outputs, columns)
	t.Above(o.title(strconv.Itoa))
	var sentences []string
	for _, e := range learn.HowMany(o.points, f.howMany) {
		sentences = append(sentences, e.String())
	}
	if sentences != nil {
		t.Above(sentences...)
	}
	if err := t.AddAll(o.points); err != nil || !f.perClass || !t.People() {
		return err
	}
	fmt.Fprintln(f.stdout)
	return f.printClasses(o)
}

// printClasses prints the classes of every point.
func (o *outputs) printClasses(of evaluation) error {
	t := list(o, pointClassColumns)
	for _, x := range of.points {
		t.Title("%s, %d terms, %s", x.Method, x.Features, x.Classifier)
		for _, c := range classesOf(x) {
			t.Add(c)
		}
	}
	return t.Close()
}

// kText formats the number of terms that was asked for.
func kText(k int) string {
	if k == 0 {
		return "all"
	}
	return strconv.Itoa(k)
}

// A confused is the number of documents of one class that were predicted to be of
// another, or of their own.
type confused struct {
	of               point
	right, predicted string
	documents        int
}

var confusedColumns = []tables.Column[confused]{
	{Key: "method", Value: func(c confused) any { return c.of.Method }},
	{Key: "classifier", Value: func(c confused) any { return c.of.Classifier }},
	{Key: "k", Value: func(c confused) any { return kText(c.of.K) }},
	{Key: "terms", Value: func(c confused) any { return c.of.Features }},
	{Key: "right", Value: func(c confused) any { return c.right }},
	{Key: "predicted", Value: func(c confused) any { return c.predicted }},
	{Key: "documents", Value: func(c confused) any { return c.documents }},
}

// writeConfusion writes a row for every pair of true and predicted class that some
// document has.
func (o evaluation) writeConfusion(w io.Writer) error {
	t := tables.New(w, tables.Style{Format: "tsv"}, confusedColumns)
	for _, x := range o.points {
		if x.Result.Confusion == nil {
			return usageError("there are too many classes, or test documents of several labels, for a table of confusion: leave --confusion out")
		}
		for right, row := range x.Result.Confusion {
			for said, n := range row {
				if n == 0 {
					continue
				}
				t.Add(confused{x, o.classes[right], o.classes[said], n})
			}
		}
	}
	return t.Close()
}

func kindOfLabels(sets bool) string {
	if sets {
		return "several labels"
	}
	return "one label"
}
