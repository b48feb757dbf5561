package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

type trainFlags struct {
	selectingFlags
	features, classifier, out string
	seed                      uint64
}

func trainCommand(a *app) *command {
	var f trainFlags
	f.app, f.perText = a, 400 // rows to learn from
	by := flags.RowWeight(f.selectingFlags.flags())
	by[0].Help += ", or project"
	return &command{
		use:   "train INPUT... -o MODEL",
		short: "learn a classifier on selected terms and keep it in a file",
		long: "train learns from the labelled documents of INPUT, over the terms of a features file of select, or over\n" +
			"terms that it selects itself. The file of the model holds the selection, too: predict needs nothing\n" +
			"else. Where documents have several labels, classes are decided about one by one. --by best-terms learns\n" +
			"every class from its own terms and documents; a document without a positive term of a class is outside\n" +
			"it at once. --by project learns from cluster vectors; its options stand behind a colon, as in evaluate.\n\n" +
			learnersHelp,
		example: "  termsift train --by chi -k 5000 --classifier svm:c=1 train.idx -o model\n" +
			"  termsift train --features features.tsv --classifier nb train.jsonl -o model\n" +
			"  termsift train --by best-terms --function ig -p 0.25 --classifier bernoulli train.idx -o model\n" +
			"  termsift train --by project:alpha=0.6 --classifier rule train.idx -o model",
		flags: slices.Concat(by, flags.In(flags.GroupEvaluation, []flags.Flag{
			featuresFlag(&f.features),
			{Name: "classifier", To: &f.classifier, Default: "svm", Choices: flags.From(learn.LearnerKinds), List: true, Applies: flags.OfMethods, Help: "the classifier, see above"},
			{Name: "seed", To: &f.seed, More: true, Applies: flags.OfMethods, Help: "the order of the rows in svm; the folds of thresholds"},
		}), f.inputFlags.flags(), []flags.Flag{
			{Name: "output", Short: "o", To: &f.out, Writes: true, Missing: toWrite + "MODEL", Applies: flags.OfMethods, Group: flags.GroupOutput, Help: "the file of the model; - is standard output"},
		}),
		output: always(modelFile),
		run:    f.train,
	}
}

func (f *trainFlags) train(c *cobra.Command, args []string) error {
	learner, err := learn.ParseLearner(f.classifier)
	if err != nil {
		return err
	}
	f.OfRows = true
	method, err := f.method(c)
	if err != nil {
		return err
	}
	weight := learner.WeightOr(string(f.Weight))
	if _, ok := method.(methods.Projection); ok {
		if c.Flags().Changed("weight") || learner.Weight != "" {
			return usageError("--by %s has weights of its own: leave weight out", f.By)
		}
		weight = "tf"
	} else if learner.Kind == "rule" {
		return usageError("the classifier rule goes with --by %s", methods.NameProjection)
	}
	part, documents, err := f.trainingPart(c, method, weight, args)
	if err != nil {
		return err
	}
	t, err := vectors.New(part.Selection, table.Weighting(weight))
	if err != nil {
		return err
	}
	o := learn.TrainOptions{Clusters: part.clusters, Seed: f.seed, Threads: f.threads}
	if part.best == nil { // whose classes have their own documents
		elements := 0
		for _, feature := range part.Features {
			elements += feature.DF
		}
		f.announceTraining([]learn.Learner{learner}, len(part.Classes), elements)
	} else if o.Scopes, err = learn.ScopesOf(part.best, part.Selection); err != nil {
		return err
	}
	p, err := learn.TrainPipeline(c.Context(), part.Selection, weight, documents.rows(t), learner, o)
	if err != nil {
		return err
	}
	documents.done()
	f.warn(p.Model.Warnings())
	f.note("trained %s on %d terms, weight %s, %d classes, %s", learner, len(part.Features), weight, len(part.Classes), kindOfLabels(p.Sets))
	return f.write(f.out, p.Save)
}

// trainingPart chooses terms, or reads those of a features file, and opens the documents to train on.
func (f *trainFlags) trainingPart(c *cobra.Command, m selection.Method, weight string, args []string) (p choice, in *rowInput, err error) {
	if f.features != "" {
		name := givenName(c, flags.OfSingle)
		for _, other := range []string{"by", "number", "drop"} {
			if c.Flags().Changed(other) {
				name = other
			}
		}
		if name != "" {
			return p, nil, usageError("--%s contradicts --features, which names the terms", name)
		}
		p.Selection, in, err = f.featuresAndRows(c, f.features, args)
		return p, in, err
	}
	if err := f.checkNoFeatures(args); err != nil {
		return p, nil, err
	}
	choose, err := f.trainingChooser(c, m)
	if err != nil {
		return p, nil, err
	}
	return f.chooseFrom(c, choose, weight, args)
}

// trainingChooser is chooser, for term projection as well.
func (f *trainFlags) trainingChooser(c *cobra.Command, method selection.Method) (chooser, error) {
	m, ok := method.(methods.Projection)
	if !ok {
		return f.chooser(c, method)
	}
	if err := onlyFlags(c, f.By, 0, "number"); err != nil {
		return nil, err
	}
	return ofDocuments(c, "--by "+f.By+" looks at the terms of each document", "", func(ctx context.Context, whole *corpus.Corpus) (choice, error) {
		p, err := m.Project(ctx, whole, f.Rules.Number())
		if errors.Is(err, projection.ErrBinary) {
			err = fmt.Errorf("%w; --by project:occurrences=true takes it for counts", err)
		}
		if err != nil {
			return choice{}, err
		}
		f.noteProjection(p, whole)
		return choice{Selection: p.Selection, clusters: p.Map}, nil
	}), m.Validate()
}

type predictFlags struct {
	inputFlags
	model  string
	scores bool
}

func predictCommand(a *app) *command {
	var f predictFlags
	f.app = a
	return &command{
		use:   "predict --model MODEL INPUT...",
		short: "predict the classes of documents",
		long: "predict prints a line for each document: its name, the class, and the score of the class. Raw text is\n" +
			"analysed as that of the training was. Of a model for several labels there is a line for each class, or\n" +
			"one without class. Documents with labels are compared: micro-F1 and macro-F1 are on stderr.",
		example: "  termsift predict --model model test.jsonl\n" +
			"  termsift predict --model model --format jsonl --scores test.idx -o predictions.jsonl",
		flags: slices.Concat([]flags.Flag{
			{Name: "model", To: &f.model, Reads: flags.AFile, Missing: "a model: --model MODEL", Group: flags.GroupEvaluation, Help: "a file that train wrote"},
		}, f.inputFlags.flags(), a.tableFlags("tsv"), flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "scores", To: &f.scores, More: true, Help: "the scores of all classes, too (in JSON)"},
		})),
		run: f.predict,
	}
}

func (f *predictFlags) predict(c *cobra.Command, args []string) error {
	if f.scores && f.table.Format.Audience() != tables.ForJSON {
		return usageError("--scores goes with --format jsonl or json")
	}
	p, err := readPipeline(f.model)
	if err != nil {
		return err
	}
	f.ToPredict(c.Flags().Changed)
	in, err := f.vectors(c, p.Selection, "--model", args)
	if err != nil {
		return err
	}
	t, err := vectors.New(p.Selection, table.Weighting(p.Weight))
	if err != nil {
		return err
	}
	known := knownLabels{p: p}
	if err := f.print(c.Context(), p, in.rows(t), &known); err != nil {
		return err
	}
	in.done()
	f.noteUnseen(t)
	return f.tellKnown(&known)
}

// print prints the predictions for rows, and adds them to those of known labels.
func (f *predictFlags) print(ctx context.Context, p *learn.Pipeline, rows iter.Seq2[vectors.Row, error], known *knownLabels) error {
	t := list(&f.outputs, f.columns(p))
	for x, err := range p.Predict(ctx, rows, f.threads) {
		if err != nil {
			return err
		}
		classes := known.add(x)
		if t.Format.Audience() == tables.ForJSON || len(classes) == 0 {
			err = t.Add(predicted{x, classes, -1})
		} else {
			for _, class := range classes {
				err = t.Add(predicted{x, classes, class})
			}
		}
		if err != nil {
			return err
		}
	}
	return t.Close()
}

// A predicted is a row of the output: in JSON a document, else one of its classes, or -1 if it has none.
type predicted struct {
	learn.Prediction
	classes []int
	class   int
}

// columns returns the columns of predictions.
func (f *predictFlags) columns(p *learn.Pipeline) []tables.Column[predicted] {
	const forOthers = tables.ForPeople | tables.ForLines
	names := p.Model.Classes()
	ofClass := func(of func(x predicted) any) func(predicted) any {
		return func(x predicted) any {
			if x.class < 0 {
				return nil
			}
			return of(x)
		}
	}
	columns := []tables.Column[predicted]{
		{Key: "id", Left: true, Value: func(x predicted) any { return x.ID }},
		{Key: "class", In: forOthers, Left: true, Value: ofClass(func(x predicted) any { return names[x.class] })},
		{Key: "score", In: forOthers, Value: ofClass(func(x predicted) any { return x.Scores[x.class] })},
		{Key: "classes", In: tables.ForJSON, Value: func(x predicted) any {
			classes := []string{}
			for _, c := range x.classes {
				classes = append(classes, names[c])
			}
			return classes
		}},
		{Key: "score", In: tables.ForJSON, Value: func(x predicted) any { return x.Score }}, // the highest
		{Key: "evidence", In: tables.ForJSON, Value: func(x predicted) any { return x.Evidence }},
	}
	if f.scores {
		columns = append(columns, tables.Column[predicted]{Key: "scores", Value: func(x predicted) any {
			scores := make(map[string]tables.JSONNumber, len(names))
			for c, name := range names {
				scores[name] = tables.JSONNumber(x.Scores[c])
			}
			return scores
		}})
	}
	return columns
}

// knownLabels collects the predictions of documents whose labels are known.
type knownLabels struct {
	p                  *learn.Pipeline
	right, said        [][]int
	documents, guessed int
	several            int
}

// add adds a prediction, and returns its classes.
func (k *knownLabels) add(x learn.Prediction) []int {
	said := []int{x.Class}
	if k.p.Sets {
		said = x.Set
	}
	k.documents++
	if !x.Evidence {
		k.guessed++
	}
	right := x.Labels
	if x.UnseenLabels > 0 {
		right = append([]int{-1}, right...)
	}
	if len(right) == 0 {
		return said
	}
	if len(right) > 1 {
		k.several++
	}
	k.right, k.said = append(k.right, right), append(k.said, said)
	return said
}

// tellKnown prints a comparison of the predictions with the known labels.
func (tk *talk) tellKnown(k *knownLabels) error {
	p := k.p
	tk.note("predicted %d documents, %d of them without evidence, by %s on %d terms", k.documents, k.guessed, p.Model.Kind(), p.Model.Columns())
	if len(k.right) == 0 {
		return nil
	}
	if k.several > 0 && !p.Sets {
		tk.warn([]string{fmt.Sprintf("%d documents have several labels, those of the training had one each: one class is predicted for each, the others count as missed", k.several)})
	}
	r, err := learn.Multi(p.Model.Classes(), k.right, k.said)
	if err != nil {
		return err
	}
	tk.note("of %d labelled ones %d are right: micro-F1 %.4f, macro-F1 %.4f (of all %d classes)", r.Documents, r.Exact, r.Micro.F1(), r.MacroF1, len(r.Classes))
	return nil
}
