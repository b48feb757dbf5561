package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
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
	by   string
	k    []int
	p    float64
	only int
	tau  bool
}

func compareCommand(a *app) *command {
	var f compareFlags
	f.app = a
	return &command{
		use:   "compare INPUT... | FEATURES FEATURES...",
		short: "tell how much measures, or selections, agree",
		long: "compare ranks the terms of INPUT by several measures, or reads the lists of several files that select\n" +
			"wrote, and compares every two: how many of the best k terms they share (overlap), that number over the\n" +
			"terms of either (jaccard), rank-biased overlap down to k (rbo: Webber, Moffat and Zobel 2010) and\n" +
			"Kendall's tau-b over all terms (tau). Of files, tau is that of the terms of the two, those that one\n" +
			"lacks tied behind its others. A name of --by may have a combination of its own: chi:avg,chi:max.\n\n" +
			"The table has a matrix for each k, which shows percent where there are many lists. Under it are terms\n" +
			"that are among the best of one list only, at the smallest k: pair by pair up to four lists, of more\n" +
			"those that no other list has. TSV and JSON lines have a line for each pair and k; in JSON lines the\n" +
			"terms of one only are there for each pair.",
		example: "  termsift compare --by chi:avg,ig,ocfs --weight tfidf train.idx\n" +
			"  termsift compare --by all -k 100,1000 --format tsv train.idx\n" +
			"  termsift compare chi.tsv best-terms.tsv -k 500",
		flags: slices.Concat(
			[]flags.Flag{{
				Name: "by", To: &f.by, Default: "chi,ig,ocfs", Group: flags.GroupScoring, List: true, Applies: flags.OfClasses, Help: "measures, separated by commas, or NAME=FORMULA, or all, or all,new",
				Choices: func([]string) []string { return flags.Combined(flags.ManyMeasures()) },
			}},
			f.Scoring.Flags(),
			[]flags.Flag{
				{Name: "number", Short: "k", To: &f.k, Default: []int{10, 100, 1000, 10_000}, Positive: true, Group: flags.GroupSelection, Help: "depths: numbers of best terms"},
				{
					Name: "rbo-p", To: &f.p, Default: .9, Group: flags.GroupEvaluation, More: true, Share: true,
					Help: "persistence of rbo, between 0 and 1: the weight of a rank is (1-p)p^(rank-1)",
				},
				{Name: "tau", To: &f.tau, Default: true, Group: flags.GroupEvaluation, More: true, Help: "compute tau, for which all terms are put in order"},
				{
					Name: "only", To: &f.only, Default: 10, NotNegative: true, Most: flags.Unlimited, Group: flags.GroupEvaluation, More: true,
					Help: "show at most so many terms of one list only; 0 shows none",
				},
			},
			f.inputFlags.flags(), a.tableFlags("table"),
		),
		run: f.compare,
	}
}

func (f *compareFlags) compare(c *cobra.Command, args []string) error {
	o := compare.Options{P: f.p, OverlapsOnly: !f.tau, Threads: f.threads}
	if c.Flags().Changed("number") {
		o.K = f.k
	}
	compareAll := f.compareMeasures
	switch n := f.ofKinds(args)[featuresFile]; {
	case n == 1 && len(args) == 1:
		return usageError("%s is a features file: name another one to compare it with", args[0])
	case n > 0 && n < len(args):
		return usageError("some of the inputs are features files and others are not: name either")
	case n > 0:
		compareAll = f.compareFeatures
	}
	lists, err := compareAll(c, o, args)
	if err != nil {
		return err
	}
	f.warn(lists.Warnings)
	if beyond := slices.DeleteFunc(slices.Clone(f.k), func(k int) bool { return k <= lists.longest }); o.K == nil && len(beyond) > 0 {
		f.note("left out k = %s: there are %d terms", strings.Trim(fmt.Sprint(beyond), "[]"), lists.longest)
	}
	if f.table.Format == "table" {
		lists.printMatrices()
		return nil
	}
	return list(&f.outputs, lists.columns()).AddAll(lists.pairs())
}

// comparedLists are lists of terms and their comparison.
type comparedLists struct {
	*compareFlags
	*compare.Comparison
	names   []string
	longest int // number of terms of the longest
}

// compareMeasures ranks the terms of the inputs by several measures and compares the rankings.
func (f *compareFlags) compareMeasures(c *cobra.Command, o compare.Options, args []string) (l comparedLists, err error) {
	f.byTarget(c, args, &f.by, "pearson,spearman,trend")
	names, scorings, err := f.scorings()
	if err != nil {
		return l, err
	}
	f.perTerm = 40 * int64(len(scorings))
	counted, err := f.counted(c, args)
	if err != nil {
		return l, err
	}
	rankings, err := rank.Several(c.Context(), counted, scorings...)
	if err != nil {
		return l, err
	}
	var warnings []string
	for _, r := range rankings {
		warnings = append(warnings, r.Warnings...)
	}
	slices.Sort(warnings)
	f.warn(slices.Compact(warnings))
	l = comparedLists{compareFlags: f, names: names, longest: rankings[0].Len()}
	l.Comparison, err = compare.Rankings(c.Context(), o, rankings...)
	return l, err
}

// scorings returns the measures that --by names.
func (f *compareFlags) scorings() (names []string, scorings []rank.Options, err error) {
	if err := f.ReadSeeds(f.lists()); err != nil {
		return nil, nil, err
	}
	for _, named := range flags.Several(f.by) {
		name := named.Text
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
		case slices.Contains(names, name):
			return nil, nil, usageError("--by names %s twice", name)
		}
		names, scorings = append(names, name), append(scorings, o)
	}
	if len(names) < 2 {
		return nil, nil, usageError("name two measures at least to compare: --by %s,ig", f.by)
	}
	return names, scorings, nil
}

// compareFeatures compares the lists of features files.
func (f *compareFlags) compareFeatures(c *cobra.Command, o compare.Options, args []string) (l comparedLists, err error) {
	for _, name := range []string{"by", "weight", givenName(c, flags.OfSingle|flags.OfRaw)} {
		if name != "" && c.Flags().Changed(name) {
			return l, usageError("--%s says how terms are found and ranked, but features files have their order", name)
		}
	}
	lists := make([][]string, len(args))
	for i, path := range args {
		s, err := readSelection(path)
		if err != nil {
			return l, err
		}
		f.warn(s.Warnings)
		if len(s.Features) == 0 {
			return l, fmt.Errorf("%s: %w: it has no terms", path, selection.ErrBadFeatures)
		}
		for _, feature := range s.Features {
			lists[i] = append(lists[i], feature.Term)
		}
		l.longest = max(l.longest, len(lists[i]))
	}
	l.compareFlags, l.names = f, shortNames(args)
	l.Comparison, err = compare.Lists(c.Context(), o, lists...)
	return l, err
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

// tableWidth is the width, in characters, that a table should not exceed.
const tableWidth = 100

// fewLists is the largest number of lists for which the terms of one list of a pair are
// printed: six pairs, twelve lines.
const fewLists = 4

// A comparedPair is a comparison of the first terms of two lists.
type comparedPair struct {
	compare.Pair
	at compare.Overlap
}

// pairs returns each two lists at each k.
func (l *comparedLists) pairs() (all []comparedPair) {
	for _, pair := range l.Pairs {
		for _, at := range pair.At {
			all = append(all, comparedPair{pair, at})
		}
	}
	return all
}

// columns returns the columns of all formats except the table, which prints matrices.
func (l *comparedLists) columns() []tables.Column[comparedPair] {
	columns := []tables.Column[comparedPair]{
		{Key: "a", Left: true, Value: func(c comparedPair) any { return l.names[c.A] }},
		{Key: "b", Left: true, Value: func(c comparedPair) any { return l.names[c.B] }},
		{Key: "k", Value: func(c comparedPair) any { return c.at.K }},
		{Key: "overlap", Value: func(c comparedPair) any { return c.at.Shared }},
		{Key: "jaccard", Value: func(c comparedPair) any { return c.at.Jaccard }},
		{Key: "rbo", Value: func(c comparedPair) any { return c.at.RBO }},
		{Key: "tau", Value: func(c comparedPair) any { return c.Tau }},
	}
	if l.only > 0 {
		columns = append(columns,
			tables.Column[comparedPair]{Key: "only_a", In: tables.ForJSON, Value: func(c comparedPair) any { return l.onlyNames(c.at.K, c.A, c.B) }},
			tables.Column[comparedPair]{Key: "only_b", In: tables.ForJSON, Value: func(c comparedPair) any { return l.onlyNames(c.at.K, c.B, c.A) }})
	}
	return columns
}

// onlyNames returns the terms of list a that list b lacks, or nil if there are none.
func (l *comparedLists) onlyNames(k, a, b int) any {
	names, _ := l.first(l.Only(k, a, b))
	if len(names) == 0 {
		return nil
	}
	return names
}

// first returns the terms to show and the number of remaining terms.
func (l *comparedLists) first(terms []compare.ListedTerm) (names []string, more int) {
	for _, t := range terms[:min(l.only, len(terms))] {
		names = append(names, t.Term)
	}
	return names, len(terms) - len(names)
}

// printMatrices prints a matrix for each k, those of the whole lists, and the terms of one list only.
func (l *comparedLists) printMatrices() {
	one := func(int, int) float64 { return 1 }
	for i, k := range l.K {
		l.printMatrix(fmt.Sprintf("The %d best: terms in common", k), 0, func(a, b int) float64 { return float64(l.Pair(a, b).At[i].Shared) },
			func(a, b int) float64 { return float64(max(l.Size(k, a), l.Size(k, b))) })
	}
	last := len(l.K) - 1
	l.printMatrix(fmt.Sprintf("RBO, p = %v, %d terms deep", l.P, l.K[last]), 3, func(a, b int) float64 { return l.Pair(a, b).At[last].RBO }, one)
	if !math.IsNaN(l.Pairs[0].Tau) {
		l.printMatrix("Kendall's tau-b, all terms", 3, func(a, b int) float64 { return l.Pair(a, b).Tau }, one)
	}
	if l.only > 0 {
		fmt.Fprintf(l.stdout, "Only there among the %d best\n", l.K[0])
		l.printOnly(l.K[0])
	}
}

// printOnly prints the terms that are among the best of one list only: pair by pair of few lists.
func (l *comparedLists) printOnly(k int) {
	show := func(where string, list int, others ...int) {
		names, more := l.first(l.Only(k, list, others...))
		line := cmp.Or(strings.Join(names, " "), "-")
		if more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(l.stdout, "  %s\n", l.visible(where+": "+line))
	}
	if len(l.names) > fewLists {
		for a := range l.names {
			show(l.names[a], a)
		}
		return
	}
	for _, pair := range l.Pairs {
		a, b := l.names[pair.A], l.names[pair.B]
		show(a+", not "+b, pair.A, pair.B)
		show(b+", not "+a, pair.B, pair.A)
	}
}

// printMatrix prints a number for every pair of lists, with some decimals. most is the largest possible value: 100
// percent, or the value of a list with itself. If columns with the names of the lists do not fit, it prints their
// numbers and percentages, which take three characters each, so that all measures together fit into a line.
func (l *comparedLists) printMatrix(title string, digits int, value, most func(a, b int) float64) {
	heads := make([]string, len(l.names))
	label, column := 0, max(len("-0.123"), len(strconv.Itoa(l.K[len(l.K)-1])))+2
	for i, name := range l.names {
		heads[i] = l.visible(name)
		width := tables.DisplayWidth(heads[i])
		label, column = max(label, width), max(column, width+2)
	}
	labels := slices.Clone(heads)
	narrow := label+len(heads)*column > tableWidth
	if narrow {
		title, label, column = title+", percent", label+3, 3
		for i, name := range heads {
			labels[i], heads[i] = fmt.Sprintf("%2d %s", i+1, name), strconv.Itoa(i+1)
		}
	}
	fmt.Fprintf(l.stdout, "%s\n%-*s", title, label, "")
	for _, head := range heads {
		fmt.Fprint(l.stdout, tables.Indented(head, column))
	}
	fmt.Fprintln(l.stdout)
	for a, name := range labels {
		fmt.Fprint(l.stdout, tables.Padded(name, label))
		for b := range labels {
			v := most(a, b)
			if a != b {
				v = value(a, b)
			}
			text := fmt.Sprintf("%.*f", digits, v)
			switch share := v / most(a, b); {
			case narrow && share == 1: // exactly all
				text = "="
			case narrow:
				text = strconv.Itoa(int(min(max(math.Round(100*share), -99), 99)))
			}
			fmt.Fprintf(l.stdout, "%*s", column, text)
		}
		fmt.Fprintln(l.stdout)
	}
	fmt.Fprintln(l.stdout)
}
