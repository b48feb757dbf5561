package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

type explainFlags struct {
	inputFlags
	flags.Scoring
	by              string
	documents, kwic int // how much evidence to show
	order           string
}

func explainCommand(a *app) *command {
	var f explainFlags
	f.app, f.perTerm = a, 240 // the values of all measures
	docs := f.docsFlag()
	docs.Help += "; or a number N: show the N documents that have the term most often"
	return &command{
		use:   "explain INPUT TERM",
		short: "tell all that the measures know of a term",
		example: "  termsift explain train.idx orbit\n" +
			"  termsift explain train.idx orbit --by 'mine=A*D/(B*C)'\n" +
			"  termsift explain train.idx orbit --docs 10\n" +
			"  termsift explain train.jsonl orbit --kwic 20 --kwic-sort left\n" +
			"  termsift explain train.idx orbit --kwic 20 --text train.jsonl",
		complete: completeTerms(1),
		args:     arguments(2, 2, "an INPUT and a TERM"),
		flags: slices.Concat(f.Scoring.Parameters(), f.wholeFlags(), f.referenceFlags(), []flags.Flag{
			{
				Name: "by", To: &f.by, List: true, Group: flags.GroupScoring, Takes: "LIST",
				Choices: func([]string) []string { return append(flags.MeasureNames(), "new") },
				Help:    "also by these: NAME=FORMULA, measures that all does not have, or new",
			},
			{
				Name: "kwic", To: &f.kwic, Most: 100_000, Positive: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
				Help: "show so many occurrences in their context, spread over the documents; needs the raw text",
			},
			{
				Name: "kwic-sort", To: &f.order, Default: string(words.ByRight), Choices: flags.From(words.Orders), List: true, Group: flags.GroupOutput, More: true,
				Needs: "kwic", Help: orderHelp,
			},
			f.textFlag("--kwic", "kwic"),
			docs, threadsFlag(&f.threads),
		}, a.tableFlags("table")),
		classes: classesOptional,
		run:     f.explain,
	}
}

func (f *explainFlags) explain(c *cobra.Command, args []string) error {
	input, term := args[:1], args[1]
	if err := cmp.Or(swapped("explain", args[0], term), f.checkEvidence(c, args[0]), f.ReadSeeds(f.lists())); err != nil {
		return err
	}
	further, err := f.further()
	if err != nil {
		return err
	}
	counted, err := f.counted(c, input)
	if err != nil {
		return err
	}
	stats, err := counted.Statistics(c.Context(), corpus.CountOptions{Weight: f.Weight, Threads: f.threads})
	if err != nil {
		return err
	}
	if len(stats.Classes()) == 0 {
		f.note("the measures that tell classes apart are left out: there are no classes")
	}
	further = slices.DeleteFunc(further, func(o rank.Options) bool { // those that explain a term anyway
		p, _ := o.Resolve()
		return o.Combine == "" && (len(stats.Classes()) > 0 || !p.NeedsClasses()) &&
			slices.ContainsFunc(rank.Measures(), func(m rank.MeasureInfo) bool { return m.Name == string(o.Measure) })
	})
	x, err := rank.Explain(c.Context(), stats, term, f.Scoring.Options("", f.threads), further...)
	if err != nil {
		return cmp.Or(ofMany(err, stats, term), withBigrams(err, stats, term))
	}
	var e termEvidence
	if whole, ok := counted.(*corpus.Corpus); ok {
		if e, err = f.evidence(c.Context(), whole, input, x.Term); err != nil {
			return err
		}
	}
	return f.print(x, &e)
}

// further returns the options of the measures in --by.
func (f *explainFlags) further() (all []rank.Options, err error) {
	if f.by == "" {
		return nil, nil
	}
	for _, named := range flags.Several(f.by) {
		o, err := f.Measure(named.Text, f.threads)
		if err == nil {
			err = o.Validate()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// checkEvidence takes a number in place of an expression out of --docs, and checks the flags of the
// evidence: there must be raw text for --kwic, before anything is counted.
func (f *explainFlags) checkEvidence(c *cobra.Command, input string) error {
	if n, err := strconv.Atoi(f.docs); err == nil {
		if n <= 0 {
			return usageError("--docs takes an expression, or a positive number of documents to show, not %d", n)
		}
		f.documents, f.docs = n, ""
	}
	switch text := cmp.Or(f.text, input); {
	case f.kwic == 0:
		return nil
	case f.documents > 0 && f.table.Format.Audience() == tables.ForLines:
		return usageError("--docs %d and --kwic are two tables, and %s has one: take one of them, or --format json", f.documents, f.table.Format)
	case !reader.ReadableTwice(text):
		return usageError("--kwic reads %s again after counting: name a file or a folder", text)
	}
	return f.checkText(c, []string{input}, "--kwic shows lines of text")
}

// withBigrams adds to the error of an unknown term that is a single Han character, which
// no term of bigrams is, the most frequent pairs that have it.
func withBigrams(err error, s *table.Table, term string) error {
	unknown, ok := errors.AsType[*usage.UnknownError](err)
	r, size := utf8.DecodeRuneInString(term)
	if !ok || size != len(term) || !unicode.Is(unicode.Han, r) || s.Provenance().Analysis.Tokens != "zh-bigrams" {
		return err
	}
	unknown.Near = nil
	unknown.Remedy = "the terms of this corpus are pairs of Han characters"
	if pairs := mostFrequent(s, term, 3); len(pairs) > 0 {
		unknown.Remedy += ", with it " + strings.Join(pairs, ", ")
	}
	return unknown
}

// ofMany returns the error for an unknown term that has wildcards, else nil.
func ofMany(err error, s *table.Table, term string) error {
	at := strings.IndexAny(term, "*?")
	if _, unknown := errors.AsType[*usage.UnknownError](err); !unknown || at < 0 {
		return nil
	}
	remedy := ""
	pieces := strings.FieldsFunc(strings.ToLower(term), func(r rune) bool { return r == '*' || r == '?' })
	if like := mostFrequent(s, slices.MaxFunc(append(pieces, ""), func(a, b string) int { return len(a) - len(b) }), 3); len(pieces) > 0 && len(like) > 0 {
		remedy = ", such as " + strings.Join(like, ", ")
	}
	return usageError("explain tells the counts of one term, and %c in %q stands for many: name one%s; kwic and collocates take patterns", term[at], usage.Cut(term), remedy)
}

// mostFrequent returns the terms with a text in them that most documents have.
func mostFrequent(s *table.Table, text string, most int) (names []string) {
	for t := 0; t < s.Names.Len() && len(names) < most; t++ { // in this order already
		if term := s.Names.Term(t); strings.Contains(term, text) {
			names = append(names, term)
		}
	}
	return names
}

var classColumns = []tables.Column[rank.ClassTable]{
	{Key: "class", Left: true, Value: func(t rank.ClassTable) any { return t.Class }},
	{Key: "a", Head: "A", Value: func(t rank.ClassTable) any { return t.A }},
	{Key: "b", Head: "B", Value: func(t rank.ClassTable) any { return t.B }},
	{Key: "c", Head: "C", Value: func(t rank.ClassTable) any { return t.C }},
	{Key: "d", Head: "D", Value: func(t rank.ClassTable) any { return t.D }},
	{Key: "tokens", Value: func(t rank.ClassTable) any { return t.S }, Text: func(t rank.ClassTable) string { return fmt.Sprint(t.S) }},
}

// explainedColumns returns the columns of the measures of a term.
func explainedColumns(x *rank.Explanation) []tables.Column[rank.Explained] {
	class := func(m rank.Explained) string { return x.Tables[m.Best].Class }
	// ofClass returns a value that depends on the class that gave the value, if one did.
	ofClass := func(value func(t rank.ClassTable) any) func(rank.Explained) any {
		return func(m rank.Explained) any {
			if m.Combine != rank.Max {
				return nil
			}
			return value(x.Tables[m.Best])
		}
	}
	return []tables.Column[rank.Explained]{
		{Key: "measure", Left: true, Value: func(m rank.Explained) any { return string(m.Measure) }},
		{Key: "combine", Left: true, Value: func(m rank.Explained) any { return string(m.Combine) }},
		{Key: "class", In: tables.ForPrograms, Value: ofClass(func(t rank.ClassTable) any { return t.Class })},
		{Key: "term", In: tables.ForLines, Value: func(rank.Explained) any { return x.Term }},
		{Key: "value", Value: func(m rank.Explained) any { return m.Value }},
		{Key: "rank", Value: func(m rank.Explained) any { return m.Rank }},
		{Key: "largest_in", In: tables.ForPrograms, Value: func(m rank.Explained) any {
			if m.ByClass == nil {
				return nil
			}
			return class(m)
		}},
		{Key: "formula", Head: "largest in; formula with its numbers", Left: true, Value: func(m rank.Explained) any {
			return withNumbers(x, m)
		}, Text: func(m rank.Explained) string {
			if m.ByClass == nil {
				return m.Formula
			}
			return class(m) + ": " + withNumbers(x, m)
		}},
		{Key: "a", In: tables.ForPrograms, Value: ofClass(func(t rank.ClassTable) any { return t.A })},
		{Key: "b", In: tables.ForPrograms, Value: ofClass(func(t rank.ClassTable) any { return t.B })},
		{Key: "c", In: tables.ForPrograms, Value: ofClass(func(t rank.ClassTable) any { return t.C })},
		{Key: "d", In: tables.ForPrograms, Value: ofClass(func(t rank.ClassTable) any { return t.D })},
		{Key: "tf", In: tables.ForPrograms, Value: func(m rank.Explained) any {
			if !m.UsesTokens || m.Combine != rank.Max {
				return nil
			}
			return x.Tables[m.Best].S
		}},
		{Key: "tf_all", In: tables.ForPrograms, Value: func(m rank.Explained) any { return tables.If(m.UsesTokens, x.CF) }},
	}
}

// print prints the contingency tables of a term, its values and the evidence.
func (f *explainFlags) print(x *rank.Explanation, e *termEvidence) error {
	t := list(&f.outputs, explainedColumns(x))
	if (e.documents != nil || e.lines != nil) && t.Format.Audience() == tables.ForLines {
		return e.print(&f.outputs)
	}
	lines := []string{fmt.Sprintf("%s: in %d of %d documents, %v occurrences", x.Term, x.DF, x.N, x.CF)}
	if x.Target != "" {
		lines = append(lines, fmt.Sprintf("%s: %s on average with it, %s without", x.Target, tables.Short(x.With), tables.Short(x.Without)))
	}
	if counts := list(&f.outputs, classColumns); t.People() && len(x.Tables) > 0 {
		counts.Above(lines...)
		if err := counts.AddAll(x.Tables); err != nil {
			return err
		}
		t.Above("", "A, B: documents in and outside the class with the term; C, D: without it.")
	} else {
		t.Above(lines...)
	}
	t.Facts = []tables.Fact{
		{Key: "term", Value: x.Term},
		{Key: "df", Value: x.DF},
		{Key: "documents", Value: x.N},
		{Key: "tf_all", Value: x.CF},
		{Key: "classes", Value: tables.JSONRows(classColumns, x.Tables)},
	}
	if x.Target != "" {
		t.Facts = append(t.Facts,
			tables.Fact{Key: "target", Value: x.Target},
			tables.Fact{Key: "mean_with", Value: tables.If(!math.IsNaN(x.With), x.With)},
			tables.Fact{Key: "mean_without", Value: tables.If(!math.IsNaN(x.Without), x.Without)})
	}
	t.Facts = append(t.Facts, e.facts()...)
	if err := t.AddAll(x.Measures); err != nil || !t.People() {
		return err
	}
	return e.print(&f.outputs)
}

// withNumbers returns the formula together with the counts from which the value was
// computed.
func withNumbers(x *rank.Explanation, m rank.Explained) string {
	if m.ByClass == nil {
		return m.Formula
	}
	t := x.Tables[m.Best]
	counts := fmt.Sprintf("A=%d B=%d C=%d D=%d", t.A, t.B, t.C, t.D)
	switch _, registered := measureOf(m.Measure); {
	case m.UsesTokens && !registered: // a formula may read all
		counts = fmt.Sprintf("%s S=%v cf=%v T_c=%v T=%v N=%d", counts, t.S, x.CF, t.TC, x.T, x.N)
	case m.UsesTokens:
		counts = fmt.Sprintf("S=%v cf=%v T_c=%v T=%v n_c=%d N=%d", t.S, x.CF, t.TC, x.T, t.A+t.C, x.N)
	}
	return fmt.Sprintf("%s, %s → %s", m.Formula, counts, tables.Short(m.ByClass[m.Best]))
}

// A termEvidence is the evidence of a term: nil is what was not asked for.
type termEvidence struct {
	documents []words.Document
	lines     []words.Line
}

// evidence collects the evidence of a term of a corpus, which was made of args.
func (f *explainFlags) evidence(ctx context.Context, counted *corpus.Corpus, args []string, term string) (e termEvidence, err error) {
	if f.documents > 0 {
		found, err := words.Documents(ctx, counted, f.documents, term)
		if err != nil {
			return e, err
		}
		e.documents = append([]words.Document{}, found[0]...)
	}
	if f.kwic == 0 {
		return e, nil
	}
	filter, err := f.query("docs", f.docs)
	if err != nil {
		return e, err
	}
	text := textOf{paths: args, filter: filter, provenance: counted.Provenance()}
	if f.text != "" {
		text.paths, text.of = []string{f.text}, counted.Documents()
	}
	order := words.Order(f.order)
	if order == "none" { // which was its name
		order = words.ByDocument
	}
	found, err := f.lines(ctx, text, words.LineOptions{Most: f.kwic, Seed: kwicSeed, Order: order}, term)
	if err == nil {
		e.lines = append([]words.Line{}, found[0]...)
	}
	return e, err
}

var evidenceDocumentColumns = []tables.Column[words.Document]{
	{Key: "id", Head: "document", Left: true, Value: func(d words.Document) any { return d.ID }},
	{Key: "labels", Left: true, In: tables.ForJSON, Value: func(d words.Document) any { return append([]string{}, d.Labels...) }},
	{Key: "labels", Left: true, In: tables.ForPeople | tables.ForLines, Value: func(d words.Document) any { return strings.Join(d.Labels, ", ") }},
	{Key: "tf", Value: func(d words.Document) any { return d.TF }},
	{Key: "tokens", Value: func(d words.Document) any { return d.Length }},
}

// facts returns the evidence for JSON.
func (e *termEvidence) facts() (facts []tables.Fact) {
	if e.documents != nil {
		facts = append(facts, tables.Fact{Key: "occurs_in", Value: tables.JSONRows(evidenceDocumentColumns, e.documents)})
	}
	if e.lines != nil {
		facts = append(facts, tables.Fact{Key: "lines", Value: tables.JSONRows(evidenceLineColumns, e.lines)})
	}
	return facts
}

// print prints the evidence for people, or as the one table of lines.
func (e *termEvidence) print(o *outputs) (err error) {
	if e.documents != nil {
		t := list(o, evidenceDocumentColumns)
		t.Above()
		err = t.AddAll(e.documents)
	}
	if e.lines != nil && err == nil {
		t := list(o, evidenceLineColumns)
		t.Above()
		err = t.AddAll(e.lines)
	}
	return err
}
