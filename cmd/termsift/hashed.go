package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
)

// This file says what is lost where terms are hashed, and finds the names of selected columns.

// noteCollisions says about how many terms share their columns, if terms were hashed.
func (tk *talk) noteCollisions(d *analysis.Distinct, hashBits int) {
	if d == nil || hashBits == 0 {
		return
	}
	c := d.Collisions(hashBits)
	terms := fmt.Sprintf("%.0f distinct terms", c.Terms)
	if c.TermsError > 0 {
		terms = fmt.Sprintf("about %s (± %.0f)", terms, c.TermsError)
	}
	tk.note("%s in about %.0f of 2^%d columns: %.1f %% of the terms (± %.1f) share a column, %.1f %% of these columns (± %.1f) have several terms",
		terms, c.Columns, hashBits, 100*c.SharedTerms, 100*c.SharedTermsError, 100*c.SharedColumns, 100*c.SharedColumnsError)
}

// withNames returns a selection of columns with their terms, for which raw inputs are read once more. One of
// terms stays as it is, and so does one whose input cannot be read again.
func (f *inputFlags) withNames(ctx context.Context, paths []string, s *selection.Selection) (*selection.Selection, error) {
	if s.Provenance.Analysis.HashBits == 0 {
		return s, nil
	}
	if f.reference != "" && !slices.Contains(paths, f.reference) {
		paths = append(slices.Clone(paths), f.reference)
	}
	for _, path := range paths {
		switch {
		case f.kind(path) != otherFile:
			f.note("the columns have no names, for %s has no texts: select from the texts, which are read once more for the names", path)
			return s, nil
		case !reader.ReadableTwice(path):
			f.note("the columns have no names, for %s is a pipe, and texts are read once more for the names: save them to a file", path)
			return s, nil
		}
	}
	source, err := f.source(ctx, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	names, err := ingest.NameColumns(ctx, f.watchBatches(source), s.Provenance.Analysis, f.threads, selection.MostNames, s.Terms())
	if err := explained(source, err); err != nil {
		return nil, err
	}
	took := time.Since(start)
	read := source.Summary()
	f.note("names of %d columns: %d terms, %.1f MB read once more at %.0f MB/s in %.2f s", len(s.Features), names.Terms, float64(read.Bytes)/1e6, float64(read.Bytes)/1e6/max(took.Seconds(), 1e-9), took.Seconds())
	if names.LeftOut > 0 {
		f.note("of each column the %d most frequent terms are kept; %d others are left out", selection.MostNames, names.LeftOut)
	}
	return s.WithNames(names.Of), nil
}

// hasNoLines reports whether the terms of a corpus are columns of hashes, which no line of text has.
func hasNoLines(c *corpus.Corpus) bool { return c.Provenance().Analysis.HashBits > 0 }
