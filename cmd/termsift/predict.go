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
