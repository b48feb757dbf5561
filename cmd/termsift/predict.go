package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/vectors"
)

type predictFlags struct {
	inputFlags
	model, out string
	format     tables.Format
	scores     bool
}

func predictCommand(a *app) *command {
	var f predictFlags
	f.app = a
	return &command{
		use:   "predict --model MODEL INPUT...",
		short: "predict the classes of documents",
		long: "predict prints a line for each document: its name, the class, and the score of the class. Raw\n" +
			"text is analysed as that of the training was. Of a model for several labels there is a\n" +
			"line for each class, or one without class. Documents with labels are compared: micro-F1\n" +
			"and macro-F1 are on stderr.",
		example: "  termsift predict --model model test.jsonl\n" +
			"  termsift predict --model model --format jsonl --scores test.idx -o predictions.jsonl",
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat([]flags.Flag{
			{Name: "model", To: &f.model, Reads: flags.AFile, Group: flags.GroupEvaluation, Help: "a file that train wrote"},
		}, f.inputFlags.flags(), flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "output", Short: "o", To: &f.out, Writes: true, Help: "the output (default standard output)"},
			formatFlag(&f.format, "tsv"),
			{Name: "scores", To: &f.scores, More: true, Help: "the scores of all classes, too (in JSON)"},
		})),
		run: func(c *cobra.Command, args []string) error { return f.predict(c, args) },
	}
}

func (f *predictFlags) predict(c *cobra.Command, args []string) error {
	switch {
	case f.model == "":
		return usageError("predict needs a model: --model MODEL")
	case f.scores && f.format.Audience() != tables.ForJSON:
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
	t, err := vectors.New(p.Selection, vectors.Weighting(p.Weight))
	if err != nil {
		return err
	}
	var known knownLabels
	err = f.write(f.out, func(w io.Writer) error {
		s := tables.Style{Format: f.format, Terminal: f.toTerminal && w == f.stdout}
		return writePredictions(w, s, p, f.scores, known.watch(p, p.Predict(c.Context(), in.rows(t), f.threads)))
	})
	if err != nil {
		return err
	}
	in.done()
	f.noteUnseen(t)
	return f.tellKnown(p, &known)
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

// A predictedClass is a row of a prediction: one class, or -1 if there is none.
type predictedClass struct {
	classify.Prediction
	class int
}

// lineColumns returns the columns of a row for each class.
func lineColumns(classes []string) []tables.Column[predictedClass] {
	return []tables.Column[predictedClass]{
		{Key: "id", Left: true, Value: func(x predictedClass) any { return x.ID }},
		{Key: "class", Left: true, Value: func(x predictedClass) any {
			if x.class < 0 {
				return nil
			}
			return classes[x.class]
		}},
		{Key: "score", Value: func(x predictedClass) any {
			if x.class < 0 {
				return nil
			}
			return x.Scores[x.class]
		}},
	}
}

// documentColumns returns the columns of an object for each document.
func documentColumns(p *classify.Pipeline, scores bool) []tables.Column[classify.Prediction] {
	names := p.Model.Classes()
	columns := []tables.Column[classify.Prediction]{
		{Key: "id", Value: func(x classify.Prediction) any { return x.ID }},
		{Key: "classes", Value: func(x classify.Prediction) any {
			classes := []string{}
			for _, c := range assigned(p, x) {
				classes = append(classes, names[c])
			}
			return classes
		}},
		{Key: "score", Value: func(x classify.Prediction) any { return x.Score }}, // the highest
		{Key: "evidence", Value: func(x classify.Prediction) any { return x.Evidence }},
	}
	if scores {
		columns = append(columns, tables.Column[classify.Prediction]{Key: "scores", Value: func(x classify.Prediction) any {
			scores := make(map[string]tables.JSONNumber, len(names))
			for c, name := range names {
				scores[name] = tables.JSONNumber(x.Scores[c])
			}
			return scores
		}})
	}
	return columns
}

// writePredictions writes one object per document in JSON, else one row per class.
func writePredictions(w io.Writer, s tables.Style, p *classify.Pipeline, scores bool, in predictions) error {
	var add func(classify.Prediction) error
	var end func() error
	if s.Format.Audience() == tables.ForJSON {
		t := tables.New(w, s, documentColumns(p, scores))
		add, end = t.Add, t.Close
	} else {
		t := tables.New(w, s, lineColumns(p.Model.Classes()))
		add, end = func(x classify.Prediction) error { return addClasses(t, p, x) }, t.Close
	}
	for x, err := range in {
		if err != nil {
			return err
		}
		if err := add(x); err != nil {
			return err
		}
	}
	return end()
}

// addClasses adds one row per class of a prediction, or one row without a class.
func addClasses(t *tables.Table[predictedClass], p *classify.Pipeline, x classify.Prediction) error {
	classes := assigned(p, x)
	if len(classes) == 0 {
		classes = []int{-1}
	}
	for _, c := range classes {
		if err := t.Add(predictedClass{x, c}); err != nil {
			return err
		}
	}
	return nil
}

// assigned returns the classes of a prediction.
func assigned(p *classify.Pipeline, x classify.Prediction) []int {
	if p.Sets {
		return x.Set
	}
	return []int{x.Class}
}

// knownLabels collects the predictions of documents whose labels are known.
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

// tellKnown prints a comparison of the predictions with the known labels.
func (tk *talk) tellKnown(p *classify.Pipeline, k *knownLabels) error {
	tk.note("predicted %d documents, %d of them without evidence, by %s on %d terms", k.documents, k.guessed, p.Model.Kind(), p.Model.Columns())
	if len(k.right) == 0 {
		return nil
	}
	if k.several > 0 && !p.Sets {
		tk.warn([]string{fmt.Sprintf("%d documents have several labels, those of the training had one each: one class is predicted for each, the others count as missed", k.several)})
	}
	r, err := evaluate.Multi(p.Model.Classes(), k.right, k.said)
	if err != nil {
		return err
	}
	tk.note("of %d labelled ones %d are right: micro-F1 %.4f, macro-F1 %.4f (of all %d classes)", r.Documents, r.Exact, r.Micro.F1(), r.MacroF1, len(r.Classes))
	return nil
}
