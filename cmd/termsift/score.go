package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

type scoreFlags struct {
	inputFlags
	flags.Scoring
	by, class    string
	top          int
	all          bool
	permutations int
	seed         uint64

	asked    []rank.Options // of the plans
	untested []int          // plans of measures of a set, which are tested if they have p-values
}

func scoreCommand(a *app) *command {
	var f scoreFlags
	f.app = a
	return &command{
		use:   "score INPUT...",
		short: "score the terms by one measure or several",
		example: "  termsift score --by chi,ig --top 10 train.idx\n" +
			"  termsift score --by all --all --format jsonl train.jsonl\n" +
			"  termsift score --by chi --combine class --class sci.space train.idx\n" +
			"  termsift score --by g2tf --docs 'class=sci.*' --reference-docs 'not class=sci.*' train.idx",
		flags: slices.Concat(
			flags.In(flags.GroupScoring, []flags.Flag{
				{
					Name: "by", To: &f.by, Default: "chi", List: true, Applies: flags.OfClasses, Help: "measures, separated by commas, or NAME=FORMULA, or all, or all,new; see termsift measures",
					Choices: func([]string) []string { return flags.ManyMeasures() },
				},
				{Name: "class", To: &f.class, Takes: "NAME", Choices: classesIn, Applies: flags.OfClasses, Help: "only this class (with --combine class)"},
				{Name: "top", To: &f.top, Default: 20, Positive: true, Most: flags.Unlimited, Help: "the K best terms, best first"},
				{Name: "all", To: &f.all, Help: "all terms, by their bytes"},
				f.PositiveFlag(),
			}),
			f.Scoring.Flags(), f.PValueFlags(),
			flags.In(flags.GroupScoring, []flags.Flag{
				{
					Name: "permutations", To: &f.permutations, More: true, Positive: true, Most: rank.MostDraws, Applies: flags.OfDocuments,
					Excludes: "positive", Why: "gives two-sided p-values",
					Help: "also p-values by so many permutations of the labels: p of the term alone, p_max of the best of all terms",
				},
				{Name: "seed", To: &f.seed, More: true, Needs: "permutations", Help: "which permutations"},
			}),
			f.inputFlags.flags(), f.referenceFlags(),
			a.tableFlags("table"),
		),
		classes: classesOptional,
		without: "--by df,cf",
		run:     f.score,
	}
}

func (f *scoreFlags) score(c *cobra.Command, args []string) error {
	f.byTarget(c, args, &f.by, string(rank.Pearson))
	f.defaultClass()
	if f.class != "" && f.Combine == "" {
		f.Combine = "class"
	}
	switch {
	case f.class != "" && f.Combine != "class":
		return usageError("--class goes with --combine class")
	case f.permutations > 0 && f.Combine == "class" && f.class == "":
		return usageError("--permutations with --combine class needs a --class")
	}
	if err := f.ReadSeeds(f.lists()); err != nil {
		return err
	}
	plans, err := f.measures()
	if err != nil {
		return err
	}
	f.perTerm = 8 * int64(len(plans))
	f.classed = f.permutations > 0 || slices.ContainsFunc(plans, rank.Plan.NeedsClasses)
	counted, err := f.counted(c, args)
	if err != nil {
		return err
	}
	s := &scorer{ctx: c.Context(), scoreFlags: f, of: counted, table: list(&f.outputs, f.columns(plans))}
	if err := s.print(plans); err != nil {
		return err
	}
	return s.table.Close()
}

// defaultClass selects the side of the target if there is a reference: its tables show
// what the target has more of and what less.
func (f *scoreFlags) defaultClass() {
	if !f.against() || f.class != "" || f.Combine != "" {
		return
	}
	for _, name := range usage.SplitNames(f.by) {
		if m, known := measureOf(rank.Measure(name)); known && !m.Combinable {
			return
		}
	}
	f.class = corpus.ClassTarget
}

// measureOf returns what is known of a measure.
func measureOf(name rank.Measure) (m rank.MeasureInfo, known bool) {
	all := rank.EveryMeasure()
	if i := slices.IndexFunc(all, func(m rank.MeasureInfo) bool { return m.Name == string(name) }); i >= 0 {
		return all[i], true
	}
	return m, false
}

// measures returns the plans of the measures in --by. If class values are asked for, sets of measures
// omit those without them, with a note; see withPValues for p-values.
func (f *scoreFlags) measures() (plans []rank.Plan, err error) {
	var without []string
	for _, named := range flags.Several(f.by) {
		if named.Text == "" {
			return nil, usageError("--by has an empty name")
		}
		if m, known := measureOf(rank.Measure(named.Text)); known && named.OfSet && f.Combine == "class" && !m.Combinable {
			without = append(without, named.Text)
			continue
		}
		o, err := f.Measure(named.Text, f.threads)
		if err != nil {
			return nil, err
		}
		f.asked = append(f.asked, o)
		if named.OfSet && o.PValues {
			o.PValues, o.Exact = false, false
			f.untested = append(f.untested, len(plans))
		}
		p, err := o.Resolve()
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	if len(without) > 0 {
		f.note("left out, for they have no class values: %s", strings.Join(without, " "))
	}
	return plans, nil
}

// A scorer prints measures.
type scorer struct {
	ctx context.Context
	*scoreFlags
	of    rank.Counted
	table *tables.Table[scoredTerm]
}

// print prints everything that was asked for.
func (s *scorer) print(plans []rank.Plan) error {
	if whole, ok := s.of.(*corpus.Corpus); ok && s.permutations > 0 {
		return s.permuted(whole)
	}
	plans = s.withPValues(plans)
	if s.Combine == "class" {
		s.announce(len(plans))
		for _, p := range plans {
			if err := s.byClass(p); err != nil {
				return err
			}
		}
		return nil
	}
	rankings, err := rank.ByPlans(s.ctx, s.of, plans...) // in one pass
	if err != nil {
		return err
	}
	for _, r := range rankings {
		if err := s.ranking(r); err != nil {
			return err
		}
	}
	return nil
}

// withPValues requests the p-values of those measures of sets that have them.
func (s *scorer) withPValues(plans []rank.Plan) []rank.Plan {
	var untested []string
	for _, i := range s.untested {
		m := string(plans[i].Measure())
		o := s.asked[i]
		o.Exact = o.Exact && slices.Contains(rank.WithExactTest(), m)
		tested, err := o.Resolve()
		if err == nil {
			_, err = tested.Test(s.ctx, s.of)
		}
		if err != nil {
			untested = append(untested, m)
		} else {
			plans[i] = tested
		}
	}
	if len(untested) > 0 {
		s.note("without p-values: %s", strings.Join(untested, " "))
	}
	return plans
}

// announce prints the note on values of each term and class, unless they are few.
func (s *scorer) announce(measures int) {
	of, ok := s.of.(interface {
		Terms() int
		Classes() []string
	})
	if !ok || s.class != "" {
		return
	}
	terms, classes := of.Terms(), len(of.Classes())
	n := int64(measures) * int64(terms) * int64(classes)
	switch {
	case n < longWork:
	case s.all:
		s.note("writes %d lines, one for each of %d terms and %d classes; --class CLASS writes those of one class, --top K without --all the best terms of each", n, terms, classes)
	default:
		s.note("ranks %d terms for each of %d classes; --class CLASS ranks them for one", terms, classes)
	}
}

// byClass prints the values of a measure for one class, or for each.
func (s *scorer) byClass(p rank.Plan) error {
	switch {
	case s.class != "":
		r, err := p.Class(s.ctx, s.of, s.class)
		if err != nil {
			return err
		}
		return s.ranking(r)
	case s.all:
		return s.cells(p)
	}
	stats, err := s.of.Statistics(s.ctx, corpus.CountOptions{Threads: s.threads})
	if err != nil {
		return err
	}
	for top, err := range p.TopOfClasses(s.ctx, stats, s.top) {
		if err != nil {
			return err
		}
		s.warnOnce(top.Warnings)
		line := s.begin(scoredTerm{measure: string(p.Measure()), combine: string(rank.ByClass), ofTokens: p.UsesTokens()}, top.Class, top.Test, "")
		if err := s.list(line, slices.Values(top.Entries)); err != nil {
			return err
		}
	}
	return nil
}

func (s *scorer) ranking(r *rank.Ranking) error {
	shown := s.top
	if s.all {
		shown = r.Len()
	}
	doubts, err := r.Reliability(s.ctx, shown)
	if err != nil {
		return err
	}
	s.warnOnce(append(r.Warnings, doubts...))
	line := s.begin(scoredTerm{measure: string(r.Measure), combine: string(r.Combine), ofTokens: r.UsesTokens(), meansOf: meansOf(r.Measure, r.Statistics())}, r.Class, r.Test, "")
	if s.all {
		return s.list(line, r.All())
	}
	return s.list(line, r.Best(s.top))
}

// list prints the entries of a list, which line begins.
func (s *scorer) list(line scoredTerm, entries iter.Seq[rank.Entry]) error {
	for line.Entry = range entries {
		if err := s.table.Add(line); err != nil {
			return err
		}
	}
	return nil
}

// begin prints how p-values are computed and the heading of a measure's list. It returns line, which has what
// the rows have in common.
func (s *scorer) begin(line scoredTerm, class, test, more string) scoredTerm {
	if line.tested = test != ""; line.tested {
		s.noteOnce("p-values of %s: %s", line.measure, test)
	}
	if class != "" {
		class = " " + class
	}
	s.table.Title("%s, %s%s%s", line.measure, line.combine, class, more)
	return line
}

// cells prints the values of every term and class.
func (s *scorer) cells(p rank.Plan) error {
	test, err := p.Test(s.ctx, s.of)
	if err != nil {
		return err
	}
	line := s.begin(scoredTerm{measure: string(p.Measure()), combine: string(rank.ByClass), ofTokens: p.UsesTokens()}, "", test, "")
	for line.Entry, err = range p.Cells(s.ctx, s.of) {
		if err != nil {
			return err
		}
		if err := s.table.Add(line); err != nil {
			return err
		}
	}
	return nil
}

// permuted prints rankings with their p-values.
func (s *scorer) permuted(corpus *corpus.Corpus) error {
	for _, by := range s.asked {
		tests, err := rank.Permute(s.ctx, corpus, rank.PermuteOptions{By: by, Class: s.class, B: s.permutations, Seed: s.seed})
		if err != nil {
			return err
		}
		s.warnOnce(tests.Warnings)
		line := s.begin(scoredTerm{
			measure: string(tests.Measure), combine: string(tests.Combine), ofTokens: tests.UsesTokens(), meansOf: meansOf(tests.Measure, tests.Statistics()),
		}, tests.Class, "", fmt.Sprintf(", p of %d permutations", tests.B))
		entries := tests.All()
		if !s.all {
			entries = tests.Best(s.top)
		}
		for e := range entries {
			line.Entry, line.p, line.pMax = e.Entry, e.P, e.PMax
			if err := s.table.Add(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// A scoredTerm is a row of the output of score.
type scoredTerm struct {
	rank.Entry
	measure, combine string
	ofTokens         bool    // the measure counts tokens
	tested           bool    // Log10P is set
	p, pMax          float64 // by permutations
	meansOf          func(term string) (with, without float64, ok bool)
}

// inClass returns a column value that depends on the class of the term's value, if
// there is one.
func inClass[V any](value func(x scoredTerm) V) func(scoredTerm) any {
	return func(x scoredTerm) any { return tables.If(x.Class != "", value(x)) }
}

// scoreColumns are the columns of all rows of score.
var scoreColumns = []tables.Column[scoredTerm]{
	{Key: "measure", In: tables.ForPrograms, Value: func(x scoredTerm) any { return x.measure }},
	{Key: "combine", In: tables.ForPrograms, Value: func(x scoredTerm) any { return x.combine }},
	{Key: "class", In: tables.ForPrograms, Value: inClass(func(x scoredTerm) string { return x.Class })},
	{Key: "rank", In: tables.ForPeople, Value: func(x scoredTerm) any { return tables.If(x.Rank > 0, x.Rank) }},
	{Key: "term", Left: true, Value: func(x scoredTerm) any { return x.Term }},
	{Key: "value", Value: func(x scoredTerm) any { return x.Value }},
	{Key: "df", Value: func(x scoredTerm) any { return x.DF }},
	{Key: "class", In: tables.ForPeople, Left: true, Value: inClass(func(x scoredTerm) string { return x.Class })},
	{Key: "a", Head: "A", Value: inClass(func(x scoredTerm) int { return x.A })},
	{Key: "b", Head: "B", Value: inClass(func(x scoredTerm) int { return x.B })},
	{Key: "c", Head: "C", Value: inClass(func(x scoredTerm) int { return x.C })},
	{Key: "d", Head: "D", Value: inClass(func(x scoredTerm) int { return x.D })},
	{Key: "tf", Value: func(x scoredTerm) any { return tables.If(x.ofTokens && x.Class != "", x.TF) }},
	{Key: "tf_all", Value: func(x scoredTerm) any { return tables.If(x.ofTokens, x.TFAll) }},
}

// pValueColumn is shown with --p-values.
var pValueColumn = tables.Column[scoredTerm]{
	Key: "log10p", Head: "log10 p", Value: func(x scoredTerm) any { return tables.If(x.tested, x.Log10P) }, Shows: tables.Decimals(2),
}

// signColumn is the last column: 1 where the class has more of the term than all documents, -1
// where it has less. People see the second alone.
var signColumn = tables.Column[scoredTerm]{
	Key:   "sign",
	Value: inClass(func(x scoredTerm) int { return x.Sign }),
	Text: func(x scoredTerm) string {
		if x.Class != "" && x.Sign < 0 {
			return "-"
		}
		return ""
	},
}

// permutedColumns are shown with --permutations.
var permutedColumns = []tables.Column[scoredTerm]{
	{Key: "p", Value: func(x scoredTerm) any { return x.p }},
	{Key: "p_max", Value: func(x scoredTerm) any { return x.pMax }},
}

// columns returns the columns that were asked for.
func (f *scoreFlags) columns(plans []rank.Plan) []tables.Column[scoredTerm] {
	columns := scoreColumns[:len(scoreColumns):len(scoreColumns)]
	if f.PValues {
		columns = append(columns, pValueColumn)
	}
	if f.permutations > 0 {
		columns = append(columns, permutedColumns...)
	}
	if slices.ContainsFunc(plans, rank.Plan.OfTarget) {
		columns = append(columns, meanColumns...)
	}
	return append(columns, signColumn)
}

// meansOf returns a function that gives the mean numbers of the documents with a term and of those without it, nil
// unless the measure is one of a target.
func meansOf(m rank.Measure, s *table.Table) func(term string) (with, without float64, ok bool) {
	if info, _ := measureOf(m); !info.Target {
		return nil
	}
	return rank.TargetMeans(s)
}

// meanColumns are shown where terms are compared with a target.
var meanColumns = []tables.Column[scoredTerm]{
	{Key: "mean_with", Head: "mean with", Value: func(x scoredTerm) any { return x.mean(0) }},
	{Key: "mean_without", Head: "without", Value: func(x scoredTerm) any { return x.mean(1) }},
}

// mean returns a mean number: nothing for a measure of classes, and for no documents.
func (x scoredTerm) mean(without int) any {
	if x.meansOf == nil {
		return nil
	}
	var means [2]float64
	means[0], means[1], _ = x.meansOf(x.Term)
	return tables.If(!math.IsNaN(means[without]), means[without])
}
