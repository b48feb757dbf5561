package main

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

type predictFlags struct {
	inputFlags
	model  string
	format tables.Format
	scores bool
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
		flags: slices.Concat([]flags.Flag{
			{Name: "model", To: &f.model, Reads: flags.AFile, Group: flags.GroupEvaluation, Help: "a file that train wrote"},
		}, f.inputFlags.flags(), a.tableFlags(&f.format, "tsv"), flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "scores", To: &f.scores, More: true, Help: "the scores of all classes, too (in JSON)"},
		})),
		run: f.predict,
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
func (f *predictFlags) print(ctx context.Context, p *classify.Pipeline, rows iter.Seq2[vectors.Row, error], known *knownLabels) error {
	t := tables.New(f.stdout, f.style(f.format), f.columns(p))
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
	classify.Prediction
	classes []int
	class   int
}

// columns returns the columns of predictions.
func (f *predictFlags) columns(p *classify.Pipeline) []tables.Column[predicted] {
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
	p                  *classify.Pipeline
	right, said        [][]int
	documents, guessed int
	several            int
}

// add adds a prediction, and returns its classes.
func (k *knownLabels) add(x classify.Prediction) []int {
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
	r, err := evaluate.Multi(p.Model.Classes(), k.right, k.said)
	if err != nil {
		return err
	}
	tk.note("of %d labelled ones %d are right: micro-F1 %.4f, macro-F1 %.4f (of all %d classes)", r.Documents, r.Exact, r.Micro.F1(), r.MacroF1, len(r.Classes))
	return nil
}
