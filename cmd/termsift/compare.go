package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

type compareFlags struct {
	inputFlags
	flags.Scoring
	by     string
	k      []int
	p      float64
	only   int
	tau    bool
	format tables.Format
}

func compareCommand(a *app) *command {
	var f compareFlags
	f.app = a
	return &command{
		use:   "compare INPUT... | FEATURES FEATURES...",
		short: "tell how much measures, or selections, agree",
		long: "compare ranks the terms of INPUT by several measures, or reads the lists of several files\n" +
			"that select wrote, and compares every two: how many of the best k terms they share\n" +
			"(overlap), that number over the terms of either (jaccard), rank-biased overlap down to k\n" +
			"(rbo: Webber, Moffat and Zobel 2010) and Kendall's tau-b over all terms (tau). Of files,\n" +
			"tau is that of the terms of the two, those that one lacks tied behind its others.\n\n" +
			"A name of --by may have a combination of its own: chi:avg,chi:max.\n\n" +
			"The table has a matrix for each k, which shows percent where there are many lists. Under\n" +
			"it are terms that are among the best of one list only, at the smallest k: pair by pair up\n" +
			"to four lists, of more those that no other list has. TSV and JSON lines have a line for\n" +
			"each pair and k; in JSON lines the terms of one only are there for each pair.",
		example: "  termsift compare --by chi:avg,ig,ocfs --weight tfidf train.idx\n" +
			"  termsift compare --by all -k 100,1000 --format tsv train.idx\n" +
			"  termsift compare chi.tsv best-terms.tsv -k 500",
		args: atLeast(1, "an INPUT"),
		flags: slices.Concat(
			[]flags.Flag{{
				Name: "by", To: &f.by, Default: "chi,ig,ocfs", Group: flags.GroupScoring, List: true, Help: "measures, separated by commas, or all",
				Choices: func([]string) []string { return append(flags.Combined(flags.MeasureNames()), "all") },
			}},
			f.Scoring.Flags(),
			[]flags.Flag{
				{Name: "number", Short: "k", To: &f.k, Default: []int{10, 100, 1000, 10_000}, Group: flags.GroupSelection, Help: "depths: numbers of best terms"},
				{
					Name: "rbo-p", To: &f.p, Default: .9, Group: flags.GroupEvaluation, More: true,
					Help: "persistence of rbo, between 0 and 1: the weight of a rank is (1-p)p^(rank-1)",
				},
				{Name: "tau", To: &f.tau, Default: true, Group: flags.GroupEvaluation, More: true, Help: "compute tau, for which all terms are put in order"},
				{
					Name: "only", To: &f.only, Default: 10, Most: flags.Unlimited, Group: flags.GroupEvaluation, More: true,
					Help: "show at most so many terms of one list only; 0 shows none",
				},
			},
			f.inputFlags.flags(), []flags.Flag{formatFlag(&f.format, "table")},
		),
		run: func(c *cobra.Command, args []string) error { return f.compare(c, args) },
	}
}

func (f *compareFlags) compare(c *cobra.Command, args []string) error {
	switch {
	case f.only < 0:
		return usageError("--only must not be negative: %d", f.only)
	case !(0 < f.p && f.p < 1):
		return usageError("--rbo-p must be above 0 and below 1, not %v", f.p)
	}
	for _, k := range f.k {
		if k <= 0 {
			return usageError("-k must be positive, not %d", k)
		}
	}
	o := compare.Options{P: f.p, OverlapsOnly: !f.tau, Threads: f.threads}
	if c.Flags().Changed("number") {
		o.K = f.k
	}
	fromFiles, err := f.areFeatures(args)
	if err != nil {
		return err
	}
	compare := f.compareMeasures
	if fromFiles {
		compare = f.compareFeatures
	}
	names, terms, comparison, err := compare(c, o, args)
	if err != nil {
		return err
	}
	f.warn(comparison.Warnings)
	if beyond := slices.DeleteFunc(slices.Clone(f.k), func(k int) bool { return k <= terms }); o.K == nil && len(beyond) > 0 {
		f.note("left out k = %s: there are %d terms", strings.Trim(fmt.Sprint(beyond), "[]"), terms)
	}
	p := comparisonPrinter{f.style(f.format), f.stdout, names, f.only, comparison}
	return p.print()
}

// areFeatures reports whether all inputs are features files.
func (f *compareFlags) areFeatures(paths []string) (bool, error) {
	switch n := f.ofKinds(paths)[featuresFile]; {
	case n == 0:
		return false, nil
	case n == 1 && len(paths) == 1:
		return false, usageError("%s is a features file: name another one to compare it with", paths[0])
	case n < len(paths):
		return false, usageError("some of the inputs are features files and others are not: name either")
	}
	return true, nil
}

// compareMeasures ranks the terms of the inputs by several measures and compares the
// rankings. It returns the names of the lists, the number of terms and the comparison.
func (f *compareFlags) compareMeasures(c *cobra.Command, o compare.Options, args []string) ([]string, int, *compare.Comparison, error) {
	names, scorings, err := f.scorings()
	if err != nil {
		return nil, 0, nil, err
	}
	counted, err := f.counted(c, args)
	if err != nil {
		return nil, 0, nil, err
	}
	rankings, err := rank.Several(c.Context(), counted, scorings...)
	if err != nil {
		return nil, 0, nil, err
	}
	var warnings []string
	for _, r := range rankings {
		warnings = append(warnings, r.Warnings...)
	}
	slices.Sort(warnings)
	f.warn(slices.Compact(warnings))
	comparison, err := compare.Rankings(c.Context(), o, rankings...)
	return names, rankings[0].Len(), comparison, err
}

// scorings returns the measures that --by names.
func (f *compareFlags) scorings() (names []string, scorings []rank.Options, err error) {
	names = strings.Split(f.by, ",")
	if f.by == "all" {
		names = names[:0]
		for _, m := range rank.Measures() {
			names = append(names, m.Name)
		}
	}
	for i, name := range names {
		o, err := f.Measure(name, f.threads)
		if err == nil {
			err = o.Validate()
		}
		switch {
		case name == "":
			return nil, nil, usageError("--by has an empty name in %q", f.by)
		case err != nil:
			return nil, nil, err
		case o.Combine == "class":
			return nil, nil, usageError("a comparison needs one value for a term, which the combination class does not make; known: max avg sum mean")
		case slices.Contains(names[:i], name):
			return nil, nil, usageError("--by names %s twice", name)
		}
		scorings = append(scorings, o)
	}
	if len(names) < 2 {
		return nil, nil, usageError("name two measures at least to compare: --by %s,ig", f.by)
	}
	return names, scorings, nil
}

// compareFeatures compares the lists of features files. It returns their names, the
// length of the longest and the comparison.
func (f *compareFlags) compareFeatures(c *cobra.Command, o compare.Options, args []string) ([]string, int, *compare.Comparison, error) {
	for _, name := range []string{"by", "combine", "weight", "base", "rs-d", "g2-cells", "signed", "yates", changedRaw(c)} {
		if name != "" && c.Flags().Changed(name) {
			return nil, 0, nil, usageError("--%s says how terms are found and ranked, but features files have their order", name)
		}
	}
	lists := make([][]string, len(args))
	longest := 0
	for i, path := range args {
		s, err := readSelection(path)
		if err != nil {
			return nil, 0, nil, err
		}
		f.warn(s.Warnings)
		if len(s.Features) == 0 {
			return nil, 0, nil, fmt.Errorf("%s: %w: it has no terms", path, selection.ErrBadFeatures)
		}
		for _, feature := range s.Features {
			lists[i] = append(lists[i], feature.Term)
		}
		longest = max(longest, len(lists[i]))
	}
	comparison, err := compare.Lists(c.Context(), o, lists...)
	return shortNames(args), longest, comparison, err
}

// shortNames returns the paths without their folders if the names remain distinct, else
// the paths.
func shortNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.TrimSuffix(filepath.Base(path), ".tsv")
		if slices.Contains(names[:i], names[i]) {
			return paths
		}
	}
	return names
}
