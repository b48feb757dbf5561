package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/vectors"
)

type projectFlags struct {
	inputFlags
	projection.Options
	alpha float64
	top   int
	all   bool
	// Files to write.
	svmlight, predictions, testSVMLight string

	test      []string
	testSplit string
	fromIndex bool // INPUT is an index and --test is set
}

type clusterVectors = iter.Seq2[projection.Vector, error]

func projectCommand(a *app) *command {
	var f projectFlags
	f.app, f.perText = a, 330
	return &command{
		use:   "project INPUT...",
		short: "project terms to classes, and documents to vectors over the classes",
		long: "project maps every term to the class that it speaks for (term projection: Zheng, Liu, Teng and Sun 2009)\n" +
			"and prints the clusters of terms that the classes get. A term is left out where its largest chi-square\n" +
			"on tokens is less than --alpha of the sum over all classes. Each term of the clusters has its\n" +
			"chi-square, the share of that sum, the probability ratios P(t|c)/P(t|not c) of the class and the largest\n" +
			"of all (pr, prmax), and df.\n\n" +
			"A document becomes a vector with a dimension for each class: the weights of its terms, log(tf+1)\n" +
			"log(N/df+1) prmax, added up by class. The class with the largest weight is the prediction; a document\n" +
			"without a projected term gets the class with the most documents. --test tells how many of other\n" +
			"documents are predicted right.",
		example: "  termsift project --top 5 train.idx\n" +
			"  termsift project 20news-bydate.tar.gz --split train --test 20news-bydate.tar.gz --predictions p.tsv\n" +
			"  termsift project train.jsonl --unit --svmlight train.svm --test test.jsonl --svmlight-test test.svm",
		flags: f.flags(),
		run:   f.project,
	}
}

func (f *projectFlags) flags() []flags.Flag {
	own := flags.In(flags.GroupScoring, []flags.Flag{
		{Name: "top", To: &f.top, Default: 10, Positive: true, Most: flags.Unlimited, Help: "print the K best terms of each class"},
		{Name: "all", To: &f.all, Help: "print all terms of each class"},
		{Name: "alpha", To: &f.alpha, Default: projection.DefaultAlpha, Help: "least share of a term's chi-square that its largest must have, from 0 to 1"},
		{Name: "number", Short: "k", To: &f.K, NotNegative: true, Most: flags.Unlimited, Help: "project the K terms with the largest chi-square only (default all)"},
		{
			Name: "rule", To: &f.Rule, Default: projection.Positive, Choices: flags.Among(projection.Positive, projection.Literal),
			Help: "positive: to a class where the term is more frequent than by chance; literal: as the paper says",
		},
		{
			Name: "cluster-weight", To: &f.Weight, Default: projection.ClusterLog, More: true,
			Choices: flags.Among(projection.ClusterLog, projection.ClusterTFIDF), Help: "log: log(tf+1)·log(N/df+1); tfidf: tf·log(N/df)",
		},
		{
			Name: "discriminate", To: &f.Discriminate, Default: projection.DiscriminatePR, More: true,
			Choices: flags.Among(projection.DiscriminatePR, projection.DiscriminateLogPR), Help: "times: pr: prmax; log-pr: log prmax, at least 0",
		},
		{Name: "base", To: &f.Base, More: true, Help: "base of the logarithms (default e)"},
		{Name: "occurrences", To: &f.Occurrences, More: true, Help: "take data where no term comes twice in a document for counts"},
	})
	return slices.Concat(own, []flags.Flag{
		{Name: "test", To: &f.test, Reads: flags.AFile, Group: flags.GroupEvaluation, Help: "documents, or an index, to predict; may be repeated"},
		testSplitFlag(&f.testSplit, "split of --test (default test where --split is train, --split beside an index, else all)"),
	}, f.inputFlags.flags(), f.tableFlags("table"), flags.In(flags.GroupOutput, []flags.Flag{
		{Name: "svmlight", To: &f.svmlight, Writes: true, Help: "write the vectors of INPUT to this file"},
		{Name: "predictions", To: &f.predictions, Writes: true, Needs: "test", Help: "write what was predicted to this file, as TSV"},
		{Name: "unit", To: &f.Unit, More: true, Help: "scale vectors to length 1"},
		{Name: "svmlight-test", To: &f.testSVMLight, Writes: true, More: true, Needs: "test", Help: "write the vectors of --test to this file"},
	}))
}

func (f *projectFlags) project(c *cobra.Command, args []string) (err error) {
	if slices.Contains(f.test, "-") && slices.Contains(args, "-") {
		return usageError("standard input cannot be both INPUT and --test")
	}
	f.Alpha, f.Threads = &f.alpha, f.threads
	if err := f.Validate(); err != nil {
		return err
	}
	var corpus *corpus.Corpus
	if f.fromIndex = len(f.test) > 0 && f.kindOfOne(args) == indexFile; !f.fromIndex {
		corpus, err = f.corpus(c, args)
	} else if err = noAnalysis(c, args[0], "those of the index"); err == nil {
		corpus, err = f.part(c, nil, args[0]) // the flags that say how text is read apply to --test
	}
	if err != nil {
		return err
	}
	p, err := projection.Project(c.Context(), corpus, f.Options)
	if errors.Is(err, projection.ErrBinary) {
		err = fmt.Errorf("%w; --occurrences takes it for counts", err)
	}
	if err != nil {
		return err
	}
	f.noteProjection(p, corpus)
	if f.svmlight != "" {
		err = f.write(f.svmlight, func(w io.Writer) error {
			return eachVector(p.Corpus(c.Context(), corpus), w, func(projection.Vector) error { return nil })
		})
	}
	if err == nil && len(f.test) > 0 {
		err = f.projectTest(c, p, corpus.Provenance())
	}
	if err != nil {
		return err
	}
	return f.printClusters(p)
}

func (tk *talk) noteProjection(p *projection.Projection, corpus *corpus.Corpus) {
	tk.warn(p.Warnings)
	tk.note("projected %d of %d terms to %d classes; %d fail alpha = %v, %d indicate no class", len(p.Terms), corpus.Terms(), len(p.Classes), p.Filtered, p.Alpha, p.Unprojected)
}

// eachVector does something with every vector, and writes it as svmlight to w; nil writes nothing.
func eachVector(rows clusterVectors, w io.Writer, do func(projection.Vector) error) error {
	if w == nil {
		w = io.Discard
	}
	return vectors.WriteSVMLight(w, func(yield func(vectors.Row, error) bool) {
		for v, err := range rows {
			if err == nil {
				err = do(v)
			}
			if !yield(v.Row, err) || err != nil {
				return
			}
		}
	})
}

// projectTest predicts the classes of the documents of --test, which are analysed like
// those of the projection, and writes the files that were asked for.
func (f *projectFlags) projectTest(c *cobra.Command, p *projection.Projection, record corpus.Provenance) error {
	rows, done, err := f.testVectors(c, p, record)
	if err != nil {
		return err
	}
	var score projection.RuleScore
	err = f.writeIf(f.predictions, func(predictions io.Writer) error {
		return f.writeIf(f.testSVMLight, func(w io.Writer) error {
			t := tables.New(cmp.Or(predictions, io.Discard), tables.Style{Format: "tsv"}, predictionColumns(p))
			err := eachVector(rows, w, func(v projection.Vector) error {
				score.Add(v)
				return t.Add(v)
			})
			return cmp.Or(err, t.Close())
		})
	})
	if err != nil {
		return err
	}
	done()
	f.note("predicted %d documents, %d of them without a projected term; of %d labelled ones %d are right: accuracy %.4f, micro-F1 %.4f", score.Documents, score.Guessed, score.Labelled, score.Right, score.Accuracy(), score.MicroF1())
	return nil
}

// testVectors opens --test. done prints what was read.
func (f *projectFlags) testVectors(c *cobra.Command, p *projection.Projection, record corpus.Provenance) (vectors clusterVectors, done func(), err error) {
	if f.kindOfOne(f.test) == indexFile {
		if err := noRaw(c, "%s is an index", f.test[0]); f.fromIndex && err != nil {
			return nil, nil, err
		}
		corpus, err := f.openCorpus(f.test[0], corpus.OpenOptions{Read: f.noMap})
		if err != nil {
			return nil, nil, err
		}
		return p.Corpus(c.Context(), corpus), func() {}, nil
	}
	in := f.inputFlags // --test is read like INPUT, except for the split
	in.Remember(c.Flags().Changed, record)
	in.ToPredict(c.Flags().Changed)
	in.Read.Split = splitOfTest(f.testSplit, in.Read.Split, f.fromIndex)
	source, err := in.source(c.Context(), f.test)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	return p.Documents(c.Context(), f.watch(source.Documents(), source)), func() { f.sumUp(source, time.Since(start), nil) }, nil
}

// predictionColumns are those of --predictions.
func predictionColumns(p *projection.Projection) []tables.Column[projection.Vector] {
	return []tables.Column[projection.Vector]{
		{Key: "id", Value: func(v projection.Vector) any { return v.ID }},
		{Key: "labels", Value: func(v projection.Vector) any {
			var labels []string
			for _, l := range v.Labels {
				labels = append(labels, p.Classes[l])
			}
			return strings.Join(append(labels, v.Unseen...), ",")
		}},
		{Key: "predicted", Value: func(v projection.Vector) any { return p.Classes[v.Predicted] }},
		{Key: "guessed", Value: func(v projection.Vector) any { return v.Guessed }},
	}
}

// A clusterTerm is a row of the output of project. Its values are finite.
type clusterTerm struct {
	projection.Term
	class string
	rank  int // rank in its class
}

func fourDigits(v float64) string { return fmt.Sprintf("%.4g", v) }

var clusterColumns = []tables.Column[clusterTerm]{
	{Key: "class", In: tables.ForPrograms, Value: func(t clusterTerm) any { return t.class }},
	{Key: "rank", Value: func(t clusterTerm) any { return t.rank }},
	{Key: "term", Left: true, Value: func(t clusterTerm) any { return t.Term.Term }},
	{Key: "chi", Value: func(t clusterTerm) any { return t.Chi }},
	{Key: "share", Value: func(t clusterTerm) any { return t.Chi / t.Total }, Shows: tables.Decimals(3)},
	{Key: "pr", Value: func(t clusterTerm) any { return t.PR }, Shows: fourDigits},
	{Key: "prmax", Head: "max", Value: func(t clusterTerm) any { return t.PRMax }, Shows: fourDigits},
	{Key: "df", Value: func(t clusterTerm) any { return t.DF }},
}

// printClusters prints the best terms of each cluster.
func (f *projectFlags) printClusters(p *projection.Projection) error {
	t := list(&f.outputs, clusterColumns)
	top := f.top
	if f.all {
		top = math.MaxInt
	}
	for c, cluster := range p.Clusters() {
		t.Title("%s, %d terms", p.Classes[c], len(cluster))
		for i, term := range cluster[:min(top, len(cluster))] {
			t.Add(clusterTerm{term, p.Classes[c], i + 1})
		}
	}
	return t.Close()
}
