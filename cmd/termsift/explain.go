package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

type explainFlags struct {
	inputFlags
	flags.Scoring
	evidenceFlags
	format tables.Format
}

func (f *explainFlags) flags() []flags.Flag {
	docs := f.docsFlag()
	docs.Help += "; or a number N: show the N documents that have the term most often"
	return slices.Concat(f.Scoring.Parameters(), f.wholeFlags(), f.referenceFlags(), f.evidenceFlags.flags(), []flags.Flag{
		docs, threadsFlag(&f.threads), formatFlag(&f.format, "table"),
	})
}

func explainCommand(a *app) *command {
	var f explainFlags
	f.app = a
	return &command{
		use:   "explain INPUT TERM",
		short: "tell all that the measures know of a term",
		example: "  termsift explain train.idx orbit\n" +
			"  termsift explain train.idx orbit --docs 10\n" +
			"  termsift explain train.jsonl orbit --kwic 20 --kwic-sort left\n" +
			"  termsift explain train.idx orbit --kwic 20 --text train.jsonl",
		complete: completeExplain,
		args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError("explain needs an INPUT and a TERM; see termsift explain --help")
			}
			return nil
		},
		flags: f.flags(),
		run: func(c *cobra.Command, args []string) error {
			if err := f.evidenceFlags.take(c, &f.inputFlags, f.format); err != nil {
				return err
			}
			if err := f.checkText(c, f.kind(args[0]), args[:1]); err != nil {
				return err
			}
			counted, err := f.counted(c, args[:1])
			if err != nil {
				return err
			}
			stats, err := counted.Statistics(c.Context(), corpus.CountOptions{Weight: corpus.Weighting(f.Weight), Threads: f.threads})
			if err != nil {
				return err
			}
			x, err := rank.Explain(c.Context(), stats, args[1], f.Scoring.Options("", f.threads))
			if err != nil {
				return withBigrams(err, stats, args[1])
			}
			var e termEvidence
			if whole, ok := counted.(*corpus.Corpus); ok {
				if e, err = a.evidence(c, &f.evidenceFlags, &f.inputFlags, whole, args[:1], x.Term); err != nil {
					return err
				}
			}
			return a.explain(x, &f.evidenceFlags, &e, f.format)
		},
	}
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
		{Key: "tf_all", In: tables.ForPrograms, Value: func(m rank.Explained) any {
			if !m.UsesTokens {
				return nil
			}
			return x.CF
		}},
	}
}

// explain prints the contingency tables of a term, its values and the evidence.
func (o *outputs) explain(x *rank.Explanation, f *evidenceFlags, e *termEvidence, format tables.Format) error {
	if f.asked() && format.Audience() == tables.ForLines {
		return o.printEvidence(f, e, o.style(format))
	}
	t := tables.New(o.stdout, o.style(format), explainedColumns(x))
	if t.People() {
		fmt.Fprintf(o.stdout, "%s: in %d of %d documents, %v occurrences\n\n", o.visible(x.Term), x.DF, x.N, x.CF)
		if err := tables.New(o.stdout, t.Style, classColumns).AddAll(x.Tables); err != nil {
			return err
		}
		fmt.Fprintf(o.stdout, "\nA, B: documents in and outside the class with the term; C, D: without it.\n\n")
	}
	classes, err := tables.JSONRows(classColumns, x.Tables)
	if err != nil {
		return err
	}
	t.Facts = []tables.Fact{{Key: "term", Value: x.Term}, {Key: "df", Value: x.DF}, {Key: "documents", Value: x.N}, {Key: "tf_all", Value: x.CF}, {Key: "classes", Value: classes}}
	more, err := evidenceFacts(f, e)
	if err != nil {
		return err
	}
	t.Facts = append(t.Facts, more...)
	if err := t.AddAll(x.Measures); err != nil || !t.People() {
		return err
	}
	return o.printEvidence(f, e, t.Style)
}

// withNumbers returns the formula together with the counts from which the value was
// computed.
func withNumbers(x *rank.Explanation, m rank.Explained) string {
	if m.ByClass == nil {
		return m.Formula
	}
	t := x.Tables[m.Best]
	counts := fmt.Sprintf("A=%d B=%d C=%d D=%d", t.A, t.B, t.C, t.D)
	if m.UsesTokens {
		counts = fmt.Sprintf("S=%v cf=%v T_c=%v T=%v n_c=%d N=%d", t.S, x.CF, t.TC, x.T, t.A+t.C, x.N)
	}
	return fmt.Sprintf("%s, %s → %s", m.Formula, counts, tables.Short(m.ByClass[m.Best]))
}
