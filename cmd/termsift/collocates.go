package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// This file tells what stands near a word.

// nodeFlags returns the flags of collocates of a word.
func (f *collocationsFlags) nodeFlags() []flags.Flag {
	const near = "is for what stands near a word, which collocates INPUT TERM lists, too"
	return flags.In(flags.GroupScoring, []flags.Flag{
		{Name: "node", To: &f.node, Takes: "TERM", Excludes: "ngrams marginals cvalue-words", Why: "has the words around it in place of n-grams", Help: "what stands near this word, or near these words in a row, with * and ? as in kwic, in place of pairs"},
		{Name: "window", To: &f.window, Default: 5, Positive: true, Most: collocation.MostWindow, Needs: "node", Why: near, Help: "words on either side of --node that are near"},
		{Name: "left", To: &f.left, NotNegative: true, More: true, Most: collocation.MostWindow, Needs: "node", Why: near, Help: "words before --node that are near (default those of --window)"},
		{Name: "right", To: &f.right, NotNegative: true, More: true, Most: collocation.MostWindow, Needs: "node", Why: near, Help: "words behind --node that are near (default those of --window)"},
		{
			Name: "window-counts", To: &f.counts, Default: string(collocation.Span), Choices: flags.From(collocation.WindowKinds), More: true, Needs: "node", Why: near,
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
		long: "collocates counts the words up to --window words before and behind TERM, which may be several words in\n" +
			"a row and have * and ? as the patterns of kwic, and ranks those that are near it --min-freq times: it is\n" +
			"collocations --node TERM. INPUT is text, or an index with its text (--text). --stop words are not there,\n" +
			"and --without words are there but are not shown. With --sentences no word beyond the sentence is near.\n\n" +
			"Each place near TERM counts once, however many occurrences are near it: with O places that have the\n" +
			"word, R1 places near TERM, C1 places with the word and N places in all, TERM's own left out, the measures\n" +
			"are those of collocations. With --window-counts pairs a word counts once for each TERM that it is near to,\n" +
			"E is 2w·f(TERM)·f(word)/T, and there are pmi, mi3, t, z and logdice.",
		example: "  termsift collocates speeches/ freedom\n" +
			"  termsift collocates speeches/ 'united states' --left 0 --right 3 --without english --by logdice\n" +
			"  termsift collocates train.jsonl price --each-class --top 10\n" +
			"  termsift collocates train.idx price --text train.jsonl",
		args:    arguments(2, flags.Unlimited, "an INPUT and a TERM"),
		flags:   slices.DeleteFunc(f.flags(), func(g flags.Flag) bool { return slices.Contains(others, g.Name) }),
		classes: classesIgnored,
		run: func(c *cobra.Command, args []string) error {
			last := len(args) - 1
			f.node = args[last]
			if err := swapped("collocates", args[0], f.node); err != nil {
				return err
			}
			return f.collocates(c, args[:last])
		},
	}
}

// windowOptions returns the options that the flags give.
func (f *collocationsFlags) windowOptions(c *cobra.Command) (o collocation.WindowOptions, err error) {
	changed := c.Flags().Changed
	f.lengths, f.marginals = "2", "" // which collocates has no flags of
	pairs, err := f.options(c)
	if err != nil {
		return o, err
	}
	o = collocation.WindowOptions{
		Node: f.node, Left: f.window, Right: f.window, Counts: collocation.WindowCounts(f.counts), Measure: pairs.Measure, Parameters: pairs.Parameters,
		Choice: pairs.Choice, Threads: f.threads,
	}
	if changed("left") {
		o.Left = f.left
	}
	if changed("right") {
		o.Right = f.right
	}
	if o.Counts == collocation.Pairs && !changed("by") {
		o.Measure = collocation.LogDice
	}
	f.by = string(o.Measure)
	return o, o.Validate()
}

// collocates prints what stands near a word.
func (f *collocationsFlags) collocates(c *cobra.Command, args []string) error {
	o, err := f.windowOptions(c)
	switch {
	case err != nil:
		return err
	case f.maxMemory != "":
		return usageError("--max-memory bounds the building of an index, and what stands near words is counted in memory: leave it away")
	}
	text, opt, err := f.textOf(c, args)
	if err != nil {
		return err
	}
	windows, err := f.around(c.Context(), text, opt, o)
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

// around counts what stands near a word of a text.
func (f *collocationsFlags) around(ctx context.Context, text textOf, opt corpus.Options, o collocation.WindowOptions) (windows []collocation.Window, err error) {
	start := time.Now()
	source, err := f.readText(ctx, &text, func(batches document.Batches) error {
		windows, err = collocation.Around(ctx, batches, opt, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	if opt.Sample != nil {
		decided := opt.Analysis
		if decided.Tokens == analysis.Auto {
			decided.Tokens = opt.Sample.Tokens()
		}
		f.noteTexts(opt.Sample, decided)
	}
	f.sumUp(source, time.Since(start), nil)
	return windows, nil
}

// printWindows prints collocates.
func (f *collocationsFlags) printWindows(o *collocation.WindowOptions, windows []collocation.Window) error {
	t := list(&f.outputs, f.windowColumns())
	t.Facts = []tables.Fact{
		{Key: "node", Value: windows[0].Node},
		{Key: "left", Value: o.Left},
		{Key: "right", Value: o.Right},
		{Key: "window_counts", Value: string(o.Counts)},
		{Key: "measure", Value: f.by},
		{Key: "min_freq", Value: o.MinFreq},
	}
	for i := range windows {
		w := &windows[i]
		t.Title("%d of %d words that are near %s%s %d times or more (%d before, %d behind), by %s; %s occurs %d times",
			len(w.Collocates), w.Passed, w.Node, classSuffix(w.Class), o.MinFreq, o.Left, o.Right, f.by, w.Node, w.Frequency)
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
		if column.Key == string(collocation.LL) && f.counts == string(collocation.Pairs) { // which have none
			column.In = tables.ForPrograms
		}
		columns = append(columns, column)
	}
	return columns
}
