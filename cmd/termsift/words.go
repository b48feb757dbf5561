package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// This file lists the terms of a corpus by their frequencies, and shows the lines of text around words.

type wordsFlags struct {
	inputFlags
	words.WordOptions
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
			{Name: "sort", To: &f.order, Default: string(words.ByOccurrences), Choices: flags.From(words.WordOrders), Help: "what comes first: the most tf, the most df, the most even dp, dpnorm or d, or the first term by its bytes"},
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
	l, err := words.Frequencies(c.Context(), counted, o)
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
func (f *wordsFlags) options(c *cobra.Command) (words.WordOptions, error) {
	given, o := c.Flags().Changed, f.WordOptions
	if f.asList && f.table.Format != "table" && f.table.Format != "tsv" {
		return o, usageError("a frequency list has tabs between its fields: name a file that ends in .tsv or .txt, not .%s", f.table.Format)
	}
	o.Order, o.Top, o.Threads = words.WordOrder(f.order), f.top, f.threads
	if f.all || f.asList && !given("top") {
		o.Top = 0
	}
	return o, o.Validate()
}

// A wordRow is a row of the output of words.
type wordRow struct {
	*words.Word
	rank    int
	classes []words.ClassWord
}

// print prints the words.
func (f *wordsFlags) print(l *words.WordList, args []string) error {
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
	var classes []words.ClassWord
	for i := range l.Words {
		classes = l.ByClass(classes[:0], i)
		t.Add(wordRow{&l.Words[i], i + 1, classes})
	}
	return t.Close()
}

// head tells people what is listed.
func (f *wordsFlags) head(l *words.WordList, args []string) []string {
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
		fmt.Sprintf("%d of %d terms%s, %s", len(l.Words), l.Passed, bounds, ordersInWords[words.WordOrder(f.order)]),
	}
}

// ordersInWords say in which order words come.
var ordersInWords = map[words.WordOrder]string{
	words.ByOccurrences: "the most frequent first",
	words.ByDocuments:   "those in most documents first",
	words.ByTerm:        "by their bytes",
	words.ByDP:          "the most evenly spread first, by DP",
	words.ByDPNorm:      "the most evenly spread first, by DPnorm",
	words.ByD:           "the most evenly spread first, by Juilland's D",
}

// tokensOf tells people how many tokens a corpus has.
func tokensOf(s words.Side) string {
	if s.Words != s.Tokens {
		return fmt.Sprintf("%d tokens (%d of the shortest length)", s.Tokens, s.Words)
	}
	return fmt.Sprintf("%d tokens", s.Tokens)
}

// columns returns the columns of words.
func (f *wordsFlags) columns(l *words.WordList) []tables.Column[wordRow] {
	spread := func(key, head string, in tables.Audience, of func(d *words.Dispersion) float64) tables.Column[wordRow] {
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
		spread("dp", "DP", tables.ForPrograms, func(d *words.Dispersion) float64 { return d.DP }),
		spread("dpnorm", "DPnorm", 0, func(d *words.Dispersion) float64 { return d.DPNorm }),
		spread("d", "D", 0, func(d *words.Dispersion) float64 { return d.D }))
}

const orderHelp = "order of the lines: right or left, by the words on that side; document, as they were read; class; " +
	"or up to three of these and 1R (the first word on the right), 2R, 1L and so on"

type kwicFlags struct {
	inputFlags
	options words.LineOptions
	order   string
}

func kwicCommand(a *app) *command {
	var f kwicFlags
	f.app = a
	return &command{
		use:   "kwic INPUT PATTERN...",
		short: "show the lines of text around words and phrases",
		long: "kwic shows key words in context: a line for each occurrence of a PATTERN, with the text on its left and\n" +
			"on its right. INPUT is raw text, or an index with --text. Classes are not needed.\n\n" +
			"A PATTERN is a word, or a phrase in quotes; in a word * stands for any characters and ? for one, and *\n" +
			"alone is any word. It is analysed as the text is: in lower case and stemmed if the text is. A piece that\n" +
			"is no word of the text, as b of 'hepatitis b' without --tokens unicode, or a stop word, is an error. A\n" +
			"word with * or ? is not stemmed, and matches words as the analysis gives them, so stems where they are\n" +
			"stemmed. Of several patterns that match at one word, the longest counts.",
		example: "  termsift kwic speeches/ price\n" +
			"  termsift kwic speeches/ 'shipping and condition' 'pri?e*' --sort left\n" +
			"  termsift kwic speeches/ price --sentences --sort 1L,1R\n" +
			"  termsift kwic reviews.csv.gz --text-field review 'about * and' --all --format csv\n" +
			"  termsift kwic train.idx orbit --text train.jsonl --docs class=sci.space",
		complete: completeTerms(math.MaxInt),
		args:     arguments(2, flags.Unlimited, "an INPUT and a PATTERN"),
		flags: slices.Concat(f.Reading.Flags(), f.Analysis.Flags(), []flags.Flag{
			f.textFlag("lines", ""), f.docsFlag(), flags.MaxList(&f.Read.MaxList), threadsFlag(&f.threads),
			{Name: "no-mmap", To: &f.noMap, Group: flags.GroupInput, More: true, Applies: flags.OfInput, Help: "read an index into memory instead of mapping it"},
		}, flags.In(flags.GroupOutput, []flags.Flag{
			{Name: "sample", To: &f.options.Most, Default: 50, Positive: true, Most: 100_000, Help: "show so many lines at most, drawn at random"},
			{Name: "seed", To: &f.options.Seed, Default: uint64(kwicSeed), More: true, Help: "which lines are drawn"},
			{Name: "all", To: &f.options.All, Excludes: "sample", Help: fmt.Sprintf("show all lines; there may be %d", words.MostLines)},
			{
				Name: "sort", To: &f.order, Default: string(words.ByRight), Choices: flags.From(words.Orders), List: true,
				Help: orderHelp,
			},
			{Name: "width", To: &f.options.Width, Default: 40, Positive: true, Most: 100_000, Help: "characters on either side"},
		}), a.tableFlags("table")),
		run:     f.kwic,
		classes: classesIgnored,
	}
}

func (f *kwicFlags) kwic(c *cobra.Command, args []string) error {
	input, search := args[0], words.Search{Patterns: args[1:]}
	if err := swapped("kwic", input, args[1]); err != nil {
		return err
	}
	f.Read.Unlabelled = true
	f.options.Order, f.options.Threads = words.Order(f.order), f.threads
	if err := f.checkText(c, args[:1], "kwic shows lines of text"); err != nil {
		return err
	}
	filter, err := f.query("docs", f.docs)
	if err != nil {
		return err
	}
	var found *words.Concordance
	if f.kind(input) == indexFile {
		found, err = f.ofIndex(c, input, filter, search)
	} else {
		found, err = f.ofText(c.Context(), input, filter, search)
	}
	if err != nil {
		return withFile(err, search.Patterns)
	}
	return f.print(&found.Of[0], search.Patterns)
}

// checkText returns an error unless inputs are text, or an index whose text --text names. does says what for.
func (in *inputFlags) checkText(c *cobra.Command, paths []string, does string) error {
	switch kind, input := in.kindOfOne(paths), paths[0]; {
	case kind == statisticsFile:
		return usageError("%s has statistics, which are counts without text: name the raw text, or the index with --text", input)
	case kind == indexFile && in.text == "":
		return usageError("%s, which the index %s does not have: name what it was built from by --text", does, input)
	case kind == indexFile && changesAnalysis(c) != "":
		return usageError("the text is analysed as that of the index %s was: omit --%s", input, changesAnalysis(c))
	case kind != indexFile && in.text != "":
		return usageError("--text names the text of an index, and %s is the text itself: omit --text", input)
	}
	return nil
}

// ofText finds lines in raw text.
func (f *kwicFlags) ofText(ctx context.Context, input string, filter *corpus.Query, search words.Search) (found *words.Concordance, err error) {
	opt := corpus.Options{Threads: f.threads, Unlabelled: true, Sample: &analysis.Sample{}}
	if opt.Analysis, err = f.analysis(); err != nil {
		return nil, err
	}
	text := textOf{paths: []string{input}, filter: filter, tell: true, sample: opt.Sample}
	text.provenance.Analysis = opt.Analysis
	err = f.readText(ctx, &text, func(all document.Batches) error {
		return ingest.Decided(ctx, all, opt, func(batches document.Batches, a analysis.Options) (err error) {
			found, err = words.Lines(ctx, batches, a, f.options, search)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return found, f.missing(&found.Of[0], search.Patterns, found.Nearest)
}

// ofIndex finds lines in the text of an index.
func (f *kwicFlags) ofIndex(c *cobra.Command, input string, filter *corpus.Query, search words.Search) (*words.Concordance, error) {
	index, err := f.openCorpus(input, corpus.OpenOptions{Read: f.noMap})
	if err != nil {
		return nil, err
	}
	defer index.Close()
	if filter != nil {
		match, err := index.Match(filter)
		if err != nil {
			return nil, fmt.Errorf("--docs: %w", err)
		}
		if err := f.noteMatched(match.Warnings, int(match.Docs.GetCardinality()), index.Documents(), filter); err != nil {
			return nil, err
		}
	}
	nearest := func(word string) []string {
		return usage.Nearest(word, func(yield func(string) bool) {
			for term := range index.Terms() {
				if !yield(index.Term(term)) {
					return
				}
			}
		})
	}
	f.RememberFields(c.Flags().Changed, index.Provenance())
	text := textOf{paths: []string{f.text}, filter: filter, provenance: index.Provenance(), of: index.Documents()}
	found, err := f.concordance(c.Context(), text, f.options, search)
	if err != nil {
		return nil, err
	}
	return found, f.missing(&found.Of[0], search.Patterns, nearest)
}

// missing returns an error if nothing was found, and says which words of the patterns are nowhere if something was.
func (f *kwicFlags) missing(found *words.Found, patterns []string, nearest func(word string) []string) error {
	switch absent := found.Absent; {
	case found.Occurrences > 0 && len(absent) > 0:
		f.note("no document has %s", quotedList(absent))
	case found.Occurrences > 0:
	case len(absent) == 0 && f.docs != "":
		return fmt.Errorf("%w: %s does not occur in the documents of --docs", usage.ErrNothing, quotedList(patterns))
	case len(absent) == 0:
		return fmt.Errorf("%w: the words of %s occur, but not in a row", usage.ErrNothing, quotedList(patterns))
	case strings.ContainsAny(absent[0], "*?"):
		return fmt.Errorf("%w: no word matches %s", usage.ErrNothing, quotedList(absent))
	case f.docs != "":
		return &usage.UnknownError{Kind: "term", Name: absent[0], Near: nearest(absent[0]), Remedy: "--docs leaves documents out"}
	default:
		return &usage.UnknownError{Kind: "term", Name: absent[0], Near: nearest(absent[0])}
	}
	return nil
}

// withFile returns the error of patterns that do not occur, or what is wrong if one of them is a file: a second input
// was meant.
func withFile(err error, patterns []string) error {
	if usage.KindOf(err) != usage.ErrNothing {
		return err
	}
	for _, p := range patterns {
		if _, statErr := os.Stat(p); statErr == nil {
			return usageError("kwic takes one INPUT and PATTERNs behind it, and %s is a file: look in one after the other", p)
		}
	}
	return err
}

// quotedList returns names as text: "a", "b". Of many it has the first.
func quotedList(names []string) string {
	const most = 20
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, fmt.Sprintf("%q", usage.Cut(name)))
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), more)
	}
	return strings.Join(quoted, ", ")
}

// print prints lines with their number.
func (f *kwicFlags) print(found *words.Found, patterns []string) error {
	head := fmt.Sprintf("%d of %d occurrences, in %d documents", len(found.Lines), found.Occurrences, found.Documents)
	title := strings.Join(patterns, ", ") + ": " + head
	t := list(&f.outputs, evidenceLineColumns)
	t.Name = title
	t.Above(title)
	if t.Format == "json" {
		t.Facts = []tables.Fact{
			{Key: "patterns", Value: patterns},
			{Key: "occurrences", Value: found.Occurrences},
			{Key: "documents", Value: found.Documents},
		}
	} else if !t.People() {
		f.note("%s", head)
	}
	return t.AddAll(found.Lines)
}

// kwicSeed is the seed of the lines where no flag names one.
const kwicSeed = 1

// A textOf is raw text whose documents a corpus has.
type textOf struct {
	paths      []string
	filter     *corpus.Query     // nil for all documents
	provenance corpus.Provenance // its analysis is that of the documents
	of         int               // documents of the index whose text it must be, 0 for none
	tell       bool              // say what was read, and how many documents the filter takes
	sample     *analysis.Sample  // of raw text, to say where the analysis does not fit it
}

// lines reads raw text for lines around terms, in one pass for all of them. If the text is to be checked and is
// another than that of the provenance, the error is a [usage.ErrContradiction].
func (in *inputFlags) lines(ctx context.Context, text textOf, o words.LineOptions, terms ...string) (lines [][]words.Line, err error) {
	found, err := in.concordance(ctx, text, o, words.OfTerms(terms...)...)
	if err != nil {
		return nil, err
	}
	for _, of := range found.Of {
		lines = append(lines, of.Lines)
	}
	return lines, nil
}

// concordance is lines for any searches.
func (in *inputFlags) concordance(ctx context.Context, text textOf, o words.LineOptions, searches ...words.Search) (found *words.Concordance, err error) {
	o.Threads = in.threads
	err = in.readText(ctx, &text, func(batches document.Batches) error {
		found, err = words.Lines(ctx, batches, text.provenance.Analysis, o, searches...)
		return err
	})
	return found, err
}

// readText has the documents of a text read. It returns the error of read, unless something is wrong with the text.
func (in *inputFlags) readText(ctx context.Context, text *textOf, read func(document.Batches) error) error {
	start := time.Now()
	source, err := in.source(ctx, text.paths)
	if err != nil {
		return err
	}
	batches, hash := in.watchBatches(source), func() (none table.InputHash) { return none }
	if text.of > 0 {
		batches, hash = ingest.Hashed(batches)
	}
	chosen := newSieve(text.filter)
	batches = eachBatch(batches, chosen.some)
	err = read(batches)
	if wrong := explained(source, err); wrong != nil && !errors.Is(wrong, usage.ErrNothing) {
		return wrong
	}
	if wrong := text.hasHash(hash()); wrong != nil || !text.tell {
		return cmp.Or(wrong, err)
	}
	if wrong := in.noteChosen(chosen); wrong != nil || err != nil {
		return cmp.Or(wrong, err)
	}
	if text.sample != nil {
		decided := text.provenance.Analysis
		if decided.Tokens == analysis.Auto {
			decided.Tokens = text.sample.Tokens()
		}
		in.noteTexts(text.sample, decided)
	}
	in.sumUp(source, time.Since(start), nil)
	return nil
}

// hasHash returns a [usage.ErrContradiction] if the documents must be those of the provenance, and do not have this
// hash.
func (t *textOf) hasHash(hash table.InputHash) error {
	p := &t.provenance
	if t.of == 0 || hash.String() == p.InputHash {
		return nil
	}
	differ, charset := fmt.Sprintf("the hash of its documents is %s, that of the index %s", hash, p.InputHash), ""
	if read := t.of + p.Repeats; read != hash.N && t.filter == nil && p.Segment == 0 && len(p.Subsets) == 0 {
		differ = fmt.Sprintf("it has %d documents, and the index %d", hash.N, read)
	}
	if p.Charset != "" && p.Charset != "auto" && p.Charset != "none" {
		charset = ", --charset " + p.Charset
	}
	return usage.NewError(usage.ErrContradiction, fmt.Sprintf("%s is not the text of the index: %s; read it with the flags (--split, --labels%s and the like) "+
		"that the index was built with", t.paths[0], differ, charset))
}

var evidenceLineColumns = []tables.Column[words.Line]{
	{Key: "left", Value: func(l words.Line) any { return l.Left }},
	{Key: "match", Left: true, Value: func(l words.Line) any { return l.Match }},
	{Key: "right", Left: true, Value: func(l words.Line) any { return l.Right }},
	{Key: "id", Head: "document", Left: true, Value: func(l words.Line) any { return l.ID }},
}
