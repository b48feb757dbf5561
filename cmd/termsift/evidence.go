package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/usage"
)

// This file shows where a term occurs: its documents, and lines of text.

// evidenceFlags say which evidence to show.
type evidenceFlags struct {
	documents int
	kwic      int
	order     string
	text      string
}

func (f *evidenceFlags) flags() []flags.Flag {
	return []flags.Flag{
		{
			Name: "kwic", To: &f.kwic, Most: 100_000, Positive: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
			Help: "show so many occurrences in their context; needs the raw text",
		},
		{
			Name: "kwic-sort", To: &f.order, Default: string(evidence.ByRight), Choices: flags.From(evidence.Orders), Group: flags.GroupOutput, More: true,
			Help: "order of the lines: right or left, by the words on that side of the term, or none",
		},
		{
			Name: "text", To: &f.text, Reads: flags.AFile, Group: flags.GroupInput, Applies: flags.OfDocuments,
			Help: "the raw text that the index INPUT was built from, for --kwic",
		},
	}
}

// take takes a number in place of an expression out of --docs, and checks the flags.
func (f *evidenceFlags) take(c *cobra.Command, in *inputFlags, format tables.Format) error {
	if n, err := strconv.Atoi(in.docs); err == nil {
		if n <= 0 {
			return usageError("--docs takes an expression, or a positive number of documents to show, not %d", n)
		}
		f.documents, in.docs = n, ""
	}
	switch {
	case f.kwic == 0 && (f.text != "" || c.Flags().Changed("kwic-sort")):
		return usageError("--text and --kwic-sort are for --kwic, which is missing")
	case f.kwic > 0 && f.documents > 0 && format.Audience() == tables.ForLines:
		return usageError("--docs %d and --kwic are two tables, and %s has one: take one of them, or --format json", f.documents, format)
	}
	in.text = f.text
	return nil
}

// asked reports whether any evidence is to be shown.
func (f *evidenceFlags) asked() bool { return f.documents > 0 || f.kwic > 0 }

// A termEvidence is the evidence of a term.
type termEvidence struct {
	documents []evidence.Document
	lines     []evidence.Line
}

// evidence collects the evidence of a term of a corpus, which was made of args.
func (a *app) evidence(c *cobra.Command, f *evidenceFlags, in *inputFlags, counted *corpus.Corpus, args []string, term string) (e termEvidence, err error) {
	ctx := c.Context()
	if f.documents > 0 {
		found, err := evidence.Documents(ctx, counted, f.documents, term)
		if err != nil {
			return e, err
		}
		e.documents = found[0]
	}
	if f.kwic == 0 {
		return e, nil
	}
	filter, err := in.query("docs", in.docs)
	if err != nil {
		return e, err
	}
	text := textOf{paths: args, filter: filter, provenance: counted.Provenance()}
	if f.text != "" {
		text.paths, text.check = []string{f.text}, true
	}
	found, err := in.lines(ctx, text, evidence.LineOptions{Most: f.kwic, Order: evidence.Order(f.order)}, term)
	if err == nil {
		e.lines = found[0]
	}
	return e, err
}

// checkText returns an error unless there is raw text for --kwic, before anything is
// counted.
func (f *evidenceFlags) checkText(c *cobra.Command, kind fileKind, args []string) error {
	if f.kwic == 0 {
		return nil
	}
	isIndex := kind == indexFile
	switch {
	case isIndex && f.text == "":
		return usageError("--kwic shows lines of text, which the index %s does not have: name what it was built from by --text", args[0])
	case !isIndex && f.text != "":
		return usageError("--text names the text of an index, and %s is the text itself: leave --text away", args[0])
	case isIndex && changesAnalysis(c) != "":
		return usageError("the text is analysed as that of the index %s was: leave the flags of the analysis away", args[0])
	case isIndex:
		args = []string{f.text}
	}
	for _, path := range args {
		if !reader.ReadableTwice(path) {
			return usageError("--kwic reads %s again after counting: name a file or a folder", path)
		}
	}
	return nil
}

// A textOf is raw text whose documents a corpus has.
type textOf struct {
	paths      []string
	filter     *corpus.Query // nil for all documents
	provenance corpus.Provenance
	check      bool // whether it is the text of the provenance
}

// lines reads raw text for lines around terms. If the text is to be checked and is another
// than that of the provenance, the error is a [usage.ErrContradiction].
func (in *inputFlags) lines(ctx context.Context, text textOf, o evidence.LineOptions, terms ...string) ([][]evidence.Line, error) {
	source, err := in.source(ctx, text.paths)
	if err != nil {
		return nil, err
	}
	o.All = text.check
	var hash ingest.InputHasher
	docs := func(yield func(document.Document, error) bool) {
		var m *corpus.Matcher
		if text.filter != nil {
			m = text.filter.Matcher()
		}
		for d, err := range source.Documents() {
			if err == nil && text.check {
				hash.Add(d)
			}
			if err == nil && m != nil && !m.Match(d.ID, d.Labels) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
	lines, err := evidence.Lines(ctx, docs, text.provenance.Analysis, o, terms...)
	if err != nil {
		return nil, err
	}
	if got, want := hash.String(), text.provenance.InputHash; text.check && got != want {
		return nil, fmt.Errorf("%s is not the text of the index: %w: the hash of its documents is %s, that of the index %s; "+
			"read it with the flags (--split, --labels and the like) that the index was built with", text.paths[0], usage.ErrContradiction, got, want)
	}
	return lines, nil
}

var evidenceDocumentColumns = []tables.Column[evidence.Document]{
	{Key: "id", Head: "document", Left: true, Value: func(d evidence.Document) any { return d.ID }},
	{Key: "labels", Left: true, In: tables.ForJSON, Value: func(d evidence.Document) any { return append([]string{}, d.Labels...) }},
	{Key: "labels", Left: true, In: tables.ForPeople | tables.ForLines, Value: func(d evidence.Document) any { return strings.Join(d.Labels, ", ") }},
	{Key: "tf", Value: func(d evidence.Document) any { return d.TF }},
	{Key: "tokens", Value: func(d evidence.Document) any { return d.Length }},
}

var evidenceLineColumns = []tables.Column[evidence.Line]{
	{Key: "left", Value: func(l evidence.Line) any { return l.Left }},
	{Key: "match", Left: true, Value: func(l evidence.Line) any { return l.Match }},
	{Key: "right", Left: true, Value: func(l evidence.Line) any { return l.Right }},
	{Key: "id", Head: "document", Left: true, Value: func(l evidence.Line) any { return l.ID }},
}

// evidenceFacts returns the evidence for JSON.
func evidenceFacts(f *evidenceFlags, e *termEvidence) (facts []tables.Fact, err error) {
	if f.documents > 0 {
		rows, err := tables.JSONRows(evidenceDocumentColumns, e.documents)
		if err != nil {
			return nil, err
		}
		facts = append(facts, tables.Fact{Key: "occurs_in", Value: rows})
	}
	if f.kwic > 0 {
		rows, err := tables.JSONRows(evidenceLineColumns, e.lines)
		if err != nil {
			return nil, err
		}
		facts = append(facts, tables.Fact{Key: "lines", Value: rows})
	}
	return facts, nil
}

// printEvidence prints the evidence for people, or as the one table of lines.
func (o *outputs) printEvidence(f *evidenceFlags, e *termEvidence, s tables.Style) error {
	between := func() {
		if s.People() {
			fmt.Fprintln(o.stdout)
		}
	}
	if f.documents > 0 {
		between()
		if err := tables.New(o.stdout, s, evidenceDocumentColumns).AddAll(e.documents); err != nil {
			return err
		}
	}
	if f.kwic > 0 {
		between()
		return tables.New(o.stdout, s, evidenceLineColumns).AddAll(e.lines)
	}
	return nil
}

const (
	evidenceKeys      = 10 // of either sign
	evidenceDocuments = 5
	evidenceLines     = 10
)

// A keynessText is the raw text of one of the corpora.
type keynessText struct {
	path   string
	filter *corpus.Query
}

// keynessEvidence returns the evidence of the best keys.
func (f *keynessFlags) keynessEvidence(c *cobra.Command, comparison *keyness.Comparison, sides *keynessSides) (all []report.Evidence, err error) {
	for i, side := range []struct {
		counted rank.Counted
		keys    []keyness.Key
	}{{sides.target, comparison.Positive}, {sides.reference, comparison.Negative}} {
		from, ok := side.counted.(*corpus.Corpus)
		if !ok {
			continue // statistics have neither documents nor lines
		}
		var terms []string
		for _, key := range side.keys[:min(len(side.keys), evidenceKeys)] {
			terms = append(terms, key.Term)
		}
		if len(terms) == 0 {
			continue
		}
		documents, err := evidence.Documents(c.Context(), from, evidenceDocuments, terms...)
		if err != nil {
			return nil, err
		}
		lines, err := f.keynessLines(c, from, sides.texts[i], terms)
		if err != nil {
			return nil, err
		}
		for j, term := range terms {
			all = append(all, termEvidence{documents[j], lines[j]}.onPage(sides.names[i], term))
		}
	}
	return all, nil
}

// keynessLines returns lines of the terms of a corpus, none of those whose text cannot be
// read again.
func (f *keynessFlags) keynessLines(c *cobra.Command, of *corpus.Corpus, text keynessText, terms []string) ([][]evidence.Line, error) {
	if f.kind(text.path) == indexFile || !reader.ReadableTwice(text.path) {
		return make([][]evidence.Line, len(terms)), nil
	}
	from := textOf{paths: []string{text.path}, filter: text.filter, provenance: of.Provenance()}
	return f.lines(c.Context(), from, evidence.LineOptions{Most: evidenceLines}, terms...)
}

// onPage returns the evidence of a term for the page.
func (e termEvidence) onPage(side, term string) report.Evidence {
	on := report.Evidence{Term: term}
	for _, d := range e.documents {
		on.Documents = append(on.Documents, report.EvidenceDocument{Side: side, ID: d.ID, Labels: strings.Join(d.Labels, ", "), TF: int(d.TF), Length: int(d.Length)})
	}
	for _, l := range e.lines {
		on.Lines = append(on.Lines, report.ContextLine{Side: side, ID: l.ID, Left: l.Left, Match: l.Match, Right: l.Right})
	}
	return on
}
