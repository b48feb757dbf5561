package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/resample"
)

// This file handles -k auto: the number of terms is found by folds of the documents.

// autoFlags are the flags of -k auto.
type autoFlags struct {
	classifier, metric, try string
	folds                   int
	seed                    uint64
}

func (f *autoFlags) flags() []flags.Flag {
	return flags.Like(flags.Flag{Group: flags.GroupSelection, Applies: flags.OfAuto}, []flags.Flag{
		{
			Name: "classifier", To: &f.classifier, Default: "svm", Choices: flags.From(classify.LearnerKinds), List: true,
			Help: "of -k auto: the classifier that the terms are for, with options as in evaluate",
		},
		{
			Name: "folds", To: &f.folds, Default: 5, Most: resample.MostSamples, More: true,
			Help: "of -k auto: cut INPUT into so many parts, and test on each with the others to train on",
		},
		{Name: "metric", To: &f.metric, Default: string(evaluate.MicroF1), Choices: metrics, More: true, Help: "of -k auto: " + metricNames},
		{
			Name: "try", To: &f.try, Takes: "LIST", More: true,
			Help: "of -k auto: the numbers to try, separated by commas, or all (default 12 round numbers and all)",
		},
		{Name: "seed", To: &f.seed, More: true, Help: "of -k auto: which folds; the order of the rows in svm"},
	})
}

// metrics are the choices of --metric.
var metrics = flags.Among(evaluate.MicroF1, evaluate.MacroF1, evaluate.Accuracy)

const metricNames = "compare numbers of terms by micro-f1, macro-f1 or accuracy"

const autoHelp = "-k auto finds the number by folds of INPUT: terms are selected and --classifier is trained without\n" +
	"a fold and tested on it, for each number of --try, from the counts alone. The fewest terms that are\n" +
	"within one standard deviation of the best are taken.\n\n"

// try runs a trial and prints what it tried.
func (a *app) try(ctx context.Context, t evaluate.Trial, c *corpus.Corpus) (*evaluate.Tried, error) {
	a.announceTraining([]classify.Learner{t.Classifier}, len(c.Classes()), c.Documents())
	progress, end := a.gridProgress()
	tried, err := t.Run(ctx, c, progress)
	end()
	if err != nil {
		return nil, err
	}
	a.warn(tried.Warnings)
	a.note("-k auto: %d folds of %d documents, %s", t.Folds, c.Documents(), t.Classifier)
	if err := tables.New(a.notes(), tables.Style{Format: "table"}, triedColumns(tried)).AddAll(tried.Points); err != nil {
		return nil, err
	}
	a.note("%s", tried.Enough.String())
	return tried, nil
}

// triedColumns are the columns of what was tried.
func triedColumns(t *evaluate.Tried) []tables.Column[point] {
	return []tables.Column[point]{
		{Key: "k", Value: func(p point) any { return kText(p.K) }},
		scoreOfPoint("value", t.Metric.Name(), t.Metric.Of),
		{Key: "choice", Left: true, Value: func(p point) any {
			switch p.K {
			case t.Fewest.K:
				return "taken"
			case t.Best.K:
				return "best"
			}
			return ""
		}},
	}
}

// parseNumbers parses numbers of terms, 0 for all of them.
func parseNumbers(flag, list string) (ks []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		k, err := strconv.Atoi(text)
		switch {
		case text == "all":
			k = 0
		case err != nil:
			return nil, usageError("%s takes numbers separated by commas, or all, not %q", flag, text)
		case k <= 0:
			return nil, usageError("%s must be positive, or all, not %d", flag, k)
		}
		ks = append(ks, k)
	}
	return ks, nil
}

// announceTraining prints the note on classifiers that learn one class after the other, if there is such a
// learner, unless they visit few elements or documents.
func (tk *talk) announceTraining(learners []classify.Learner, classes int, visited int) {
	isSVM := func(l classify.Learner) bool { return l.Kind == "svm" }
	if int64(classes)*int64(visited) >= longWork && slices.ContainsFunc(learners, isSVM) {
		tk.note("svm trains %d classifiers, one for each class; centroid and nb read the documents once for all classes", classes)
	}
}
