package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/evaluate"
)

// A point is a point of an evaluation: a method, a number of terms and a classifier.
type point = evaluate.Averages

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
func scoreOfPoint(key, head string, of func(point) evaluate.Spread) tables.Column[point] {
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
	scoreOfPoint("micro_f1", "micro-F1", func(x point) evaluate.Spread { return x.Micro }),
	scoreOfPoint("macro_f1", "macro-F1", func(x point) evaluate.Spread { return x.Macro }),
	scoreOfPoint("macro_f1_of_mean_pr", "F1 of means", func(x point) evaluate.Spread { return x.F1OfMeans }),
	scoreOfPoint("micro_precision", "", func(x point) evaluate.Spread { return x.MicroPrecision }),
	scoreOfPoint("micro_recall", "", func(x point) evaluate.Spread { return x.MicroRecall }),
	scoreOfPoint("macro_precision", "", func(x point) evaluate.Spread { return x.MacroPrecision }),
	scoreOfPoint("macro_recall", "", func(x point) evaluate.Spread { return x.MacroRecall }),
	scoreOfPoint("accuracy", "", func(x point) evaluate.Spread { return x.Accuracy }),
	{Key: "micro_f1_sd", In: tables.ForPrograms, Value: func(x point) any { return x.Micro.Deviation }},
	{Key: "macro_f1_sd", In: tables.ForPrograms, Value: func(x point) any { return x.Macro.Deviation }},
}

// timeOfPoint returns the column of a time.
func timeOfPoint(key string, in tables.Audience, of func(t evaluate.Times) time.Duration) tables.Column[point] {
	return tables.Column[point]{
		Key: key, In: in,
		Value: func(x point) any { return of(x.Times).Seconds() },
		Text:  func(x point) string { return clock(of(x.Times)) },
	}
}

var pointTimes = []tables.Column[point]{
	timeOfPoint("select", tables.ForPeople, func(t evaluate.Times) time.Duration { return t.Select + t.Gather + t.Transform }),
	timeOfPoint("train", tables.ForPeople, func(t evaluate.Times) time.Duration { return t.Train }),
	timeOfPoint("predict", tables.ForPeople, func(t evaluate.Times) time.Duration { return t.Predict }),
	timeOfPoint("select_s", tables.ForPrograms, func(t evaluate.Times) time.Duration { return t.Select }),
	timeOfPoint("gather_s", tables.ForPrograms, func(t evaluate.Times) time.Duration { return t.Gather }),
	timeOfPoint("transform_s", tables.ForPrograms, func(t evaluate.Times) time.Duration { return t.Transform }),
	timeOfPoint("train_s", tables.ForPrograms, func(t evaluate.Times) time.Duration { return t.Train }),
	timeOfPoint("predict_s", tables.ForPrograms, func(t evaluate.Times) time.Duration { return t.Predict }),
}

// A pointClass is the result of a point for one class.
type pointClass struct {
	evaluate.Class
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
	s := f.style()
	if f.perClass && f.table.format.Audience() == tables.ForLines {
		return f.printClasses(s, o)
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
	if s.People() {
		fmt.Fprintf(f.stdout, "%s\n\n", o.title(strconv.Itoa))
		f.printHowMany(evaluate.HowMany(o.points, f.howMany))
	}
	if err := tables.New(f.stdout, s, columns).AddAll(o.points); err != nil || !f.perClass || !s.People() {
		return err
	}
	fmt.Fprintln(f.stdout)
	return f.printClasses(s, o)
}

// printHowMany prints a sentence for each method and classifier.
func (o *outputs) printHowMany(all []evaluate.Enough) {
	for _, e := range all {
		fmt.Fprintf(o.stdout, "%s\n", o.visible(e.String()))
	}
	if len(all) > 0 {
		fmt.Fprintln(o.stdout)
	}
}

// printClasses prints the classes of every point.
func (o *outputs) printClasses(s tables.Style, of evaluation) error {
	t := tables.New(o.stdout, s, pointClassColumns)
	for _, x := range of.points {
		t.Title("%s, %d terms, %s", x.Method, x.Features, x.Classifier)
		for _, c := range classesOf(x) {
			t.Add(c)
		}
	}
	return t.Close()
}

// clock formats a time with three digits.
func clock(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
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
