package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/docquery"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
)

// This file collects the evidence of the page of key words: the documents and lines of
// the best keys, each from the corpus that uses it more.

const (
	evidenceKeys      = 10 // of either sign
	evidenceDocuments = 5
	evidenceLines     = 10
)

// A keynessText is the raw text of one of the corpora.
type keynessText struct {
	path   string
	filter *docquery.Query
}

// readable reports whether the text can be read again: an index has none.
func (f *keynessFlags) readable(t keynessText) (bool, error) {
	kind, err := f.kind(t.path)
	return kind != indexFile && reader.ReadableTwice(t.path), err
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
	readable, err := f.readable(text)
	if err != nil || !readable {
		return make([][]evidence.Line, len(terms)), err
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
