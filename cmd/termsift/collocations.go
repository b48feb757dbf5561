package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/words"
)

type collocationsFlags struct {
	inputFlags
	words.Options
	also             []string
	lengths, without string
	all              bool
	near             words.WindowOptions // of the word whose collocates are listed in place of pairs
	window           int
}

func collocationsCommand(a *app) *command {
	var f collocationsFlags
	f.app = a
	return &command{
		use:   "collocations INPUT...",
		short: "tell which words stand beside each other more often than chance lets expect",
		long: "collocations counts the pairs of neighbouring words of all documents, or longer n-grams, and ranks those\n" +
			"that occur --min-freq times by how strongly their words attract each other. No classes are needed. INPUT\n" +
			"is text, an index or statistics; these must have been counted with --ngrams 1-2.\n\n" +
			"With O the frequency of a pair, R1 and C1 those of its words at their places, N all pairs, and E =\n" +
			"R1·C1/N, the measures below are formulas of these, which termsift measures NAME shows. Of three words\n" +
			"and more there are pmi, npmi, mi3, t, dice, ll and lambda, with E the product of all frequencies by\n" +
			"N^(n-1). --marginals words takes the frequencies of the words anywhere and N tokens, as NLTK does. Pairs\n" +
			"rarer than --min-freq count for R1, C1 and N, too.\n\n" +
			"--stop drops stop words before pairs are made, so that words on either side of one become a pair;\n" +
			"--without leaves pairs of the text out of the result. --sentences makes no pairs across the end of a\n" +
			"sentence.\n\n" +
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
			Name: "by", To: (*string)(&f.Measure), Default: string(words.LL), Choices: flags.From(rankings),
			Help: "measure that ranks: " + flags.Words(rankings()),
		},
		{Name: "also", To: &f.also, List: true, Takes: "NAMES", Choices: flags.From(words.Measures), Excludes: cvalue, Why: inside, Help: "further measures to show in the table, separated by commas"},
		{Name: "ngrams", To: &f.lengths, Default: "2", Takes: "N-M", Help: "numbers of words: 2, 3, 2-3 and so on up to 5"},
		{
			Name: "marginals", To: (*string)(&f.Marginals), Default: string(words.Positions), Choices: flags.From(words.MarginalKinds), Excludes: cvalue, Why: inside,
			Help: "frequencies of the words: at their positions in pairs, or as words anywhere",
		},
		{Name: "min-freq", To: &f.MinFreq, Default: words.DefaultMinFreq, Positive: true, Most: flags.Unlimited, Help: "least occurrences of a pair"},
		{Name: "top", To: &f.Top, Default: 20, Positive: true, Most: flags.Unlimited, Help: "the K best of each list"},
		{Name: "all", To: &f.all, Excludes: "top", Help: "all that occur often enough"},
		{Name: "class", To: &f.Class, Takes: "NAME", Choices: classesIn, Help: "count the documents of this class alone"},
		{Name: "each-class", To: &f.EachClass, Help: "a list for each class"},
		{
			Name: "without", To: &f.without, Takes: "LIST", Choices: flags.From(analysis.StopLists), Reads: flags.AFile,
			Help: "leave out pairs with a word of this stop list, or of this file",
		},
		{Name: "cvalue-words", To: &f.SingleWords, More: true, Needs: "by=cvalue", Help: "cvalue with 1 + log2 of the length for log2, so that single words have one"},
		{Name: "yates", To: &f.Yates, More: true, Excludes: cvalue, Why: inside, Help: "correct chi2 for continuity (Yates)"},
		{Name: "base", To: &f.Base, Default: 2., More: true, Positive: true, Excludes: cvalue, Why: inside, Help: "base of the logarithms of pmi, mi2 and mi3"},
	})
}

// options returns the options that the flags give. C-values have defaults of their own.
func (f *collocationsFlags) options(c *cobra.Command) (o words.Options, err error) {
	if err := f.choose(); err != nil {
		return o, err
	}
	for _, name := range f.also {
		if err := words.CheckMeasure(words.Measure(name)); err != nil {
			return o, err
		}
	}
	o = f.Options
	byCValue := f.Measure == words.CValue
	if byCValue && !c.Flags().Changed("min-freq") {
		o.MinFreq = 0
	}
	if !byCValue || c.Flags().Changed("ngrams") {
		least := 2
		if f.SingleWords {
			least = 1
		}
		if o.Least, o.Most, err = parseLengths(f.lengths, least); err != nil {
			return o, err
		}
	}
	return o.WithDefaults()
}

// choose sets which of what is counted is listed.
func (f *collocationsFlags) choose() error {
	if f.all {
		f.Top = 0
	}
	if f.without == "" {
		return nil
	}
	o, err := (&flags.Analysis{StopLists: f.without}).Resolve(f.lists()) // one of the lists of package analysis, or a file
	f.WithoutList, f.Without = o.Stop, o.StopWords
	return err
}

// rankings are the values of --by.
func rankings() []words.Measure { return append(words.Measures(), words.CValue) }

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
	if c.Flags().Changed("node") {
		return f.collocates(c, args)
	}
	o, err := f.options(c)
	if err != nil {
		return err
	}
	from, err := f.source(c, args, &o)
	if err != nil {
		return err
	}
	lists, err := words.Find(c.Context(), from, o)
	if err = errors.Join(err, from.Close()); err != nil {
		return err
	}
	return f.print(&o, lists)
}

// source counts the n-grams of the inputs.
func (f *collocationsFlags) source(c *cobra.Command, args []string, o *words.Options) (*words.Source, error) {
	if err := words.CheckWords(analysis.Options{Tokens: f.Tokens}); err != nil {
		return nil, err
	}
	f.NGrams = fmt.Sprintf("%d-%d", o.Least, o.Most)
	if o.Marginals == words.Words {
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
		return words.OfFile(counted.TableFile, counted.Provenance), nil
	case kind == otherFile && f.docs == "":
		counted, err := f.count(c, args)
		return words.OfTable(counted), err
	}
	counted, err := f.counted(c, args)
	if err != nil {
		return nil, err
	}
	stats, err := counted.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
	return words.OfTable(stats), err
}

// A collocationRow is a row of the output.
type collocationRow struct {
	*words.Collocation
	class  string
	rank   int
	window *words.Window // of collocates; else nil
}

var classOfRow = tables.Column[collocationRow]{
	Key: "class", In: tables.ForPrograms, Value: func(r collocationRow) any { return tables.If(r.class != "", r.class) },
}

// print prints the lists.
func (f *collocationsFlags) print(o *words.Options, lists []words.List) error {
	t := list(&f.outputs, f.columns(o))
	t.Facts = []tables.Fact{{Key: "measure", Value: string(o.Measure)}, {Key: "marginals", Value: string(o.Marginals)}, {Key: "min_freq", Value: o.MinFreq}}
	by := string(o.Measure)
	if o.Measure == words.CValue {
		t.Facts, by = slices.Delete(t.Facts, 1, 2), "C-value"
	}
	for i := range lists {
		l, what := &lists[i], "pairs of words"
		switch {
		case l.Words == 0:
			what = fmt.Sprintf("runs of %d to %d words", o.Least, o.Most)
		case l.Words > 2:
			what = fmt.Sprintf("runs of %d words", l.Words)
		}
		t.Title("%d of %d %s that occur %d times or more, by %s", len(l.Collocations), l.Passed, what+classSuffix(l.Class), o.MinFreq, by)
		for rank := range l.Collocations {
			t.Add(collocationRow{Collocation: &l.Collocations[rank], class: l.Class, rank: rank + 1})
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
func (f *collocationsFlags) columns(o *words.Options) []tables.Column[collocationRow] {
	length := tables.Column[collocationRow]{Key: "words", In: tables.ForPrograms, Value: func(r collocationRow) any { return strings.Count(r.Term, " ") + 1 }}
	columns := []tables.Column[collocationRow]{
		classOfRow,
		length,
		{Key: "rank", Value: func(r collocationRow) any { return r.rank }},
		{Key: "term", Left: true, Value: func(r collocationRow) any { return r.Term }},
		{Key: "tf", Head: "occurs", Value: func(r collocationRow) any { return r.Frequency }},
		{Key: "df", Head: "documents", Value: func(r collocationRow) any { return r.Documents }},
	}
	if o.Measure == words.CValue {
		length.In = 0 // for people, too
		return append(slices.Insert(slices.Delete(columns, 1, 2), 3, length),
			tables.Column[collocationRow]{Key: "longer", Value: func(r collocationRow) any { return r.Longer }},
			tables.Column[collocationRow]{Key: "nested", Value: func(r collocationRow) any { return r.Nested }},
			tables.Column[collocationRow]{Key: "cvalue", Value: func(r collocationRow) any { return r.Value }, Shows: twoDecimals})
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
	shown := append([]string{string(f.Measure), string(words.LL), string(words.PMI)}, f.also...)
	for _, m := range words.Measures() {
		in := tables.ForPrograms
		if slices.Contains(shown, string(m)) {
			in = 0
		}
		columns = append(columns, tables.Number(string(m), "", in, func(r collocationRow) float64 { return r.Of(m) }, twoDecimals))
	}
	for _, m := range words.Tests() {
		columns = append(columns, tables.Number("log10p_"+string(m), "", tables.ForPrograms, func(r collocationRow) float64 { return r.Log10P(m) }, nil))
	}
	return columns
}

// nodeFlags returns the flags of collocates of a word.
func (f *collocationsFlags) nodeFlags() []flags.Flag {
	const near = "is for what stands near a word, which collocates INPUT TERM lists, too"
	return flags.In(flags.GroupScoring, []flags.Flag{
		{Name: "node", To: &f.near.Node, Takes: "TERM", Excludes: "ngrams marginals cvalue-words", Why: "has the words around it in place of n-grams", Help: "what stands near this word, or near these words in a row, with * and ? as in kwic, in place of pairs"},
		{Name: "window", To: &f.window, Default: 5, Positive: true, Most: words.MostWindow, Needs: "node", Why: near, Help: "words on either side of --node that are near"},
		{Name: "left", To: &f.near.Left, NotNegative: true, More: true, Most: words.MostWindow, Needs: "node", Why: near, Help: "words before --node that are near (default those of --window)"},
		{Name: "right", To: &f.near.Right, NotNegative: true, More: true, Most: words.MostWindow, Needs: "node", Why: near, Help: "words behind --node that are near (default those of --window)"},
		{
			Name: "window-counts", To: (*string)(&f.near.Counts), Default: string(words.Span), Choices: flags.From(words.WindowKinds), More: true, Needs: "node", Why: near,
			Help: "what is counted: span, each word near --node once; pairs, once for each occurrence that it is near to",
		},
	})
}

// textFlag returns the flag of the raw text of an index.
func (f *inputFlags) textFlag(use, needs string) flags.Flag {
	return flags.Flag{
		Name: "text", To: &f.text, Reads: flags.AFile, Group: flags.GroupInput, Applies: flags.OfDocuments, Needs: needs,
		Help: "the raw text that the index INPUT was built from, for " + use,
	}
}

func collocatesCommand(a *app) *command {
	var f collocationsFlags
	f.app = a
	others := []string{"node", "ngrams", "marginals", "cvalue-words"}
	return &command{
		use:   "collocates INPUT... TERM",
		short: "tell which words stand near a word more often than chance lets expect",
		long: "collocates counts the words up to --window words before and behind TERM, which may be several words in a\n" +
			"row and have * and ? as the patterns of kwic, and ranks those that are near it --min-freq times: it is\n" +
			"collocations --node TERM. INPUT is text, or an index with its text (--text). --stop words are not there,\n" +
			"and --without words are there but are not shown. With --sentences no word beyond the sentence is near.\n\n" +
			"With O places near TERM that have the word, R1 places near TERM, C1 places with the word and N places in\n" +
			"all, TERM's own left out, the measures are those of collocations: a place counts once, however many\n" +
			"TERMs are near. With --window-counts pairs E is 2w·f(TERM)·f(word)/T, and there are pmi, mi3, t, z and\n" +
			"logdice.",
		example: "  termsift collocates speeches/ freedom\n" +
			"  termsift collocates speeches/ 'united states' --left 0 --right 3 --without english --by logdice\n" +
			"  termsift collocates train.jsonl price --each-class --top 10\n" +
			"  termsift collocates train.idx price --text train.jsonl",
		args:    arguments(2, flags.Unlimited, "an INPUT and a TERM"),
		flags:   slices.DeleteFunc(f.flags(), func(g flags.Flag) bool { return slices.Contains(others, g.Name) }),
		classes: classesIgnored,
		run: func(c *cobra.Command, args []string) error {
			last := len(args) - 1
			f.near.Node = args[last]
			if err := swapped("collocates", args[0], f.near.Node); err != nil {
				return err
			}
			return f.collocates(c, args[:last])
		},
	}
}

// windowOptions returns the options that the flags give.
func (f *collocationsFlags) windowOptions(c *cobra.Command) (o words.WindowOptions, err error) {
	changed := c.Flags().Changed
	f.lengths, f.Marginals = "2", "" // which collocates has no flags of
	if _, err := f.options(c); err != nil {
		return o, err
	}
	o = f.near
	if !changed("left") {
		o.Left = f.window
	}
	if !changed("right") {
		o.Right = f.window
	}
	if o.Counts == words.Pairs && !changed("by") {
		f.Measure = words.LogDice
	}
	o.Measure, o.Parameters, o.Choice, o.Threads = f.Measure, f.Parameters, f.Choice, f.threads
	return o.WithDefaults()
}

// collocates prints what stands near a word.
func (f *collocationsFlags) collocates(c *cobra.Command, args []string) error {
	o, err := f.windowOptions(c)
	switch {
	case err != nil:
		return err
	case f.maxMemory != "":
		return usageError("--max-memory bounds the building of an index, and what stands near words is counted in memory: omit it")
	}
	text, opt, err := f.textOf(c, args)
	if err != nil {
		return err
	}
	var windows []words.Window
	err = f.readText(c.Context(), &text, func(batches document.Batches) error {
		windows, err = words.Around(c.Context(), batches, opt, o)
		return err
	})
	if err != nil {
		return err
	}
	return f.printWindows(&o, windows)
}

// textOf returns the raw text of the inputs, and how it is analysed: as the flags say, or as that of an index.
func (f *collocationsFlags) textOf(c *cobra.Command, args []string) (text textOf, opt corpus.Options, err error) {
	f.Read.Unlabelled = true
	if text.filter, err = f.query("docs", f.docs); err != nil {
		return text, opt, err
	}
	text.tell = true
	if err := cmp.Or(f.checkText(c, args, "what stands near a word is counted in text"), f.checkInputs(c, args)); err != nil {
		return text, opt, err
	}
	if f.kindOfOne(args) != indexFile {
		text.paths = args
		opt, err = f.inputFlags.options()
		text.provenance.Analysis, text.sample = opt.Analysis, opt.Sample
		return text, opt, err
	}
	index, err := corpus.Open(args[0], corpus.OpenOptions{Read: f.noMap})
	if err != nil {
		return text, opt, err
	}
	text.paths, text.provenance, text.of = []string{f.text}, index.Provenance(), index.Documents()
	f.Remember(c.Flags().Changed, text.provenance)
	opt.Analysis = text.provenance.Analysis
	return text, opt, index.Close()
}

// printWindows prints collocates.
func (f *collocationsFlags) printWindows(o *words.WindowOptions, windows []words.Window) error {
	t := list(&f.outputs, f.windowColumns())
	t.Facts = []tables.Fact{
		{Key: "node", Value: windows[0].Node},
		{Key: "left", Value: o.Left},
		{Key: "right", Value: o.Right},
		{Key: "window_counts", Value: string(o.Counts)},
		{Key: "measure", Value: string(o.Measure)},
		{Key: "min_freq", Value: o.MinFreq},
	}
	for i := range windows {
		w := &windows[i]
		t.Title("%d of %d words that are near %s%s %d times or more (%d before, %d behind), by %s; %s occurs %d times",
			len(w.Collocates), w.Passed, w.Node, classSuffix(w.Class), o.MinFreq, o.Left, o.Right, o.Measure, w.Node, w.Frequency)
		for rank := range w.Collocates {
			t.Add(collocationRow{Collocation: &w.Collocates[rank], class: w.Class, rank: rank + 1, window: w})
		}
	}
	return t.Close()
}

// windowColumns returns the columns of collocates.
func (f *collocationsFlags) windowColumns() []tables.Column[collocationRow] {
	columns := []tables.Column[collocationRow]{
		classOfRow,
		{Key: "node", In: tables.ForLines, Value: func(r collocationRow) any { return r.window.Node }},
		{Key: "node_tf", In: tables.ForPrograms, Value: func(r collocationRow) any { return r.window.Frequency }},
		{Key: "near_all", In: tables.ForPrograms, Value: func(r collocationRow) any { return r.window.Near }},
		{Key: "tokens", In: tables.ForPrograms, Value: func(r collocationRow) any { return r.window.Tokens }},
		{Key: "rank", Value: func(r collocationRow) any { return r.rank }},
		{Key: "term", Left: true, Value: func(r collocationRow) any { return r.Term }},
		{Key: "near", Value: func(r collocationRow) any { return r.Frequency }},
		{Key: "df", Head: "documents", Value: func(r collocationRow) any { return r.Documents }},
		{Key: "term_tf", Head: "occurs", Value: func(r collocationRow) any { return r.Marginals[1] }},
	}
	for _, column := range f.valueColumns() {
		if column.Key == string(words.LL) && f.near.Counts == words.Pairs { // which have none
			column.In = tables.ForPrograms
		}
		columns = append(columns, column)
	}
	return columns
}
