package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/keyness"
)

// This file lists the terms of a corpus by their frequencies.

type wordsFlags struct {
	inputFlags
	keyness.WordOptions
	top         int
	all, asList bool
	order       string
}

func wordsCommand(a *app) *command {
	var f wordsFlags
	f.app = a
	return &command{
		use:   "words INPUT...",
		short: "list the terms by their frequency, range and dispersion",
		long: "words lists the most frequent terms: their occurrences, also in a million words; their documents, and\n" +
			"the share of all documents that is; and their dispersion, which says how evenly they are spread over the\n" +
			"documents: DP, DPnorm (0 is even, 1 is in few documents) and Juilland's D (1 is even). No classes are\n" +
			"needed. Statistics know no documents, and have no dispersion.\n\n" +
			"--list writes a frequency list of all terms, which keyness --reference-list takes: lines \"#total\" and\n" +
			"\"#documents\" with the numbers of all tokens and documents, then a line of each term, its occurrences and\n" +
			"its documents, with tabs between.\n\n" +
			"TSV, CSV and JSON have for each term its rank, occurrences (tf), their number in a million words\n" +
			"(per_million), documents (df), the share of these (share), and dp, dpnorm and d. With --by-class they\n" +
			"have tf:CLASS, per_million:CLASS and df:CLASS of every class. What is not defined is empty.",
		example: "  termsift words speeches/\n" +
			"  termsift words --class sci.space --top 100 train.idx\n" +
			"  termsift words --by-class --min-freq 10 --all --format csv train.idx\n" +
			"  termsift words --sort dpnorm --min-freq 5 speeches/\n" +
			"  termsift words --list novels/ -o novels.tsv",
		flags: slices.Concat(flags.In(flags.GroupScoring, []flags.Flag{
			{Name: "top", To: &f.top, Default: 50, Positive: true, Most: flags.Unlimited, Help: "the first K terms"},
			{Name: "all", To: &f.all, Excludes: "top", Help: "all terms"},
			{Name: "sort", To: &f.order, Default: string(keyness.ByOccurrences), Choices: flags.From(keyness.WordOrders), Help: "what comes first: the most tf, the most df, the most even dp, dpnorm or d, or the first term by its bytes"},
			{Name: "min-freq", To: &f.MinFreq, Default: 1, Positive: true, Most: flags.Unlimited, Help: "least occurrences of a term"},
			{Name: "min-range", To: &f.MinRange, Default: 1, Positive: true, Most: flags.Unlimited, Help: "least documents with a term"},
			{Name: "class", To: &f.Class, Takes: "NAME", Choices: classesIn, Help: "only the documents of this class"},
			{Name: "by-class", To: &f.ByClass, Help: "also how often each class uses a term"},
		}), f.inputFlags.flags(), []flags.Flag{
			{
				Name: "list", To: &f.asList, Group: flags.GroupOutput, Excludes: "format by-class", Why: "writes one number of occurrences of a term",
				Help: "write all terms as a frequency list, for keyness --reference-list",
			},
		}, a.tableFlags("table")),
		classes: classesOptional,
		run:     f.words,
	}
}

func (f *wordsFlags) words(c *cobra.Command, args []string) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	f.classed = f.ByClass || f.Class != ""
	if f.perTerm, f.perText = 64, 64; f.ByClass {
		f.perTerm *= 2
	}
	f.Read.Unlabelled = !f.classed
	counted, err := f.counted(c, args)
	if err != nil {
		return err
	}
	l, err := keyness.Words(c.Context(), counted, o)
	switch {
	case err != nil:
		return err
	case f.asList:
		return l.WriteList(f.stdout)
	}
	f.warn(l.Warnings)
	return f.print(l, args)
}

// options returns the options that the flags give.
func (f *wordsFlags) options(c *cobra.Command) (keyness.WordOptions, error) {
	given, o := c.Flags().Changed, f.WordOptions
	if f.asList && f.table.Format != "table" && f.table.Format != "tsv" {
		return o, usageError("a frequency list has tabs between its fields: name a file that ends in .tsv or .txt, not .%s", f.table.Format)
	}
	o.Order, o.Top, o.Threads = keyness.WordOrder(f.order), f.top, f.threads
	if f.all || f.asList && !given("top") {
		o.Top = 0
	}
	return o, o.Validate()
}

// A wordRow is a row of the output of words.
type wordRow struct {
	*keyness.Word
	rank    int
	classes []keyness.ClassWord
}

// print prints the words.
func (f *wordsFlags) print(l *keyness.WordList, args []string) error {
	t := list(&f.outputs, f.columns(l))
	t.Facts = []tables.Fact{
		{Key: "documents", Value: l.Documents},
		{Key: "tokens", Value: l.Tokens},
		{Key: "words", Value: l.Side.Words},
		{Key: "terms", Value: l.Terms},
		{Key: "listed", Value: l.Passed},
	}
	if f.Class != "" {
		t.Facts = append([]tables.Fact{{Key: "class", Value: f.Class}}, t.Facts...)
	}
	t.Above(f.head(l, args)...)
	var classes []keyness.ClassWord
	for i := range l.Words {
		classes = l.ByClass(classes[:0], i)
		t.Add(wordRow{&l.Words[i], i + 1, classes})
	}
	return t.Close()
}

// head tells people what is listed.
func (f *wordsFlags) head(l *keyness.WordList, args []string) []string {
	var names []string
	for _, path := range args {
		names = append(names, sideName(path))
	}
	name := strings.Join(names, ", ")
	if f.Class != "" {
		name = "class " + f.Class
	}
	bounds := ""
	if f.MinFreq > 1 {
		bounds += fmt.Sprintf(" with at least %d occurrences", f.MinFreq)
	}
	if f.MinRange > 1 {
		bounds += fmt.Sprintf(" in at least %d documents", f.MinRange)
	}
	return []string{
		fmt.Sprintf("%s: %d documents, %s, %d terms", name, l.Documents, tokensOf(l.Side), l.Terms),
		fmt.Sprintf("%d of %d terms%s, %s", len(l.Words), l.Passed, bounds, ordersInWords[keyness.WordOrder(f.order)]),
	}
}

// ordersInWords say in which order words come.
var ordersInWords = map[keyness.WordOrder]string{
	keyness.ByOccurrences: "the most frequent first",
	keyness.ByDocuments:   "those in most documents first",
	keyness.ByTerm:        "by their bytes",
	keyness.ByDP:          "the most evenly spread first, by DP",
	keyness.ByDPNorm:      "the most evenly spread first, by DPnorm",
	keyness.ByD:           "the most evenly spread first, by Juilland's D",
}

// tokensOf tells people how many tokens a corpus has.
func tokensOf(s keyness.Side) string {
	if s.Words != s.Tokens {
		return fmt.Sprintf("%d tokens (%d of the shortest length)", s.Tokens, s.Words)
	}
	return fmt.Sprintf("%d tokens", s.Tokens)
}

// columns returns the columns of words.
func (f *wordsFlags) columns(l *keyness.WordList) []tables.Column[wordRow] {
	spread := func(key, head string, in tables.Audience, of func(d *keyness.Dispersion) float64) tables.Column[wordRow] {
		return tables.Number(key, head, in, func(w wordRow) float64 { return of(&w.Dispersion) }, tables.Decimals(2))
	}
	columns := []tables.Column[wordRow]{
		{Key: "rank", Value: func(w wordRow) any { return w.rank }},
		{Key: "term", Left: true, Value: func(w wordRow) any { return w.Term }},
		{Key: "tf", Head: "occurrences", Value: func(w wordRow) any { return w.TF }},
		tables.Number("per_million", "per million", 0, func(w wordRow) float64 { return w.PerMillion }, twoDecimals),
		{Key: "df", Head: "documents", Value: func(w wordRow) any { return w.DF }},
		tables.Number("share", "of all", 0, func(w wordRow) float64 { return w.Share }, tables.Percent),
	}
	for i, class := range l.Classes {
		columns = append(columns,
			tables.Column[wordRow]{Key: "tf:" + class, In: tables.ForPrograms, Value: func(w wordRow) any { return w.classes[i].TF }},
			tables.Number("per_million:"+class, f.visible(class), 0, func(w wordRow) float64 { return w.classes[i].PerMillion }, twoDecimals),
			tables.Column[wordRow]{Key: "df:" + class, In: tables.ForPrograms, Value: func(w wordRow) any { return w.classes[i].DF }})
	}
	if !l.Dispersed() && f.table.People() {
		return columns
	}
	return append(columns,
		spread("dp", "DP", tables.ForPrograms, func(d *keyness.Dispersion) float64 { return d.DP }),
		spread("dpnorm", "DPnorm", 0, func(d *keyness.Dispersion) float64 { return d.DPNorm }),
		spread("d", "D", 0, func(d *keyness.Dispersion) float64 { return d.D }))
}
