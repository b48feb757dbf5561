package main

import (
	"context"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/report"
)

// This file makes the report of an evaluation: its curves, and what the measures say of
// the corpus that terms are selected from.

const (
	reportTerms   = 15 // of a list
	reportBars    = 10 // of each sign
	reportClasses = 60 // with lists and bars of their own: beyond, nobody looks at them
)

// writeReport writes the files that were asked for.
func (a *app) writeReport(c *cobra.Command, f *evaluateFlags, o *evaluation) error {
	if f.html == "" && f.svg == "" {
		return nil
	}
	r := &report.Report{Title: "termsift evaluate", Facts: f.facts(o), Points: o.reportPoints(), Timings: timings(o.times)}
	if f.html != "" {
		if err := describeCorpus(c.Context(), r, o, f); err != nil {
			return err
		}
	}
	if f.svg != "" {
		if err := os.MkdirAll(f.svg, 0o755); err != nil {
			return err
		}
	}
	for path, fill := range r.Files(f.html, f.svg) {
		if err := a.write(path, fill); err != nil {
			return err
		}
		a.note("wrote %s", path)
	}
	return nil
}

func (f *evaluateFlags) facts(o *evaluation) []report.Fact {
	p := o.corpus.Provenance()
	facts := []report.Fact{
		{Name: "data", Value: o.title},
		{Name: "terms", Value: strconv.Itoa(o.corpus.Terms())},
		{Name: "tokens", Value: p.Analysis.Tokens + ", stop list " + p.Analysis.Stop + ", stemmer " + p.Analysis.Stem},
		{Name: "weighting", Value: f.weight},
		{Name: "seed", Value: strconv.FormatUint(f.seed, 10)},
		{Name: "termsift", Value: engine.Version},
	}
	for _, w := range o.warnings {
		facts = append(facts, report.Fact{Name: "warning", Value: w})
	}
	return facts
}

func (o *evaluation) reportPoints() []report.Point {
	points := make([]report.Point, len(o.points))
	for i, p := range o.points {
		points[i] = report.Point{
			Method: p.Method, Classifier: p.Classifier, K: p.K,
			MicroF1: p.Micro.Mean, MicroSpread: p.Micro.Deviation, MacroF1: p.Macro.Mean, MacroSpread: p.Macro.Deviation,
			Select: p.Times.Select, Train: p.Times.Train, Predict: p.Times.Predict,
		}
		if p.K == 0 {
			points[i].K = p.Features
		}
	}
	return points
}

func timings(t evaluate.Times) []report.Timing {
	return []report.Timing{
		{Step: "rank and select", Took: t.Select},
		{Step: "gather", Took: t.Gather},
		{Step: "transform", Took: t.Transform},
		{Step: "train", Took: t.Train},
		{Step: "predict", Took: t.Predict},
	}
}

// describeCorpus adds the best terms, the overlaps and the keyness.
func describeCorpus(ctx context.Context, r *report.Report, o *evaluation, f *evaluateFlags) error {
	var names []string
	var scorings []engine.Scoring
	for _, m := range f.grid.Methods {
		if m.Ranks() {
			names, scorings = append(names, m.Name), append(scorings, m.Scoring)
		}
	}
	if len(scorings) == 0 {
		return nil
	}
	rankings, err := o.corpus.Rank(ctx, scorings...)
	if err != nil {
		return err
	}
	for i, ranking := range rankings {
		r.TopTerms = append(r.TopTerms, termList("", names[i], ranking.Top(reportTerms)))
	}
	if err := addOverlaps(ctx, r, names, rankings, f.grid.K); err != nil {
		return err
	}
	for _, class := range o.classes[:min(len(o.classes), reportClasses)] {
		if err := addClass(ctx, r, o.corpus, class, names, scorings); err != nil {
			return err
		}
	}
	return nil
}

// addOverlaps compares the rankings at the numbers of terms that were asked for.
func addOverlaps(ctx context.Context, r *report.Report, names []string, rankings []*engine.Ranking, ks []int) error {
	ks = slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return k <= 0 || k >= rankings[0].Len() })
	slices.Sort(ks)
	ks = slices.Compact(ks)
	if len(rankings) < 2 || len(ks) == 0 {
		return nil
	}
	c, err := engine.Compare(ctx, engine.Comparing{K: ks, OverlapsOnly: true}, rankings...)
	if err != nil {
		return err
	}
	for at, k := range c.K {
		o := report.Overlap{K: k, Methods: names}
		for i := range names {
			row := make([]int, len(names))
			for j := range names {
				if row[j] = k; i != j {
					row[j] = c.Pair(i, j).At[at].Shared
				}
			}
			o.Shared = append(o.Shared, row)
		}
		r.Overlaps = append(r.Overlaps, o)
	}
	return nil
}

// addClass adds the best terms of a class, and its keyness.
func addClass(ctx context.Context, r *report.Report, corpus *engine.Corpus, class string, names []string, scorings []engine.Scoring) error {
	for i, o := range scorings {
		if !combinable(o.By) {
			continue
		}
		ranking, err := corpus.RankClass(ctx, class, o)
		if err != nil {
			return err
		}
		r.TopTerms = append(r.TopTerms, termList(class, names[i], ranking.Top(reportTerms)))
	}
	ranking, err := corpus.RankClass(ctx, class, engine.Scoring{By: "logoddsz"})
	if err != nil {
		return err
	}
	r.Keyness = append(r.Keyness, keyness(class, ranking))
	return nil
}

func combinable(measure string) bool {
	return slices.ContainsFunc(engine.Measures(), func(m engine.MeasureInfo) bool { return m.Name == measure && m.Combinable })
}

func termList(class, method string, entries []engine.Entry) report.TermList {
	l := report.TermList{Class: class, Method: method}
	for _, e := range entries {
		l.Terms = append(l.Terms, report.Term{Term: e.Term, Score: e.Value, DF: e.DF, A: e.A, B: e.B})
	}
	return l
}

// keyness has the terms that the class has far more often than the others, and those
// that it has far less often.
func keyness(class string, r *engine.Ranking) report.Keyness {
	k := report.Keyness{Class: class, Measure: r.Measure}
	all := slices.Collect(r.All())
	slices.SortStableFunc(all, func(a, b engine.Entry) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return b.DF - a.DF
	})
	for i, e := range all {
		if (i < reportBars && e.Value > 0) || (i >= len(all)-reportBars && e.Value < 0) {
			k.Terms = append(k.Terms, report.Bar{Term: e.Term, Value: e.Value})
		}
	}
	return k
}
