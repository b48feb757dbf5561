package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
)

// This file collects the documents and lines of a page of terms.

// exploreEvidence are the flags that say how much evidence a page has.
type exploreEvidence struct {
	terms, lines int
}

func (e *exploreEvidence) flags() []flags.Flag {
	return flags.Like(flags.Flag{Group: flags.GroupOutput, Applies: flags.OfDocuments}, []flags.Flag{
		{Name: "evidence", To: &e.terms, Default: 500, NotNegative: true, Most: mostEvidence, Help: "documents and lines of context of the K best terms"},
		{Name: "lines", To: &e.lines, Default: 10, NotNegative: true, Most: mostLines, More: true, Help: "lines of each term"},
	})
}

const (
	mostEvidence     = 20_000
	mostLines        = 1000
	exploreDocuments = 5 // of a term
)

// checkEvidence returns an error for a --text that is none of an index.
func (f *exploreFlags) checkEvidence(c *cobra.Command, args []string) error {
	switch {
	case f.text == "":
		return nil
	case len(args) == 2:
		return usageError("--text names the text of one index, and there are two inputs: name the texts as inputs")
	case !reader.ReadableTwice(f.text):
		return usageError("--text reads %s after counting: name a file or a folder", f.text)
	}
	return f.checkText(c, args, "a page has lines of text")
}

// evidenceOf returns the evidence of the best terms.
func (f *exploreFlags) evidenceOf(ctx context.Context, x *explored, t *exploredTerms) ([]report.Evidence, error) {
	best := t.best[:min(len(t.best), f.evidence.terms)]
	terms := make([]string, len(best))
	all := make([]report.Evidence, len(best))
	for i, term := range best {
		terms[i] = x.Names.Term(term)
		all[i].Term = terms[i]
	}
	if len(terms) == 0 {
		return nil, nil
	}
	found := false
	for _, side := range x.sides {
		from, ok := side.counted.(*corpus.Corpus)
		if !ok {
			continue
		}
		found = true
		documents, err := evidence.Documents(ctx, from, exploreDocuments, terms...)
		if err != nil {
			return nil, err
		}
		lines, err := f.linesOf(ctx, side, from, terms)
		if err != nil {
			return nil, err
		}
		name := ""
		if x.opposed {
			name = side.name
		}
		for i, term := range terms {
			e := termEvidence{documents[i], lines[i]}.onPage(name, term)
			all[i].Documents, all[i].Lines = append(all[i].Documents, e.Documents...), append(all[i].Lines, e.Lines...)
		}
	}
	if !found {
		return nil, nil
	}
	return all, nil
}

// onPage returns the evidence of a term for a page. side is the name of its corpus.
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

// linesOf returns the lines of terms in the text of a side, if that can be read.
func (f *exploreFlags) linesOf(ctx context.Context, side keynessSide, from *corpus.Corpus, terms []string) ([][]evidence.Line, error) {
	text := textOf{paths: []string{side.path}, filter: side.filter, provenance: from.Provenance()}
	switch isIndex := f.kind(side.path) == indexFile; {
	case f.evidence.lines == 0, from.Provenance().Analysis.HashBits > 0, isIndex && f.text == "", !isIndex && !reader.ReadableTwice(side.path):
		return make([][]evidence.Line, len(terms)), nil
	case isIndex:
		text.paths, text.of = []string{f.text}, from.Documents()
	}
	return f.lines(ctx, text, evidence.LineOptions{Most: f.evidence.lines}, terms...)
}
