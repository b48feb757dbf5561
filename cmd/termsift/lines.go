package main

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads raw text for lines of context.

// kwicSeed is the seed of the lines where no flag names one.
const kwicSeed = 1

// A textOf is raw text whose documents a corpus has.
type textOf struct {
	paths      []string
	filter     *corpus.Query // nil for all documents
	provenance corpus.Provenance
	check      bool                 // whether it is the text of the provenance
	only       *evidence.Candidates // the documents that are looked at; nil for all
}

// lines reads raw text for lines around terms, in one pass for all of them. If the text is to be checked and is
// another than that of the provenance, the error is a [usage.ErrContradiction].
func (in *inputFlags) lines(ctx context.Context, text textOf, o evidence.LineOptions, terms ...string) (lines [][]evidence.Line, err error) {
	found, err := in.concordance(ctx, text, o, evidence.OfTerms(terms...)...)
	if err != nil {
		return nil, err
	}
	for _, of := range found.Of {
		lines = append(lines, of.Lines)
	}
	return lines, nil
}

// concordance is lines for any searches.
func (in *inputFlags) concordance(ctx context.Context, text textOf, o evidence.LineOptions, searches ...evidence.Search) (*evidence.Concordance, error) {
	source, err := in.source(ctx, text.paths)
	if err != nil {
		return nil, err
	}
	batches, hash := in.watchBatches(source), func() string { return text.provenance.InputHash }
	if text.check {
		batches, hash = ingest.Hashed(batches)
	}
	chosen := newSieve(text.filter)
	batches = chosen.of(batches)
	if text.only != nil && !text.only.Any {
		batches = text.only.Of(batches)
	}
	o.Threads = in.threads
	found, err := evidence.Lines(ctx, batches, text.provenance.Analysis, o, searches...)
	if err != nil {
		return nil, err
	}
	if err := source.Check(); err != nil {
		return nil, err
	}
	return found, text.hasHash(hash())
}

// hasHash returns a [usage.ErrContradiction] unless the documents of the provenance have this hash.
func (t *textOf) hasHash(hash string) error {
	if want := t.provenance.InputHash; hash != want {
		return fmt.Errorf("%s is not the text of the index: %w: the hash of its documents is %s, that of the index %s; "+
			"read it with the flags (--split, --labels and the like) that the index was built with", t.paths[0], usage.ErrContradiction, hash, want)
	}
	return nil
}

var evidenceLineColumns = []tables.Column[evidence.Line]{
	{Key: "left", Value: func(l evidence.Line) any { return l.Left }},
	{Key: "match", Left: true, Value: func(l evidence.Line) any { return l.Match }},
	{Key: "right", Left: true, Value: func(l evidence.Line) any { return l.Right }},
	{Key: "id", Head: "document", Left: true, Value: func(l evidence.Line) any { return l.ID }},
}
