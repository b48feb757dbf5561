package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
)

type trainFlags struct {
	inputFlags
	selectingFlags
	features, classifier, out string
	seed                      uint64
}

func (a *app) trainCommand() *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train INPUT... -o MODEL",
		Short: "learn a classifier on selected terms and keep it in a file",
		Long: "train learns from the labelled documents of INPUT, over the terms of a features file of\n" +
			"select, or over terms that it selects itself. The file of the model holds the selection,\n" +
			"too: predict needs nothing else. Where documents have several labels, classes are decided\n" +
			"about one by one. --by best-terms learns every class from its own terms and documents; a\n" +
			"document without a positive term of a class is outside it at once. --by project learns from\n" +
			"cluster vectors; its options stand behind a colon, as in evaluate.\n\n" + learnersHelp,
		Example: "  termsift train --by chi -k 5000 --classifier svm:c=1 train.idx -o model\n" +
			"  termsift train --features features.tsv --classifier nb train.jsonl -o model\n" +
			"  termsift train --by best-terms --function ig -p 0.25 --classifier bernoulli train.idx -o model\n" +
			"  termsift train --by project:alpha=0.6 --classifier rule train.idx -o model",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error { return a.train(c, &f, args) },
	}
	f.inputFlags.register(c)
	f.selectingFlags.register(c)
	rowWeight(c, &f.scoringFlags)
	c.Flags().StringVar(&f.features, "features", "", "a features file of select")
	c.Flags().StringVar(&f.classifier, "classifier", "svm", "the classifier, see above")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "the order of the rows in svm; the folds of thresholds")
	c.Flags().StringVarP(&f.out, "output", "o", "", "the file of the model; - is standard output")
	return c
}

func (a *app) train(c *cobra.Command, f *trainFlags, args []string) error {
	if f.out == "" {
		return usageError("train needs the file to write: -o MODEL")
	}
	learner, err := classify.ParseLearner(f.classifier)
	if err != nil {
		return err
	}
	weight := learner.WeightOr(f.weight)
	if f.projects() {
		if c.Flags().Changed("weight") || learner.Weight != "" {
			return usageError("--by %s has weights of its own: leave weight out", f.by)
		}
		weight = "tf"
	} else if learner.Kind == "rule" {
		return usageError("the classifier rule goes with --by project")
	}
	part, err := a.trainingPart(c, f, weight, args)
	if err != nil {
		return err
	}
	t, err := engine.NewTransformer(part.selection, weight)
	if err != nil {
		return err
	}
	o := classify.TrainOptions{Scopes: part.scopes, Clusters: part.clusters, Seed: f.seed, Threads: f.threads}
	p, err := classify.TrainPipeline(c.Context(), part.selection, weight, part.vectors(t), learner, o)
	if err != nil {
		return err
	}
	part.done()
	if m, ok := p.Model.(interface{ Warnings() []string }); ok {
		a.warn(m.Warnings())
	}
	a.note("trained %s on %d terms, weight %s, %d classes, %s", learner, len(part.selection.Features), weight, len(part.selection.Classes), kindOfLabels(p.Sets))
	return a.write(f.out, p.Save)
}

// A trainingPart is a selection and the documents to learn from.
type trainingPart struct {
	selection *engine.Selection
	scopes    []classify.Scope   // of Best Terms: what each class is learnt from
	clusters  *engine.ClusterMap // of term projection: vectors to learn from
	vectors   func(*engine.Transformer) rows
	done      func() // sums up what was read
}

func (a *app) trainingPart(c *cobra.Command, f *trainFlags, weight string, args []string) (p trainingPart, err error) {
	if f.features != "" {
		return a.trainingPartOver(c, f, args)
	}
	var corpus *engine.Corpus
	switch {
	case f.by == byBestTerms:
		p.selection, p.scopes, corpus, err = a.bestTermsScopes(c, f, args)
	case f.projects():
		p.selection, p.clusters, corpus, err = a.projectedTerms(c, f, args)
	default:
		p.selection, corpus, err = a.selection(c, &f.inputFlags, &f.selectingFlags, args)
	}
	if err == nil {
		p.selection, err = p.selection.WithFactors(c.Context(), corpus, f.threads, weight)
	}
	p.vectors = func(t *engine.Transformer) rows { return t.Corpus(c.Context(), corpus) }
	p.done = func() {}
	return p, err
}

// bestTermsScopes chooses by Best Terms, for every class terms and documents of its own.
func (a *app) bestTermsScopes(c *cobra.Command, f *trainFlags, args []string) (*engine.Selection, []classify.Scope, *engine.Corpus, error) {
	b, corpus, err := a.bestTerms(c, &f.inputFlags, &f.selectingFlags, args)
	if err != nil {
		return nil, nil, nil, err
	}
	s, err := a.united(&f.selectingFlags, b, corpus)
	if err != nil {
		return nil, nil, nil, err
	}
	scopes, err := classify.ScopesOf(b, s)
	return s, scopes, corpus, err
}

// projects says that --by is term projection.
func (f *trainFlags) projects() bool {
	name, _, _ := strings.Cut(f.by, ":")
	return name == "project"
}

// projectedTerms projects the terms, and gives the map to cluster vectors.
func (a *app) projectedTerms(c *cobra.Command, f *trainFlags, args []string) (*engine.Selection, *engine.ClusterMap, *engine.Corpus, error) {
	if err := onlyFlags(c, f.by, "by", "number", "threads", "output", "classifier", "seed"); err != nil {
		return nil, nil, nil, err
	}
	m, err := evaluate.ParseMethod(f.by, engine.Scoring{})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, r := range f.rules {
		m.Project.K = r.whole
	}
	m.Project.Threads = f.threads
	corpus, err := a.corpus(c, &f.inputFlags, args)
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := corpus.Project(c.Context(), *m.Project)
	if errors.Is(err, engine.ErrBinary) {
		err = fmt.Errorf("%w; --by project:occurrences=true takes it for counts", err)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	a.noteProjection(p, corpus)
	return p.Selection(), p.Map(), corpus, nil
}

// trainingPartOver has the terms of a features file.
func (a *app) trainingPartOver(c *cobra.Command, f *trainFlags, args []string) (p trainingPart, err error) {
	for _, name := range append([]string{"by", "number", "drop"}, notGreedy...) {
		if c.Flags().Changed(name) {
			return p, usageError("--%s contradicts --features, which names the terms", name)
		}
	}
	if p.selection, err = readSelection(f.features); err != nil {
		return p, err
	}
	p.vectors, p.done, err = a.vectors(c, &f.inputFlags, p.selection, "--features", args)
	return p, err
}

type predictFlags struct {
	inputFlags
	model, out, format string
	scores             bool
}

func (a *app) predictCommand() *cobra.Command {
	var f predictFlags
	c := &cobra.Command{
		Use:   "predict --model MODEL INPUT...",
		Short: "predict the classes of documents",
		Long: "predict prints a line for each document: its name, the class, and the score of the class. Raw\n" +
			"text is analysed as that of the training was. Of a model for several labels there is a\n" +
			"line for each class, or one without class. Documents with labels are compared: micro-F1\n" +
			"and macro-F1 are on stderr.",
		Example: "  termsift predict --model model test.jsonl\n" +
			"  termsift predict --model model --format jsonl --scores test.idx -o predictions.jsonl",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error { return a.predict(c, &f, args) },
	}
	f.inputFlags.register(c)
	c.Flags().StringVar(&f.model, "model", "", "a file that train wrote")
	c.Flags().StringVarP(&f.out, "output", "o", "", "the output (default standard output)")
	c.Flags().StringVar(&f.format, "format", "tsv", "tsv or jsonl")
	c.Flags().BoolVar(&f.scores, "scores", false, "the scores of all classes, too (in JSON lines)")
	return c
}

func (a *app) predict(c *cobra.Command, f *predictFlags, args []string) error {
	switch {
	case f.model == "":
		return usageError("predict needs a model: --model MODEL")
	case f.format != "tsv" && f.format != "jsonl":
		return usageError("unknown format %q; known: tsv jsonl", f.format)
	case f.scores && f.format != "jsonl":
		return usageError("--scores goes with --format jsonl")
	}
	p, err := readPipeline(f.model)
	if err != nil {
		return err
	}
	vectors, done, err := a.vectors(c, &f.inputFlags, p.Selection, "--model", args)
	if err != nil {
		return err
	}
	t, err := engine.NewTransformer(p.Selection, p.Weight)
	if err != nil {
		return err
	}
	var known knownLabels
	err = a.write(f.out, func(w io.Writer) error {
		out := predictionWriter{w: w, p: p, json: f.format == "jsonl", scores: f.scores}
		return out.write(known.watch(p, p.Predict(c.Context(), vectors(t), f.threads)))
	})
	if err != nil {
		return err
	}
	done()
	a.noteUnseen(t)
	return a.tellKnown(p, &known)
}

func readPipeline(path string) (*classify.Pipeline, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := classify.LoadPipeline(file, path)
	if errors.Is(err, classify.ErrNoModel) {
		err = fmt.Errorf("%w; write it with termsift train", err)
	}
	return p, err
}

type predictions = func(yield func(classify.Prediction, error) bool)

// A predictionWriter writes predictions.
type predictionWriter struct {
	w            io.Writer
	p            *classify.Pipeline
	json, scores bool
}

func (o *predictionWriter) write(in predictions) error {
	line := o.tsv
	if o.json {
		line = o.jsonLine
	} else if _, err := io.WriteString(o.w, "id\tclass\tscore\n"); err != nil {
		return err
	}
	for x, err := range in {
		if err != nil {
			return err
		}
		if err := line(x); err != nil {
			return err
		}
	}
	return nil
}

// assigned lists the classes of a prediction.
func assigned(p *classify.Pipeline, x classify.Prediction) []int {
	if p.Sets {
		return x.Set
	}
	return []int{x.Class}
}

func (o *predictionWriter) tsv(x classify.Prediction) error {
	classes := o.p.Model.Classes()
	var b strings.Builder
	for _, c := range assigned(o.p, x) {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", engine.EscapeTSV(x.ID), engine.EscapeTSV(classes[c]), engine.FormatValue(x.Scores[c]))
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "%s\t\t\n", engine.EscapeTSV(x.ID))
	}
	_, err := io.WriteString(o.w, b.String())
	return err
}

func (o *predictionWriter) jsonLine(x classify.Prediction) error {
	names := o.p.Model.Classes()
	line := struct {
		ID       string                `json:"id"`
		Classes  []string              `json:"classes"`
		Score    jsonNumber            `json:"score"` // the highest
		Evidence bool                  `json:"evidence"`
		Scores   map[string]jsonNumber `json:"scores,omitempty"`
	}{x.ID, []string{}, jsonNumber(x.Score), x.Evidence, nil}
	for _, c := range assigned(o.p, x) {
		line.Classes = append(line.Classes, names[c])
	}
	if o.scores {
		line.Scores = make(map[string]jsonNumber, len(names))
		for c, name := range names {
			line.Scores[name] = jsonNumber(x.Scores[c])
		}
	}
	return writeJSON(o.w, line)
}

// knownLabels collects what can be compared.
type knownLabels struct {
	right, said         [][]int
	documents, guessed  int
	unlabelled, several int
}

func (k *knownLabels) watch(p *classify.Pipeline, in predictions) predictions {
	return func(yield func(classify.Prediction, error) bool) {
		for x, err := range in {
			if err == nil {
				k.add(p, x)
			}
			if !yield(x, err) {
				return
			}
		}
	}
}

func (k *knownLabels) add(p *classify.Pipeline, x classify.Prediction) {
	k.documents++
	if !x.Evidence {
		k.guessed++
	}
	right := x.Labels
	if x.UnseenLabels > 0 {
		right = append([]int{-1}, right...)
	}
	if len(right) == 0 {
		k.unlabelled++
		return
	}
	if len(right) > 1 {
		k.several++
	}
	k.right, k.said = append(k.right, right), append(k.said, assigned(p, x))
}

// tellKnown compares predictions with the labels that there are.
func (a *app) tellKnown(p *classify.Pipeline, k *knownLabels) error {
	a.note("predicted %d documents, %d of them without evidence, by %s on %d terms", k.documents, k.guessed, p.Model.Kind(), p.Model.Columns())
	if len(k.right) == 0 {
		return nil
	}
	if k.several > 0 && !p.Sets {
		a.warn([]string{fmt.Sprintf("%d documents have several labels, those of the training had one each: one class is predicted for each, the others count as missed", k.several)})
	}
	r, err := evaluate.Multi(p.Model.Classes(), k.right, k.said)
	if err != nil {
		return err
	}
	a.note("of %d labelled ones %d are right: micro-F1 %.4f, macro-F1 %.4f (of all %d classes)", r.Documents, r.Exact, r.Micro.F1(), r.MacroF1, len(r.Classes))
	return nil
}
