package store

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file verifies the optional contents of a file (file_stored.go).

// checkStored verifies the lengths of the optional sections.
func (x *Index) checkStored() error {
	s, postings := &x.stored, x.NumPostings()
	if s.hasForward() && (len(s.forward.start) != x.Documents()+1 || len(s.forward.terms) != postings) || !s.hasForward() && len(s.forward.terms) > 0 {
		return broken("forward-starts", 0, ErrFormat, "%d starts of %d terms for %d documents with %d postings",
			len(s.forward.start), len(s.forward.terms), x.Documents(), postings)
	}
	if err := x.checkCellLengths(); err != nil {
		return err
	}
	if s.weighting == "" && len(s.weights) > 0 || s.weighting != "" && len(s.weights) != postings {
		return broken("weights", 0, ErrFormat, "%d weights for %d postings", len(s.weights), postings)
	}
	if _, err := table.ParseWeighting(s.weighting); err != nil {
		return broken("meta", 0, ErrFormat, "%v", err)
	}
	return nil
}

// checkAllStored verifies the contents of all optional sections, and that every term
// has as many documents in the forward view as in its list.
func (x *Index) checkAllStored() error {
	if x.stored.hasForward() {
		if err := x.checkForwardWhole(); err != nil {
			return err
		}
	}
	if x.stored.cells.present {
		if err := x.checkStoredCells(); err != nil {
			return err
		}
	}
	if x.stored.weighting != "" {
		return x.checkWeights(pool.Range{To: x.Terms.Len()})
	}
	return nil
}

// startsAscend reports whether starts ascend from 0 to end.
func startsAscend(starts []uint64, end int) bool {
	if starts[0] != 0 || starts[len(starts)-1] != uint64(end) {
		return false
	}
	for i := 1; i < len(starts); i++ {
		if starts[i] < starts[i-1] {
			return false
		}
	}
	return true
}

func (x *Index) checkForwardStarts() error {
	if err := x.file.verifyWhole(forwardStarts); err != nil {
		return err
	}
	if !startsAscend(x.stored.forward.start, x.NumPostings()) {
		return broken("forward-starts", 0, ErrFormat, "starts do not ascend to %d", x.NumPostings())
	}
	return nil
}

// checkForward verifies the terms of documents, whose starts have been verified.
func (x *Index) checkForward(docs pool.Range) error {
	f := &x.stored.forward
	if err := x.file.verify(forwardTerms, int(4*f.start[docs.From]), int(4*f.start[docs.To])); err != nil {
		return err
	}
	for d := docs.From; d < docs.To; d++ {
		if !ascendingBelow(f.Terms(d), x.Terms.Len()) {
			return broken("forward-terms", int(4*f.start[d]), ErrFormat, "the terms of document %d are not ascending or out of range", d)
		}
	}
	return nil
}

func (x *Index) checkForwardWhole() error {
	if err := x.checkForwardStarts(); err != nil {
		return err
	}
	if err := x.checkForward(pool.Range{To: x.Documents()}); err != nil {
		return err
	}
	df := make([]uint32, x.Terms.Len())
	for _, t := range x.stored.forward.terms {
		df[t]++
	}
	for t, n := range df {
		if n != x.df[t] {
			return broken("forward-terms", 0, ErrFormat, "term %d is in %d documents, not %d", t, n, x.df[t])
		}
	}
	return nil
}

// checkCellLengths verifies the lengths of the sections of cells. Those of version 2 had
// another form and are not read: cells are counted anew.
func (x *Index) checkCellLengths() error {
	c := &x.stored.cells
	if x.file.version == oldVersion {
		c.present = false
		return nil
	}
	terms, n := 0, len(c.docs)
	if c.present {
		terms = x.storedTerms()
	}
	perTerm, perCell := 2, 1 // bytes of cell-terms, of cell-squares
	switch c.form {
	case centredCells:
		perTerm, perCell = 3, 3
	case wideCells:
		perCell = 2
	}
	if len(c.terms) != perTerm*terms || len(c.classes) != n*classWidth(len(x.Classes)) || len(c.sums) != n || len(c.squares) != perCell*n ||
		!c.present && (n+len(c.escapes) > 0 || c.form != plainCells) {
		return broken("cell-terms", 0, ErrFormat, "%d bytes for %d terms with %d cells", len(c.terms), terms, n)
	}
	centring := x.centring()
	switch {
	case c.form == centredCells && (!centring || !c.rounded && !x.Real()):
		return broken("header", 24, ErrFormat, "the cells of counts have the form of those of real values")
	case c.form == wideCells && (!centring || x.Real()):
		return broken("header", 24, ErrFormat, "the cells have the form of those of large counts")
	}
	return nil
}

// isSum reports whether v can be a sum of frequencies.
func isSum(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }

// checkWeights verifies the weights of terms.
func (x *Index) checkWeights(terms pool.Range) error {
	from, to := int(x.start[terms.From]), int(x.start[terms.To])
	if err := x.file.verify(weightSection, 4*from, 4*to); err != nil {
		return err
	}
	for i, v := range x.stored.weights[from:to] {
		if isNotFinite(v) {
			return broken("weights", 4*(from+i), ErrFormat, "a weight of %v", v)
		}
	}
	return nil
}

// checkStoredCells verifies the cells of the file: they must be those of its postings.
func (x *Index) checkStoredCells() error {
	stored, err := x.storedStatistics(context.Background())
	if err != nil {
		return err
	}
	counted, err := x.count(context.Background(), CountOptions{})
	if err != nil {
		return err
	}
	if form := x.stored.cells.form; x.stored.cells.rounded || form == plainCells && formOf(&counted.Cells) != plainCells {
		return x.checkOlder(stored, counted)
	}
	if t := stored.FirstDifference(&counted.Cells); t >= 0 {
		return broken("cell-terms", 2*t, ErrFormat, "the cells of term %d are not those of its postings", t)
	}
	if !slices.Equal(x.newStoredCells(&counted.Cells).escapes, x.stored.cells.escapes) {
		return broken("cell-escapes", 0, ErrFormat, "a number that fits into its byte") // an index has exactly one file
	}
	return nil
}

// checkOlder is the end of checkStoredCells for a file of an older program, which has nothing beside
// the sums of its cells, or what nobody reads.
func (x *Index) checkOlder(stored, counted *table.Table) error {
	for _, s := range []*table.Table{stored, counted} {
		s.Centred, s.LowQ = nil, nil
	}
	if !x.Real() {
		stored.Q = counted.Q // of counts, whose squares were rounded
	}
	if t := stored.FirstDifference(&counted.Cells); t >= 0 {
		return broken("cell-terms", 2*t, ErrFormat, "the cells of term %d are not those of its postings", t)
	}
	return nil
}
