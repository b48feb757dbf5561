package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/evaluate"
)

// An evaluationPrinter prints the points of an evaluation.
type evaluationPrinter struct {
	w        io.Writer
	format   string
	terminal bool
	perClass bool
	times    bool
}

func (p *evaluationPrinter) print(o evaluation) error {
	switch p.format {
	case "jsonl":
		return p.json(o)
	case "tsv":
		if p.perClass {
			return p.classesTSV(o)
		}
		return p.tsv(o)
	}
	return p.table(o)
}

func (p *evaluationPrinter) table(o evaluation) error {
	show := printer{terminal: p.terminal}
	spread := func(s evaluate.Spread) string {
		if o.runs > 1 {
			return fmt.Sprintf("%.4f ±%.4f", s.Mean, s.Deviation)
		}
		return fmt.Sprintf("%.4f", s.Mean)
	}
	names := []string{"method", "terms", "classifier", "micro-F1", "macro-F1", "F1 of means"}
	if p.times {
		names = append(names, "select", "train", "predict")
	}
	lines := [][]string{names}
	for _, x := range o.points {
		line := []string{x.Method, strconv.Itoa(x.Features), x.Classifier, spread(x.Micro), spread(x.Macro), spread(x.F1OfMeans)}
		if p.times {
			t := x.Times
			line = append(line, clock(t.Select+t.Gather+t.Transform), clock(t.Train), clock(t.Predict))
		}
		lines = append(lines, line)
	}
	fmt.Fprintf(p.w, "%s\n\n", o.title)
	if err := writeAligned(p.w, lines, map[int]bool{0: true, 2: true}); err != nil || !p.perClass {
		return err
	}
	for _, x := range o.points {
		fmt.Fprintf(p.w, "\n%s, %d terms, %s\n", x.Method, x.Features, x.Classifier)
		lines := [][]string{{"class", "precision", "recall", "F1", "documents"}}
		for _, c := range x.Result.Classes {
			lines = append(lines, []string{
				show.visible(c.Name), fmt.Sprintf("%.4f", c.Precision()), fmt.Sprintf("%.4f", c.Recall()), fmt.Sprintf("%.4f", c.F1()), strconv.Itoa(c.Support()),
			})
		}
		if err := writeAligned(p.w, lines, map[int]bool{0: true}); err != nil {
			return err
		}
	}
	return nil
}

// clock writes a time in three digits.
func clock(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// writeAligned writes lines of columns, numbers to the right.
func writeAligned(w io.Writer, lines [][]string, left map[int]bool) error {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], len([]rune(text)))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, text := range line {
			pad := strings.Repeat(" ", widths[i]-len([]rune(text)))
			if i > 0 {
				b.WriteString("  ")
			}
			if left[i] {
				b.WriteString(text + pad)
			} else {
				b.WriteString(pad + text)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// kText is how many terms were asked for.
func kText(k int) string {
	if k == 0 {
		return "all"
	}
	return strconv.Itoa(k)
}

// scores are the columns of a point, in order.
func scores(x evaluate.Averages) []column {
	return []column{
		{name: "micro_f1", value: x.Micro.Mean},
		{name: "macro_f1", value: x.Macro.Mean},
		{name: "macro_f1_of_mean_pr", value: x.F1OfMeans.Mean},
		{name: "micro_precision", value: x.MicroPrecision.Mean},
		{name: "micro_recall", value: x.MicroRecall.Mean},
		{name: "macro_precision", value: x.MacroPrecision.Mean},
		{name: "macro_recall", value: x.MacroRecall.Mean},
		{name: "accuracy", value: x.Accuracy.Mean},
		{name: "micro_f1_sd", value: x.Micro.Deviation},
		{name: "macro_f1_sd", value: x.Macro.Deviation},
	}
}

// seconds are the times of a point, in order.
func seconds(x evaluate.Averages) []column {
	t := x.Times
	return []column{
		{name: "select_s", value: t.Select.Seconds()},
		{name: "gather_s", value: t.Gather.Seconds()},
		{name: "transform_s", value: t.Transform.Seconds()},
		{name: "train_s", value: t.Train.Seconds()},
		{name: "predict_s", value: t.Predict.Seconds()},
	}
}

func (p *evaluationPrinter) columns(x evaluate.Averages) []column {
	if !p.times {
		return scores(x)
	}
	return append(scores(x), seconds(x)...)
}

func (p *evaluationPrinter) tsv(o evaluation) error {
	for i, x := range o.points {
		columns := p.columns(x)
		if i == 0 {
			line := "method\tclassifier\tweight\tk\tterms\truns\tdocuments\tempty_train\tempty_test"
			for _, c := range columns {
				line += "\t" + c.name
			}
			fmt.Fprintln(p.w, line)
		}
		line := fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d", x.Method, x.Classifier, x.Weight, kText(x.K), x.Features, x.Runs, x.Result.Documents, x.EmptyTrain, x.EmptyTest)
		for _, c := range columns {
			line += "\t" + engine.FormatValue(c.value)
		}
		if _, err := fmt.Fprintln(p.w, line); err != nil {
			return err
		}
	}
	return nil
}

func (p *evaluationPrinter) classesTSV(o evaluation) error {
	fmt.Fprintln(p.w, "method\tclassifier\tk\tterms\tclass\ttp\tfp\tfn\tprecision\trecall\tf1")
	for _, x := range o.points {
		for _, c := range x.Result.Classes {
			_, err := fmt.Fprintf(p.w, "%s\t%s\t%s\t%d\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", x.Method, x.Classifier, kText(x.K), x.Features, engine.EscapeTSV(c.Name),
				c.TP, c.FP, c.FN, engine.FormatValue(c.Precision()), engine.FormatValue(c.Recall()), engine.FormatValue(c.F1()))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// A classLine is a class of a point in JSON.
type classLine struct {
	Class     string  `json:"class"`
	TP        int     `json:"tp"`
	FP        int     `json:"fp"`
	FN        int     `json:"fn"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

func (p *evaluationPrinter) json(o evaluation) error {
	lines := printer{w: p.w}
	for _, x := range o.points {
		var classes []classLine
		if p.perClass {
			for _, c := range x.Result.Classes {
				classes = append(classes, classLine{c.Name, c.TP, c.FP, c.FN, c.Precision(), c.Recall(), c.F1()})
			}
		}
		k := &x.K
		if x.K == 0 {
			k = nil
		}
		err := lines.jsonWithMore(struct {
			Method     string      `json:"method"`
			Classifier string      `json:"classifier"`
			Weight     string      `json:"weight"`
			K          *int        `json:"k"` // null of all terms
			Terms      int         `json:"terms"`
			Runs       int         `json:"runs"`
			Documents  int         `json:"documents"`
			EmptyTrain int         `json:"empty_train"`
			EmptyTest  int         `json:"empty_test"`
			Classes    []classLine `json:"classes,omitempty"`
		}{
			x.Method, x.Classifier, x.Weight, k, x.Features, x.Runs, x.Result.Documents, x.EmptyTrain, x.EmptyTest, classes,
		}, p.columns(x))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeConfusion writes a line for every pair of classes that a document has.
func (o evaluation) writeConfusion(w io.Writer) error {
	if _, err := io.WriteString(w, "method\tclassifier\tk\tterms\tright\tpredicted\tdocuments\n"); err != nil {
		return err
	}
	for _, x := range o.points {
		if x.Result.Confusion == nil {
			return usageError("there are too many classes, or test documents of several labels, for a table of confusion: leave --confusion out")
		}
		for right, row := range x.Result.Confusion {
			for said, n := range row {
				if n == 0 {
					continue
				}
				_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%d\n", x.Method, x.Classifier, kText(x.K), x.Features,
					engine.EscapeTSV(o.classes[right]), engine.EscapeTSV(o.classes[said]), n)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
