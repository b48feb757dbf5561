package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// scoringFlags say which measure and how.
type scoringFlags struct {
	combine, weight string
	base, rsd       float64
	signed, yates   bool
	pvalues, exact  bool
}

func (f *scoringFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.combine, "combine", "", "one value of a term's class values: "+strings.Join(engine.Combinations(), ", "))
	flags.StringVar(&f.weight, "weight", "tf", "column of ocfs: tf, tfidf, tfidf-unit, ltc or binary")
	flags.Float64Var(&f.base, "base", 0, "base of the logarithms (default e)")
	flags.Float64Var(&f.rsd, "rs-d", 0, "constant d of rs and rsw (default 1/6)")
	flags.BoolVar(&f.signed, "signed", false, "keep the sign of ttest")
	flags.BoolVar(&f.yates, "yates", false, "correct chi for continuity (Yates)")
}

func (f *scoringFlags) registerPValues(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.pvalues, "p-values", false, "tell log10 of the p-values, too")
	flags.BoolVar(&f.exact, "exact", false, "p-values of "+strings.Join(engine.WithExactTest(), ", ")+" by Fisher's exact test")
}

// scoring is that of a measure. A supervised weighting is one of rows: only ocfs looks at
// a column, and has none of them.
func (f *scoringFlags) scoring(by string, threads int) engine.Scoring {
	column := f.weight
	if factor, err := engine.FactorOf(f.weight); err == nil && factor != "" && by != "ocfs" {
		column = ""
	}
	return engine.Scoring{
		By: by, Combine: f.combine, Weight: column, Base: f.base, RSD: f.rsd, Signed: f.signed, Yates: f.yates,
		PValues: f.pvalues, Exact: f.exact, Threads: threads,
	}
}

type scoreFlags struct {
	inputFlags
	scoringFlags
	permuteFlags
	by     string
	class  string
	top    int
	all    bool
	format string
}

func (a *app) scoreCommand() *cobra.Command {
	var f scoreFlags
	c := &cobra.Command{
		Use:   "score INPUT...",
		Short: "score the terms by one measure or several",
		Example: "  termsift score --by chi,ig --top 10 train.idx\n" +
			"  termsift score --by all --all --format jsonl train.jsonl\n" +
			"  termsift score --by chi --combine class --class sci.space train.idx\n" +
			"  termsift score --by g2tf --docs 'class=sci.*' --reference-docs 'not class=sci.*' train.idx",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error { return a.score(c, &f, args) },
	}
	f.inputFlags.register(c)
	f.registerReference(c)
	f.scoringFlags.register(c)
	f.permuteFlags.register(c)
	f.registerPValues(c)
	c.Flags().StringVar(&f.by, "by", "chi", "measures, separated by commas, or all")
	c.Flags().StringVar(&f.class, "class", "", "only this class (with --combine class)")
	c.Flags().IntVar(&f.top, "top", 20, "the K best terms, best first")
	c.Flags().BoolVar(&f.all, "all", false, "all terms, by their bytes")
	c.Flags().StringVar(&f.format, "format", "table", strings.Join(formats, ", "))
	return c
}

// defaultClass takes the side of the target where there is a reference: its tables tell
// what it has more of and what less.
func (f *scoreFlags) defaultClass() {
	if !f.against() || f.class != "" || f.combine != "" {
		return
	}
	asked := strings.Split(f.by, ",")
	for _, m := range engine.Measures() {
		if !m.Combinable && slices.Contains(asked, m.Name) {
			return
		}
	}
	f.class = engine.ClassTarget
}

func (a *app) score(c *cobra.Command, f *scoreFlags, args []string) error {
	f.defaultClass()
	if f.class != "" && f.combine == "" {
		f.combine = "class"
	}
	switch {
	case f.top <= 0:
		return usageError("--top must be positive, not %d", f.top)
	case !slices.Contains(formats, f.format):
		return usageError("unknown format %q; known: %s", f.format, strings.Join(formats, " "))
	case f.class != "" && f.combine != "class":
		return usageError("--class goes with --combine class")
	}
	if err := f.checkPermutations(c, f); err != nil {
		return err
	}
	measures, err := a.measures(f)
	if err != nil {
		return err
	}
	corpus, err := a.corpus(c, &f.inputFlags, args)
	if err != nil {
		return err
	}
	s := scorer{a: a, c: c, f: f, corpus: corpus, warned: map[string]bool{}}
	s.p = &printer{w: a.out, format: f.format, terminal: a.toTerminal, byClass: f.combine == "class", pvalues: f.pvalues}
	if f.permutations > 0 {
		return s.permuted(measures)
	}
	scorings := s.scorings(measures)
	if f.combine != "class" {
		return s.overall(scorings)
	}
	for _, o := range scorings {
		if err := s.byClass(o); err != nil {
			return err
		}
	}
	return nil
}

// measures resolves --by; "all" leaves out, with a note, what has no class
// values where those are asked for.
func (a *app) measures(f *scoreFlags) ([]string, error) {
	known := engine.Measures()
	var names []string
	if f.by != "all" {
		names = strings.Split(f.by, ",")
	}
	var without []string
	for _, m := range known {
		switch {
		case f.combine == "class" && !m.Combinable && f.by == "all":
			without = append(without, m.Name)
		case f.by == "all":
			names = append(names, m.Name)
		}
	}
	if len(without) > 0 {
		a.note("left out, for they have no class values: %s", strings.Join(without, " "))
	}
	for _, n := range names {
		o := f.scoring(n, 0)
		if f.by == "all" && o.PValues {
			o.PValues, o.Exact = false, false // see scorings
		}
		if err := o.Validate(); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// scorings are those of the measures; of "all", p-values are asked for where there are
// some.
func (s *scorer) scorings(measures []string) (all []engine.Scoring) {
	var untested []string
	for _, m := range measures {
		o := s.f.scoring(m, s.f.threads)
		if o.PValues && s.f.by == "all" {
			o.Exact = o.Exact && slices.Contains(engine.WithExactTest(), m)
			if _, err := s.corpus.Test(o); err != nil {
				o.PValues, o.Exact = false, false
				untested = append(untested, m)
			}
		}
		all = append(all, o)
	}
	if len(untested) > 0 {
		s.a.note("without p-values: %s", strings.Join(untested, " "))
	}
	return all
}

// A scorer prints measures.
type scorer struct {
	a      *app
	c      *cobra.Command
	f      *scoreFlags
	corpus *engine.Corpus
	stats  *engine.Statistics // counted once, when several classes are asked for
	p      *printer
	warned map[string]bool
}

// overall prints rankings by one value a term, all made in one pass.
func (s *scorer) overall(scorings []engine.Scoring) error {
	rankings, err := s.corpus.Rank(s.c.Context(), scorings...)
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

func (s *scorer) byClass(o engine.Scoring) error {
	if s.f.class != "" {
		r, err := s.corpus.RankClass(s.c.Context(), s.f.class, o)
		if err != nil {
			return err
		}
		return s.ranking(r)
	}
	if s.stats == nil {
		var err error
		if s.stats, err = s.corpus.Statistics(s.c.Context(), engine.StatisticsOptions{Weight: s.f.weight, Threads: s.f.threads}); err != nil {
			return err
		}
	}
	if s.f.all {
		return s.cells(o)
	}
	for _, class := range s.stats.Classes() {
		r, err := s.stats.RankClass(s.c.Context(), class, o)
		if err != nil {
			return err
		}
		if err := s.ranking(r); err != nil {
			return err
		}
	}
	return nil
}

// warn tells what was not told before.
func (s *scorer) warn(warnings []string) {
	for _, w := range warnings {
		if !s.warned[w] {
			s.warned[w] = true
			s.a.warn([]string{w})
		}
	}
}

func (s *scorer) ranking(r *engine.Ranking) error {
	shown := s.f.top
	if s.f.all {
		shown = r.Len()
	}
	doubts, err := r.Doubts(s.c.Context(), shown)
	if err != nil {
		return err
	}
	s.warn(append(r.Warnings, doubts...))
	s.tellTest(r.Measure, r.Test)
	s.p.title("%s, %s %s", r.Measure, r.Combine, s.p.visible(r.Class))
	entries := r.All()
	if !s.f.all {
		entries = r.Best(s.f.top)
	}
	for e := range entries {
		if err := s.p.print(r.Measure, r.Combine, e, r.Test != ""); err != nil {
			return err
		}
	}
	return nil
}

// tellTest notes how p-values were computed.
func (s *scorer) tellTest(measure, test string) {
	if text := measure + ": " + test; test != "" && !s.warned[text] {
		s.warned[text] = true
		s.a.note("p-values of %s", text)
	}
}

func (s *scorer) cells(o engine.Scoring) error {
	s.p.title("%s, class", o.By)
	if o.PValues {
		o.Combine = "class"
		test, err := s.corpus.Test(o)
		if err != nil {
			return err
		}
		s.tellTest(o.By, test)
	}
	for e, err := range s.stats.Cells(s.c.Context(), o) {
		if err != nil {
			return err
		}
		if err := s.p.print(o.By, "class", e, o.PValues); err != nil {
			return err
		}
	}
	return nil
}
