package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
)

type scoreFlags struct {
	inputFlags
	flags.Scoring
	permuteFlags
	by     string
	class  string
	top    int
	all    bool
	format tables.Format
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
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat(
			[]flags.Flag{
				{
					Name: "by", To: &f.by, Default: "chi", Group: flags.GroupScoring, List: true, Help: "measures, separated by commas, or all",
					Choices: func([]string) []string { return append(flags.MeasureNames(), "all") },
				},
				{Name: "class", To: &f.class, Group: flags.GroupScoring, Takes: "NAME", Choices: classesIn, Help: "only this class (with --combine class)"},
				{Name: "top", To: &f.top, Default: 20, Group: flags.GroupScoring, Positive: true, Most: flags.Unlimited, Help: "the K best terms, best first"},
				{Name: "all", To: &f.all, Group: flags.GroupScoring, Help: "all terms, by their bytes"},
				f.PositiveFlag(),
			},
			f.Scoring.Flags(), f.PValueFlags(), f.permuteFlags.flags(), f.inputFlags.flags(), f.referenceFlags(),
			[]flags.Flag{formatFlag(&f.format, "table")},
		),
		run: func(c *cobra.Command, args []string) error { return f.score(c, args) },
	}
}

// defaultClass selects the side of the target if there is a reference: its tables show
// what the target has more of and what less.
func (f *scoreFlags) defaultClass() {
	if !f.against() || f.class != "" || f.Combine != "" {
		return
	}
	asked := strings.Split(f.by, ",")
	for _, m := range rank.Measures() {
		if !m.Combinable && slices.Contains(asked, m.Name) {
			return
		}
	}
	f.class = corpus.ClassTarget
}

func (f *scoreFlags) score(c *cobra.Command, args []string) error {
	f.defaultClass()
	if f.class != "" && f.Combine == "" {
		f.Combine = "class"
	}
	switch {
	case f.class != "" && f.Combine != "class":
		return usageError("--class goes with --combine class")
	}
	if err := f.checkPermutations(c, f); err != nil {
		return err
	}
	plans, err := f.measures()
	if err != nil {
		return err
	}
	counted, err := f.counted(c, args)
	if err != nil {
		return err
	}
	s := newScorer(c, f, counted)
	if whole, ok := counted.(*corpus.Corpus); ok && f.permutations > 0 {
		return s.permuted(whole, plans)
	}
	return s.all(plans)
}

func newScorer(c *cobra.Command, f *scoreFlags, of rank.Counted) *scorer {
	return &scorer{c: c, f: f, of: of, table: tables.New(f.stdout, f.style(f.format), f.columns()), warned: map[string]bool{}}
}

// all prints everything that was asked for.
func (s *scorer) all(plans []rank.Plan) error {
	plans = s.withPValues(plans)
	if s.f.Combine != "class" {
		return s.overall(plans)
	}
	s.announce(len(plans))
	for _, p := range plans {
		if err := s.byClass(p); err != nil {
			return err
		}
	}
	return s.table.Close()
}

// measures returns the plans of the measures in --by. If class values are asked for,
// "all" omits measures without them and prints a note.
func (f *scoreFlags) measures() ([]rank.Plan, error) {
	known := rank.Measures()
	var names []string
	if f.by != "all" {
		names = strings.Split(f.by, ",")
	}
	var without []string
	for _, m := range known {
		switch {
		case f.Combine == "class" && !m.Combinable && f.by == "all":
			without = append(without, m.Name)
		case f.by == "all":
			names = append(names, m.Name)
		}
	}
	if len(without) > 0 {
		f.note("left out, for they have no class values: %s", strings.Join(without, " "))
	}
	plans := make([]rank.Plan, len(names))
	for i, n := range names {
		if n == "" {
			return nil, usageError("--by has an empty name")
		}
		o := f.Scoring.Options(n, f.threads)
		if f.by == "all" && o.PValues {
			o.PValues, o.Exact = false, false // see withPValues
		}
		var err error
		if plans[i], err = o.Resolve(); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// withPValues requests the p-values of those measures of "all" that have them.
func (s *scorer) withPValues(plans []rank.Plan) []rank.Plan {
	if !s.f.PValues || s.f.by != "all" {
		return plans
	}
	var untested []string
	for i, p := range plans {
		m := string(p.Measure())
		o := s.f.Scoring.Options(m, s.f.threads)
		o.Exact = o.Exact && slices.Contains(rank.WithExactTest(), m)
		tested, err := o.Resolve()
		if err == nil {
			_, err = tested.Test(s.c.Context(), s.of)
		}
		if err != nil {
			untested = append(untested, m)
			continue
		}
		plans[i] = tested
	}
	if len(untested) > 0 {
		s.f.note("without p-values: %s", strings.Join(untested, " "))
	}
	return plans
}

// A scorer prints measures.
type scorer struct {
	c      *cobra.Command
	f      *scoreFlags
	of     rank.Counted
	table  *tables.Table[scoredTerm]
	warned map[string]bool
}

// overall prints rankings with one value per term. All are computed in one pass.
func (s *scorer) overall(plans []rank.Plan) error {
	rankings, err := rank.ByPlans(s.c.Context(), s.of, plans...)
	if err != nil {
		return err
	}
	for _, r := range rankings {
		if err := s.ranking(r); err != nil {
			return err
		}
	}
	return s.table.Close()
}

func (s *scorer) byClass(p rank.Plan) error {
	if s.f.class != "" {
		r, err := p.Class(s.c.Context(), s.of, s.f.class)
		if err != nil {
			return err
		}
		return s.ranking(r)
	}
	if s.f.all {
		return s.cells(p)
	}
	stats, err := s.of.Statistics(s.c.Context(), corpus.CountOptions{Threads: s.f.threads})
	if err != nil {
		return err
	}
	for _, class := range stats.Classes() {
		r, err := p.Class(s.c.Context(), stats, class)
		if err != nil {
			return err
		}
		if err := s.ranking(r); err != nil {
			return err
		}
	}
	return nil
}

// warn prints the warnings that have not been printed before.
func (s *scorer) warn(warnings []string) {
	for _, w := range warnings {
		if !s.warned[w] {
			s.warned[w] = true
			s.f.warn([]string{w})
		}
	}
}

func (s *scorer) ranking(r *rank.Ranking) error {
	shown := s.f.top
	if s.f.all {
		shown = r.Len()
	}
	doubts, err := r.Reliability(s.c.Context(), shown)
	if err != nil {
		return err
	}
	s.warn(append(r.Warnings, doubts...))
	s.tellTest(string(r.Measure), r.Test)
	if err := s.title(r.Measure, r.Combine, r.Class, ""); err != nil {
		return err
	}
	entries := r.All()
	if !s.f.all {
		entries = r.Best(s.f.top)
	}
	line := newLine(r.Measure, r.Combine, r.Test != "")
	for line.Entry = range entries {
		if err := s.table.Add(line); err != nil {
			return err
		}
	}
	return nil
}

// title prints the heading of a measure's list.
func (s *scorer) title(measure rank.Measure, combine rank.Combination, class, more string) error {
	if class != "" {
		class = " " + s.f.visible(class)
	}
	return s.table.Title("%s, %s%s%s", measure, combine, class, more)
}

// newLine returns what all rows of a measure have in common.
func newLine(measure rank.Measure, combine rank.Combination, tested bool) scoredTerm {
	return scoredTerm{measure: string(measure), combine: string(combine), ofTokens: usesTokens(measure), tested: tested}
}

// usesTokens reports whether a measure counts tokens.
func usesTokens(measure rank.Measure) bool {
	return slices.ContainsFunc(rank.Measures(), func(m rank.MeasureInfo) bool { return m.Name == string(measure) && m.UsesTokens })
}

// tellTest prints how p-values were computed.
func (s *scorer) tellTest(measure, test string) {
	if text := measure + ": " + test; test != "" && !s.warned[text] {
		s.warned[text] = true
		s.f.note("p-values of %s", text)
	}
}

func (s *scorer) cells(p rank.Plan) error {
	if err := s.title(p.Measure(), rank.ByClass, "", ""); err != nil {
		return err
	}
	test, err := p.Test(s.c.Context(), s.of)
	if err != nil {
		return err
	}
	if test != "" {
		s.tellTest(string(p.Measure()), test)
	}
	line := newLine(p.Measure(), rank.ByClass, test != "")
	for e, err := range p.Cells(s.c.Context(), s.of) {
		if err != nil {
			return err
		}
		line.Entry = e
		if err := s.table.Add(line); err != nil {
			return err
		}
	}
	return nil
}

// permuteFlags are the flags of p-values by permuted labels.
type permuteFlags struct {
	permutations int
	seed         uint64
}

func (f *permuteFlags) flags() []flags.Flag {
	return []flags.Flag{
		{
			Name: "permutations", To: &f.permutations, Group: flags.GroupScoring, More: true, Positive: true, Most: resample.MostPermutations, Applies: flags.OfDocuments,
			Help: "also p-values by so many permutations of the labels: p of the term alone, p_max of the best of all terms",
		},
		{Name: "seed", To: &f.seed, Group: flags.GroupScoring, More: true, Help: "which permutations"},
	}
}

func (f *permuteFlags) checkPermutations(c *cobra.Command, of *scoreFlags) error {
	switch {
	case c.Flags().Changed("seed") && f.permutations == 0:
		return usageError("--seed goes with --permutations")
	case f.permutations > 0 && of.Positive:
		return usageError("p-values are two-sided: leave --permutations or --positive away")
	case f.permutations > 0 && of.Combine == "class" && of.class == "":
		return usageError("--permutations with --combine class needs a --class")
	}
	return nil
}

// permuted prints rankings with their p-values.
func (s *scorer) permuted(corpus *corpus.Corpus, plans []rank.Plan) error {
	for _, p := range plans {
		o := resample.PermuteOptions{By: s.f.Scoring.Options(string(p.Measure()), s.f.threads), Class: s.f.class, B: s.f.permutations, Seed: s.f.seed}
		tests, err := resample.Permute(s.c.Context(), corpus, o)
		if err != nil {
			return err
		}
		s.warn(tests.Warnings)
		if err := s.title(tests.Measure, tests.Combine, tests.Class, fmt.Sprintf(", p of %d permutations", tests.B)); err != nil {
			return err
		}
		entries := tests.All()
		if !s.f.all {
			entries = tests.Best(s.f.top)
		}
		line := newLine(tests.Measure, tests.Combine, false)
		for e := range entries {
			line.Entry, line.p, line.pMax = e.Entry, e.P, e.PMax
			if err := s.table.Add(line); err != nil {
				return err
			}
		}
	}
	return s.table.Close()
}
