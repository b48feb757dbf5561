package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/termsift/termsift/engine/evaluate"
)

// A point is a point of an evaluation: a method, a number of terms and a classifier.
type point = evaluate.Averages

// pointColumns identify the point of a row.
var pointColumns = []column[point]{
	{key: "method", left: true, value: func(x point) any { return x.Method }},
	{key: "terms", in: forPeople, value: func(x point) any { return x.Features }},
	{key: "classifier", left: true, value: func(x point) any { return x.Classifier }},
	{key: "weight", in: forPrograms, value: func(x point) any { return x.Weight }},
	{key: "k", in: forLines, value: func(x point) any { return kText(x.K) }},
	{key: "k", in: forJSON, value: func(x point) any {
		if x.K == 0 {
			return json.RawMessage("null") // all terms
		}
		return x.K
	}},
	{key: "terms", in: forPrograms, value: func(x point) any { return x.Features }},
	{key: "runs", in: forPrograms, value: func(x point) any { return x.Runs }},
	{key: "documents", in: forPrograms, value: func(x point) any { return x.Result.Documents }},
	{key: "empty_train", in: forPrograms, value: func(x point) any { return x.EmptyTrain }},
	{key: "empty_test", in: forPrograms, value: func(x point) any { return x.EmptyTest }},
}

// scoreOfPoint returns the column of a score. Tables for people show those with a head.
func scoreOfPoint(key, head string, of func(point) evaluate.Spread) column[point] {
	c := column[point]{key: key, head: head, value: func(x point) any { return of(x).Mean }}
	if head == "" {
		c.in = forPrograms
		return c
	}
	c.text = func(x point) string {
		if s := of(x); x.Runs > 1 {
			return fmt.Sprintf("%.4f ±%.4f", s.Mean, s.Deviation)
		}
		return fmt.Sprintf("%.4f", of(x).Mean)
	}
	return c
}

var pointScores = []column[point]{
	scoreOfPoint("micro_f1", "micro-F1", func(x point) evaluate.Spread { return x.Micro }),
	scoreOfPoint("macro_f1", "macro-F1", func(x point) evaluate.Spread { return x.Macro }),
	scoreOfPoint("macro_f1_of_mean_pr", "F1 of means", func(x point) evaluate.Spread { return x.F1OfMeans }),
	scoreOfPoint("micro_precision", "", func(x point) evaluate.Spread { return x.MicroPrecision }),
	scoreOfPoint("micro_recall", "", func(x point) evaluate.Spread { return x.MicroRecall }),
	scoreOfPoint("macro_precision", "", func(x point) evaluate.Spread { return x.MacroPrecision }),
	scoreOfPoint("macro_recall", "", func(x point) evaluate.Spread { return x.MacroRecall }),
	scoreOfPoint("accuracy", "", func(x point) evaluate.Spread { return x.Accuracy }),
	{key: "micro_f1_sd", in: forPrograms, value: func(x point) any { return x.Micro.Deviation }},
	{key: "macro_f1_sd", in: forPrograms, value: func(x point) any { return x.Macro.Deviation }},
}

// timeOfPoint returns the column of a time.
func timeOfPoint(key string, in audience, of func(t evaluate.Times) time.Duration) column[point] {
	return column[point]{
		key: key, in: in,
		value: func(x point) any { return of(x.Times).Seconds() },
		text:  func(x point) string { return clock(of(x.Times)) },
	}
}

var pointTimes = []column[point]{
	timeOfPoint("select", forPeople, func(t evaluate.Times) time.Duration { return t.Select + t.Gather + t.Transform }),
	timeOfPoint("train", forPeople, func(t evaluate.Times) time.Duration { return t.Train }),
	timeOfPoint("predict", forPeople, func(t evaluate.Times) time.Duration { return t.Predict }),
	timeOfPoint("select_s", forPrograms, func(t evaluate.Times) time.Duration { return t.Select }),
	timeOfPoint("gather_s", forPrograms, func(t evaluate.Times) time.Duration { return t.Gather }),
	timeOfPoint("transform_s", forPrograms, func(t evaluate.Times) time.Duration { return t.Transform }),
	timeOfPoint("train_s", forPrograms, func(t evaluate.Times) time.Duration { return t.Train }),
	timeOfPoint("predict_s", forPrograms, func(t evaluate.Times) time.Duration { return t.Predict }),
}

// A pointClass is the result of a point for one class.
type pointClass struct {
	evaluate.Class
	of point
}

// shareOfClass returns the column of a number between 0 and 1.
func shareOfClass(key, head string, of func(pointClass) float64) column[pointClass] {
	return column[pointClass]{
		key: key, head: head,
		value: func(c pointClass) any { return of(c) },
		text:  func(c pointClass) string { return fmt.Sprintf("%.4f", of(c)) },
	}
}

var pointClassColumns = []column[pointClass]{
	{key: "method", in: forLines, value: func(c pointClass) any { return c.of.Method }},
	{key: "classifier", in: forLines, value: func(c pointClass) any { return c.of.Classifier }},
	{key: "k", in: forLines, value: func(c pointClass) any { return kText(c.of.K) }},
	{key: "terms", in: forLines, value: func(c pointClass) any { return c.of.Features }},
	{key: "class", left: true, value: func(c pointClass) any { return c.Name }},
	{key: "tp", in: forPrograms, value: func(c pointClass) any { return c.TP }},
	{key: "fp", in: forPrograms, value: func(c pointClass) any { return c.FP }},
	{key: "fn", in: forPrograms, value: func(c pointClass) any { return c.FN }},
	shareOfClass("precision", "", func(c pointClass) float64 { return c.Precision() }),
	shareOfClass("recall", "", func(c pointClass) float64 { return c.Recall() }),
	shareOfClass("f1", "F1", func(c pointClass) float64 { return c.F1() }),
	{key: "documents", in: forPeople, value: func(c pointClass) any { return c.Support() }},
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
	s := f.style(f.format)
	if f.perClass && f.format.audience() == forLines {
		return f.printClasses(s, o)
	}
	columns := pointColumns[:len(pointColumns):len(pointColumns)]
	if f.perClass {
		columns = append(columns, column[point]{key: "classes", in: forJSON, value: func(x point) any {
			classes, err := jsonRows(pointClassColumns, classesOf(x))
			if err != nil {
				return nil
			}
			return classes
		}})
	}
	columns = append(columns, pointScores...)
	if !f.noTimes {
		columns = append(columns, pointTimes...)
	}
	if s.people() {
		fmt.Fprintf(f.stdout, "%s\n\n", o.title(strconv.Itoa))
		f.printHowMany(evaluate.HowMany(o.points, f.howMany))
	}
	if err := newTable(f.stdout, s, columns).addAll(o.points); err != nil || !f.perClass || !s.people() {
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
func (o *outputs) printClasses(s style, of evaluation) error {
	t := newTable(o.stdout, s, pointClassColumns)
	for _, x := range of.points {
		if err := t.title("%s, %d terms, %s", x.Method, x.Features, x.Classifier); err != nil {
			return err
		}
		for _, c := range classesOf(x) {
			if err := t.add(c); err != nil {
				return err
			}
		}
	}
	return t.close()
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

var confusedColumns = []column[confused]{
	{key: "method", value: func(c confused) any { return c.of.Method }},
	{key: "classifier", value: func(c confused) any { return c.of.Classifier }},
	{key: "k", value: func(c confused) any { return kText(c.of.K) }},
	{key: "terms", value: func(c confused) any { return c.of.Features }},
	{key: "right", value: func(c confused) any { return c.right }},
	{key: "predicted", value: func(c confused) any { return c.predicted }},
	{key: "documents", value: func(c confused) any { return c.documents }},
}

// writeConfusion writes a row for every pair of true and predicted class that some
// document has.
func (o evaluation) writeConfusion(w io.Writer) error {
	t := newTable(w, style{format: "tsv"}, confusedColumns)
	for _, x := range o.points {
		if x.Result.Confusion == nil {
			return usageError("there are too many classes, or test documents of several labels, for a table of confusion: leave --confusion out")
		}
		for right, row := range x.Result.Confusion {
			for said, n := range row {
				if n == 0 {
					continue
				}
				if err := t.add(confused{x, o.classes[right], o.classes[said], n}); err != nil {
					return err
				}
			}
		}
	}
	return t.close()
}
