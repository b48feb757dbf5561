package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

// This file makes the report of an evaluation: its curves, and the values of the
// measures on the corpus from which terms are selected.

const (
	reportTerms   = 15 // per list
	reportBars    = 10 // per sign
	reportClasses = 60 // classes with lists and bars of their own; nobody reads more
)

// writeReport writes the report files that were asked for.
func (f *evaluateFlags) writeReport(c *cobra.Command, o *evaluation) error {
	if f.html == "" && f.svg == "" {
		return nil
	}
	inputs := c.Flags().Args()
	title := "Feature selection on "
	switch f.train {
	case "":
		title += nameOf(inputs...)
	case f.test:
		title += nameOf(f.train)
	default:
		title += nameOf(f.train) + ", tested on " + nameOf(f.test)
	}
	r := &report.Report{
		Title: title, Headline: learn.Headline(o.points, f.howMany), Findings: learn.Findings(o.points, f.howMany), Command: f.commandLine(),
		Facts: slices.Concat(fileFacts(inputs, f.train, f.test), f.facts(o)), Points: o.reportPoints(!f.noTimes),
		Warnings: o.warnings,
	}
	if t := o.times; !f.noTimes {
		r.Timings = []report.Timing{
			{Step: "rank and select", Took: t.Select},
			{Step: "gather", Took: t.Gather},
			{Step: "transform", Took: t.Transform},
			{Step: "train", Took: t.Train},
			{Step: "predict", Took: t.Predict},
		}
	}
	if f.html != "" {
		if err := describeCorpus(c.Context(), r, o, f); err != nil {
			return err
		}
	}
	if f.svg != "" {
		if err := f.files.makeFolder(f.svg); err != nil {
			return err
		}
	}
	for path, fill := range r.Files(f.html, f.svg) {
		if err := f.write(path, fill); err != nil {
			return err
		}
		f.note("wrote %s", path)
	}
	return nil
}

// nameOf returns the name of some data for a title.
func nameOf(inputs ...string) string {
	var names []string
	for _, path := range inputs {
		names = append(names, sideName(path))
	}
	names = slices.Compact(names)
	const most = 3
	if more := len(names) - most; more > 0 {
		names = append(names[:most], "and "+report.Count(more)+" more")
	}
	return strings.Join(names, ", ")
}

func (f *evaluateFlags) facts(o *evaluation) []report.Fact {
	tokens := o.corpus.Provenance().Analysis
	return []report.Fact{
		{Name: "data", Value: o.title(report.Count)},
		{Name: "terms", Value: report.Count(o.corpus.Terms())},
		{Name: "tokens", Value: tokens.Tokens + ", stop list " + tokens.Stop + ", stemmer " + tokens.Stem},
		{Name: "weighting", Value: string(f.Weight)},
		{Name: "seed", Value: strconv.FormatUint(f.grid.Seed, 10)},
		{Name: "termsift", Value: table.Version},
	}
}

// reportPoints returns the points, without their times unless times is set.
func (o *evaluation) reportPoints(times bool) []report.Point {
	points := make([]report.Point, len(o.points))
	for i, p := range o.points {
		points[i] = report.Point{
			Method: p.Method, Classifier: p.Classifier, K: p.K,
			MicroF1: p.Micro.Mean, MicroSpread: p.Micro.Deviation, MacroF1: p.Macro.Mean, MacroSpread: p.Macro.Deviation,
		}
		if times {
			points[i].Select, points[i].Train, points[i].Predict = p.Times.Select, p.Times.Train, p.Times.Predict
		}
		if p.K == 0 {
			points[i].K = p.Features
		}
	}
	return points
}

// describeCorpus adds the best terms, the overlaps of the rankings and the keyness to
// the report.
func describeCorpus(ctx context.Context, r *report.Report, o *evaluation, f *evaluateFlags) error {
	var names []string
	var scorings []rank.Options
	for _, m := range f.grid.Methods {
		if m, ok := m.(methods.Measure); ok {
			names, scorings = append(names, m.Name()), append(scorings, m.Options)
		}
	}
	if len(scorings) == 0 {
		return nil
	}
	rankings, err := rank.Several(ctx, o.corpus, scorings...)
	if err != nil {
		return err
	}
	for i, ranking := range rankings {
		r.TopTerms = append(r.TopTerms, termList(names[i], ranking))
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

// addOverlaps compares the rankings at each of the given numbers of terms.
func addOverlaps(ctx context.Context, r *report.Report, names []string, rankings []*rank.Ranking, ks []int) error {
	ks = slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return k <= 0 || k >= rankings[0].Len() })
	slices.Sort(ks)
	ks = slices.Compact(ks)
	if len(rankings) < 2 || len(ks) == 0 {
		return nil
	}
	c, err := compare.Rankings(ctx, compare.Options{K: ks, OverlapsOnly: true}, rankings...)
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
func addClass(ctx context.Context, r *report.Report, corpus *corpus.Corpus, class string, names []string, scorings []rank.Options) error {
	for i, o := range scorings {
		if m, _ := measureOf(o.Measure); !m.Combinable {
			continue
		}
		ranking, err := rank.Class(ctx, corpus, class, o)
		if err != nil {
			return err
		}
		r.TopTerms = append(r.TopTerms, termList(names[i], ranking))
	}
	ranking, err := rank.Class(ctx, corpus, class, rank.Options{Measure: "logoddsz"})
	if err != nil {
		return err
	}
	r.Keyness = append(r.Keyness, keynessBars(class, ranking))
	return nil
}

// termList returns the best entries of a ranking, of a class or of all classes together.
func termList(method string, r *rank.Ranking) report.TermList {
	l := report.TermList{Class: r.Class, Method: method}
	m, _ := measureOf(r.Measure)
	for _, e := range r.Top(reportTerms) {
		term := report.Term{Term: e.Term, Score: e.Value, DF: e.DF, A: e.A, B: e.B, Against: e.Sign < 0}
		if r.Class == "" {
			term.Class = e.Class
		}
		if m.UsesTokens {
			term.TF, term.TFAll = e.TF, e.TFAll
		}
		l.Terms = append(l.Terms, term)
	}
	return l
}

// keynessBars returns the terms that the class has far more often than the others, and
// those that it has far less often.
func keynessBars(class string, r *rank.Ranking) report.Keyness {
	k := report.Keyness{Class: class, Measure: string(r.Measure)}
	all := slices.Collect(r.All())
	slices.SortStableFunc(all, func(a, b rank.Entry) int { return cmp.Or(cmp.Compare(b.Value, a.Value), b.DF-a.DF) })
	for i, e := range all {
		if (i < reportBars && e.Value > 0) || (i >= len(all)-reportBars && e.Value < 0) {
			k.Terms = append(k.Terms, report.Bar{Term: e.Term, Value: e.Value})
		}
	}
	return k
}

// commandLine returns the command of some arguments, as it is typed in a shell, without the
// flags that name outputs or say how to work: runs that differ in these alone make equal reports.
func (a *app) commandLine() string {
	args := a.args
	line := []string{"termsift"}
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(args[i], "=")
		if f := a.unsaid(name); f == nil {
			line = append(line, explorer.InShell(args[i]))
		} else if _, isSwitch := f.To.(*bool); !whole && !isSwitch {
			i++ // its value
		}
	}
	return strings.Join(line, " ")
}

// unsaid returns the flag of an argument if a page does not name it, else nil.
func (a *app) unsaid(arg string) *flags.Flag {
	all := a.ownFlags()
	for _, c := range a.commands {
		all = append(all, c.flags...)
	}
	i := slices.IndexFunc(all, func(f flags.Flag) bool {
		return (f.Writes || f.Applies&flags.OfWork != 0) && (arg == "--"+f.Name || f.Short != "" && arg == "-"+f.Short)
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// fileFacts returns the names of the inputs with their sizes.
func fileFacts(paths []string, more ...string) (facts []report.Fact) {
	var seen []string
	for _, path := range append(more, paths...) {
		if path == "" || slices.Contains(seen, path) {
			continue
		}
		seen = append(seen, path)
		value := path
		if path == "-" {
			value = "standard input"
		} else if info, err := os.Stat(path); err == nil && info.IsDir() {
			value += ", a folder"
		} else if err == nil && info.Mode().IsRegular() {
			value += ", " + report.Count(int(info.Size())) + " bytes"
		}
		facts = append(facts, report.Fact{Name: "file", Value: value})
	}
	return facts
}
