package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/score"
)

type collocationsFlags struct {
	inputFlags
	by        string
	also      []string
	lengths   string
	marginals string
	minFreq   int
	class     string
	eachClass bool
	without   string
	yates     bool
	base      float64
	top       int
	all       bool

	cvalueWords bool

	node                string // whose collocates are listed in place of pairs
	window, left, right int
	counts              string
}

func collocationsCommand(a *app) *command {
	var f collocationsFlags
	f.app = a
	return &command{
		use:   "collocations INPUT...",
		short: "tell which words stand beside each other more often than chance lets expect",
		long: "collocations counts the pairs of neighbouring words of all documents, or longer n-grams, and ranks\n" +
			"those that occur --min-freq times by how strongly their words attract each other. No classes are\n" +
			"needed. INPUT is text, an index or statistics; these must have been counted with --ngrams 1-2.\n\n" +
			"With O the frequency of a pair, R1 and C1 those of its words at their places, N all pairs, and\n" +
			"E = R1·C1/N, the measures listed below are formulas of these, which termsift measures NAME shows.\n" +
			"Of three words and more there are pmi, npmi, mi3, t, dice, ll and lambda, with E the product of all\n" +
			"frequencies by N^(n-1).\n\n" +
			"--marginals words takes the frequencies of the words anywhere and N tokens, as NLTK does. --min-freq\n" +
			"is 5 unless you say otherwise, since rarer pairs have no steady values; they count for R1, C1 and N.\n\n" +
			"--stop drops stop words before pairs are made, so that words on either side of one become a pair.\n" +
			"--without LIST leaves pairs of the text out of the result if one of their words is in the list.\n" +
			"--sentences makes no pairs across the end of a sentence.\n\n" +
			"TSV, CSV and JSON have for each n-gram its occurrences (tf), its documents (df), the frequency of each\n" +
			"word (f1, f2), E, all measures, and log10p of ll, chi2 and lambda_z. What is not defined is empty.",
		example: "  termsift collocations speeches/\n" +
			"  termsift collocations speeches/ --without english --by logdice --marginals words\n" +
			"  termsift collocations train.jsonl --each-class --min-freq 2 --top 10\n" +
			"  termsift collocations --ngrams 2-3 --all --format csv speeches/\n" +
			"  termsift collocations --max-memory 1GiB large.jsonl.zst -o pairs.html",
		flags:   f.flags(),
		classes: classesIgnored,
		lists:   score.OfWords,
		run:     f.run,
	}
}

func (f *collocationsFlags) flags() []flags.Flag {
	// --ngrams says here what is listed, and columns, of --hash-bits, have no words.
	input := slices.DeleteFunc(f.inputFlags.flags(), func(g flags.Flag) bool { return g.Name == "ngrams" || g.Name == "hash-bits" })
	return slices.Concat(f.ownFlags(), f.nodeFlags(), input, []flags.Flag{f.textFlag("--node", "node")}, f.tableFlags("table"))
}

// ownFlags returns the flags that say what collocations are.
func (f *collocationsFlags) ownFlags() []flags.Flag {
	const cvalue, inside = "by=cvalue", "is for measures of the words inside, and cvalue looks at longer n-grams"
	return flags.In(flags.GroupScoring, []flags.Flag{
		{
			Name: "by", To: &f.by, Default: string(collocation.LL), Choices: flags.From(rankings),
			Help: "measure that ranks: " + flags.Words(rankings()),
		},
		{Name: "also", To: &f.also, List: true, Takes: "NAMES", Choices: flags.From(collocation.Measures), Excludes: cvalue, Why: inside, Help: "further measures to show in the table, separated by commas"},
		{Name: "ngrams", To: &f.lengths, Default: "2", Takes: "N-M", Help: "numbers of words: 2, 3, 2-3 and so on up to 5"},
		{
			Name: "marginals", To: &f.marginals, Default: string(collocation.Positions), Choices: flags.From(collocation.MarginalKinds), Excludes: cvalue, Why: inside,
			Help: "frequencies of the words: at their positions in pairs, or as words anywhere",
		},
		{Name: "min-freq", To: &f.minFreq, Default: collocation.DefaultMinFreq, Positive: true, Most: flags.Unlimited, Help: "least occurrences of a pair"},
		{Name: "top", To: &f.top, Default: 20, Positive: true, Most: flags.Unlimited, Help: "the K best of each list"},
		{Name: "all", To: &f.all, Excludes: "top", Help: "all that occur often enough"},
		{Name: "class", To: &f.class, Takes: "NAME", Choices: classesIn, Help: "count the documents of this class alone"},
		{Name: "each-class", To: &f.eachClass, Help: "a list for each class"},
		{
			Name: "without", To: &f.without, Takes: "LIST", Choices: flags.From(analysis.StopLists), Reads: flags.AFile,
			Help: "leave out pairs with a word of this stop list, or of this file",
		},
		{Name: "cvalue-words", To: &f.cvalueWords, More: true, Needs: "by=cvalue", Help: "cvalue with 1 + log2 of the length for log2, so that single words have one"},
		{Name: "yates", To: &f.yates, More: true, Excludes: cvalue, Why: inside, Help: "correct chi2 for continuity (Yates)"},
		{Name: "base", To: &f.base, Default: 2., More: true, Positive: true, Excludes: cvalue, Why: inside, Help: "base of the logarithms of pmi, mi2 and mi3"},
	})
}

// options returns the options that the flags give.
func (f *collocationsFlags) options(c *cobra.Command) (o collocation.Options, err error) {
	o = collocation.Options{
		Measure: collocation.Measure(f.by), Marginals: collocation.Marginals(f.marginals), Parameters: collocation.Parameters{Yates: f.yates, Base: f.base},
	}
	if o.Choice, err = f.choice(); err != nil {
		return o, err
	}
	for _, name := range f.also {
		if err := collocation.CheckMeasure(collocation.Measure(name)); err != nil {
			return o, err
		}
	}
	if o.Least, o.Most, err = parseLengths(f.lengths, 2); err != nil {
		return o, err
	}
	return o, o.Validate()
}

// choice returns which of what is counted is listed.
func (f *collocationsFlags) choice() (of collocation.Choice, err error) {
	of = collocation.Choice{MinFreq: f.minFreq, Class: f.class, EachClass: f.eachClass, Top: f.top}
	if f.all {
		of.Top = 0
	}
	if f.without != "" {
		o, err := (&flags.Analysis{StopLists: f.without}).Resolve(f.lists()) // one of the lists of package analysis, or a file
		if err != nil {
			return of, err
		}
		of.WithoutList, of.Without = o.Stop, o.StopWords
	}
	return of, nil
}

// rankings are the values of --by.
func rankings() []collocation.Measure { return append(collocation.Measures(), collocation.CValue) }

// parseLengths reads --ngrams, numbers of words from a least one on.
func parseLengths(text string, shortest int) (least, most int, err error) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	least, err = strconv.Atoi(first)
	if err == nil {
		most, err = strconv.Atoi(last)
	}
	if err != nil || least < shortest || most < least || most > 5 {
		return 0, 0, usageError("--ngrams takes a number of words from %d to 5, or two with a hyphen, as 2-3, not %q", shortest, text)
	}
	return least, most, nil
}

func (f *collocationsFlags) run(c *cobra.Command, args []string) error {
	switch {
	case c.Flags().Changed("node"):
		return f.collocates(c, args)
	case f.by == string(collocation.CValue):
		return f.cvalues(c, args)
	}
	o, err := f.options(c)
	if err != nil {
		return err
	}
	from, err := f.source(c, args, &o)
	if err != nil {
		return err
	}
	lists, err := collocation.Find(c.Context(), from, o)
	if err = errors.Join(err, from.Close()); err != nil {
		return err
	}
	return f.print(&o, lists)
}

// source counts the n-grams of the inputs.
func (f *collocationsFlags) source(c *cobra.Command, args []string, o *collocation.Options) (*collocation.Source, error) {
	if err := collocation.CheckWords(analysis.Options{Tokens: f.Tokens}); err != nil {
		return nil, err
	}
	f.NGrams = fmt.Sprintf("%d-%d", o.Least, o.Most)
	if o.Marginals == collocation.Words {
		f.NGrams = fmt.Sprintf("1-%d", o.Most)
	}
	f.Read.Unlabelled = true
	kind := f.kindOfOne(args)
	switch {
	case kind == otherFile && f.docs == "" && f.maxMemory != "" && !f.needsIndex():
		counted, err := f.countToFile(c.Context(), args)
		if err != nil {
			return nil, err
		}
		return collocation.OfFile(counted.TableFile, counted.Provenance), nil
	case kind == otherFile && f.docs == "":
		counted, err := f.count(c, args)
		return collocation.OfTable(counted), err
	}
	counted, err := f.counted(c, args)
	if err != nil {
		return nil, err
	}
	stats, err := counted.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
	return collocation.OfTable(stats), err
}

// A collocationRow is a row of the output.
type collocationRow struct {
	*collocation.Collocation
	class       string
	words, rank int
	window      *collocation.Window // of collocates; else nil
}

var classOfRow = tables.Column[collocationRow]{
	Key: "class", In: tables.ForPrograms, Value: func(r collocationRow) any { return tables.If(r.class != "", r.class) },
}

// print prints the lists.
func (f *collocationsFlags) print(o *collocation.Options, lists []collocation.List) error {
	t := list(&f.outputs, f.columns(o))
	t.Facts = []tables.Fact{{Key: "measure", Value: f.by}, {Key: "marginals", Value: f.marginals}, {Key: "min_freq", Value: f.minFreq}}
	for i := range lists {
		l, what := &lists[i], "pairs of words"
		if l.Words > 2 {
			what = fmt.Sprintf("runs of %d words", l.Words)
		}
		t.Title("%d of %d %s that occur %d times or more, by %s", len(l.Collocations), l.Passed, what+classSuffix(l.Class), o.MinFreq, f.by)
		for rank := range l.Collocations {
			t.Add(collocationRow{Collocation: &l.Collocations[rank], class: l.Class, words: l.Words, rank: rank + 1})
		}
	}
	return t.Close()
}

// classSuffix says of which class a list is, for what stands before it.
func classSuffix(class string) string {
	if class == "" {
		return ""
	}
	return " in " + class
}

// columns returns the columns of the output.
func (f *collocationsFlags) columns(o *collocation.Options) []tables.Column[collocationRow] {
	columns := []tables.Column[collocationRow]{
		classOfRow,
		{Key: "words", In: tables.ForPrograms, Value: func(r collocationRow) any { return r.words }},
		{Key: "rank", Value: func(r collocationRow) any { return r.rank }},
		{Key: "term", Left: true, Value: func(r collocationRow) any { return r.Term }},
		{Key: "tf", Head: "occurs", Value: func(r collocationRow) any { return r.Frequency }},
		{Key: "df", Head: "documents", Value: func(r collocationRow) any { return r.Documents }},
	}
	for i := range o.Most {
		columns = append(columns, tables.Column[collocationRow]{
			Key: fmt.Sprint("f", i+1), Head: [...]string{"first", "second", "third", "fourth", "fifth"}[i],
			Value: func(r collocationRow) any {
				if i >= len(r.Marginals) {
					return nil
				}
				return r.Marginals[i]
			},
		})
	}
	return append(columns, f.valueColumns()...)
}

// valueColumns are those of the values of measures.
func (f *collocationsFlags) valueColumns() (columns []tables.Column[collocationRow]) {
	columns = append(columns, tables.Number("expected", "", 0, func(r collocationRow) float64 { return r.Expected }, twoDecimals))
	shown := append([]string{f.by, string(collocation.LL), string(collocation.PMI)}, f.also...)
	for _, m := range collocation.Measures() {
		in := tables.ForPrograms
		if slices.Contains(shown, string(m)) {
			in = 0
		}
		columns = append(columns, tables.Number(string(m), "", in, func(r collocationRow) float64 { return r.Of(m) }, twoDecimals))
	}
	for _, m := range collocation.Tests() {
		columns = append(columns, tables.Number("log10p_"+string(m), "", tables.ForPrograms, func(r collocationRow) float64 { return r.Log10P(m) }, nil))
	}
	return columns
}

// cvalueOptions returns the options that the flags give.
func (f *collocationsFlags) cvalueOptions(c *cobra.Command) (o collocation.CValueOptions, err error) {
	changed := c.Flags().Changed
	o = collocation.CValueOptions{Words: f.cvalueWords}
	if o.Choice, err = f.choice(); err != nil {
		return o, err
	}
	if !changed("min-freq") {
		o.MinFreq = 0 // its own default
	}
	if changed("ngrams") {
		least := 2
		if f.cvalueWords {
			least = 1
		}
		if o.Least, o.Most, err = parseLengths(f.lengths, least); err != nil {
			return o, err
		}
	}
	return o.WithDefaults()
}

// cvalues prints n-grams by their C-values.
func (f *collocationsFlags) cvalues(c *cobra.Command, args []string) (err error) {
	o, err := f.cvalueOptions(c)
	if err != nil {
		return err
	}
	from, err := f.source(c, args, &collocation.Options{Least: o.Least, Most: o.Most})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	lists, err := collocation.CValues(c.Context(), from, o)
	if err != nil {
		return err
	}
	t := list(&f.outputs, cvalueColumns)
	t.Facts = []tables.Fact{{Key: "measure", Value: f.by}, {Key: "min_freq", Value: o.MinFreq}}
	for _, l := range lists {
		t.Title("%d of %d runs of %d to %d words%s that occur %d times or more, by C-value",
			len(l.Candidates), l.Passed, o.Least, o.Most, classSuffix(l.Class), o.MinFreq)
		for rank := range l.Candidates {
			t.Add(cvalueRow{&l.Candidates[rank], l.Class, rank + 1})
		}
	}
	return t.Close()
}

// A cvalueRow is a row of the output.
type cvalueRow struct {
	*collocation.Candidate
	class string
	rank  int
}

var cvalueColumns = []tables.Column[cvalueRow]{
	{Key: "class", In: tables.ForPrograms, Value: func(r cvalueRow) any { return tables.If(r.class != "", r.class) }},
	{Key: "rank", Value: func(r cvalueRow) any { return r.rank }},
	{Key: "term", Left: true, Value: func(r cvalueRow) any { return r.Term }},
	{Key: "words", Value: func(r cvalueRow) any { return r.Words }},
	{Key: "tf", Head: "occurs", Value: func(r cvalueRow) any { return r.Frequency }},
	{Key: "df", Head: "documents", Value: func(r cvalueRow) any { return r.Documents }},
	{Key: "longer", Value: func(r cvalueRow) any { return r.Longer }},
	{Key: "nested", Value: func(r cvalueRow) any { return r.Nested }},
	{Key: "cvalue", Value: func(r cvalueRow) any { return r.CValue }, Shows: twoDecimals},
}
