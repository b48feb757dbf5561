package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/resample"
	"github.com/termsift/termsift/engine/selection"
)

// This file handles -k auto: the number of terms is found by folds of the documents.

// autoFlags are the flags of -k auto.
type autoFlags struct {
	classifier, metric, try string
	folds                   int
	seed                    uint64
}

func (f *autoFlags) flags() []flags.Flag {
	all := []flags.Flag{
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
	}
	for i := range all {
		all[i].Group, all[i].Applies = flags.GroupSelection, flags.OfAuto
	}
	return all
}

// metrics are the choices of --metric.
var metrics = flags.Among(evaluate.MicroF1, evaluate.MacroF1, evaluate.Accuracy)

const metricNames = "compare numbers of terms by micro-f1, macro-f1 or accuracy"

const autoHelp = "-k auto finds the number by folds of INPUT: terms are selected and --classifier is trained without\n" +
	"a fold and tested on it, for each number of --try, from the counts alone. The fewest terms that are\n" +
	"within one standard deviation of the best are taken.\n\n"

// checkAuto returns an error for flags of -k auto without it, and for what does not go with
// it. c has the flags, of which select alone has those of -k auto.
func (f *selectingFlags) checkAuto(c *cobra.Command, m selection.Method) error {
	has := c.Flags().Lookup("try") != nil
	if !f.Rules.Auto() {
		if name := givenName(c, flags.OfAuto); name != "" {
			return usageError("--%s goes with -k auto", name)
		}
		return nil
	}
	if !has {
		return usageError("-k auto goes with select: %s takes a number, or the features file that select wrote", c.Name())
	}
	if _, ok := m.(selection.SelfSized); ok {
		return usageError("--by %s chooses as many terms as the documents need: leave -k auto out", f.By)
	}
	for _, name := range []string{"then", "per-class", "round-robin", "keep"} {
		if c.Flags().Changed(name) {
			return usageError("-k auto finds the number of the best terms of one list: leave --%s out, or say -k K", name)
		}
	}
	return nil
}

// trial returns the trial of the flags for a method.
func (f *selectingFlags) trial(m selection.Method) (t evaluate.Trial, err error) {
	t = evaluate.Trial{Method: m, Folds: f.auto.folds, Seed: f.auto.seed}
	if f.auto.folds < 2 {
		return t, usageError("there must be 2 folds at least, not %d", f.auto.folds)
	}
	if t.Classifier, err = classify.ParseLearner(f.auto.classifier); err != nil {
		return t, err
	}
	if t.Metric, err = evaluate.ParseMetric(f.auto.metric); err != nil {
		return t, err
	}
	if f.auto.try != "" {
		if t.K, err = parseNumbers("--try", f.auto.try); err != nil {
			return t, err
		}
	}
	var drop []string
	if f.Drop != "" {
		if drop, err = f.lists.Terms(f.Drop); err != nil {
			return t, err
		}
	}
	switch m := m.(type) {
	case methods.Measure:
		m.Drop, m.Options.PValues, m.Options.Exact = drop, false, false
		t.Method, t.Threads = m, m.Options.Threads
	case methods.Redundancy:
		m.Options.Drop = drop
		t.Method, t.Threads = m, m.Options.Threads
	}
	return t, t.Validate()
}

// automatic returns the chooser of -k auto, which finds the number of terms and selects as
// many.
func (f *selectingFlags) automatic(c *cobra.Command, m selection.Method) (chooser, error) {
	t, err := f.trial(m)
	if err != nil {
		return nil, err
	}
	of := func(k int) (chooser, error) {
		known := *f
		known.Rules = nil
		for _, r := range f.Rules {
			if r.Auto {
				r.Auto, r.Whole, r.Value = false, k, float64(k)
			}
			known.Rules = append(known.Rules, r)
		}
		return known.chooser(c, m)
	}
	if _, err := of(1); err != nil {
		return nil, err
	}
	return func(ctx context.Context, corpus *corpus.Corpus) (*selection.Selection, error) {
		tried, err := f.try(ctx, t, corpus)
		if err != nil {
			return nil, err
		}
		choose, err := of(tried.K)
		if err != nil {
			return nil, err
		}
		s, err := choose(ctx, corpus)
		if err != nil {
			return nil, err
		}
		return s.WithTrial(tried.Record()), nil
	}, nil
}

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
