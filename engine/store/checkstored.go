package store

import (
	"math"

	"github.com/termsift/termsift/engine/pool"
)

// This file verifies what a file may hold beside an index (stored.go).

// checkStored verifies the lengths of the sections.
func (x *Index) checkStored() error {
	s, terms, postings := &x.stored, x.Terms.Len(), x.NumPostings()
	if s.hasForward() && (len(s.forward.start) != x.Documents()+1 || len(s.forward.terms) != postings) || !s.hasForward() && len(s.forward.terms) > 0 {
		return broken("forward-starts", 0, ErrFormat, "%d starts of %d terms for %d documents with %d postings",
			len(s.forward.start), len(s.forward.terms), x.Documents(), postings)
	}
	cells := len(s.cellClass)
	if s.hasCells() && len(s.cellStart) != terms+1 || len(s.tokens) != max(len(s.cellStart), 1)-1 ||
		len(s.cellDocs) != cells || len(s.cellSum) != cells || len(s.cellSquare) != cells || !s.hasCells() && cells > 0 {
		return broken("cell-starts", 0, ErrFormat, "%d starts of %d cells for %d terms", len(s.cellStart), cells, terms)
	}
	if s.weighting == "" && len(s.weights) > 0 || s.weighting != "" && len(s.weights) != postings {
		return broken("weights", 0, ErrFormat, "%d weights for %d postings", len(s.weights), postings)
	}
	if _, err := ParseWeighting(string(s.weighting)); err != nil {
		return broken("meta", 0, ErrFormat, "%v", err)
	}
	return nil
}

// checkAllStored verifies all sections, and that every term is in as many documents
// of the forward view as in its list.
func (x *Index) checkAllStored() error {
	if x.stored.hasForward() {
		if err := x.checkForwardWhole(); err != nil {
			return err
		}
	}
	if x.stored.hasCells() {
		if err := x.checkCellStarts(); err != nil {
			return err
		}
		if err := x.checkCells(pool.Range{To: x.Terms.Len()}); err != nil {
			return err
		}
	}
	if x.stored.weighting != "" {
		return x.checkWeights(pool.Range{To: x.Terms.Len()})
	}
	return nil
}

// startsAscend says that starts go from 0 to end.
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

// checkForward verifies the terms of documents whose starts are right.
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

func (x *Index) checkCellStarts() error {
	if err := x.file.verifyWhole(cellStarts); err != nil {
		return err
	}
	if cells := len(x.stored.cellClass); !startsAscend(x.stored.cellStart, cells) {
		return broken("cell-starts", 0, ErrFormat, "starts do not ascend to %d", cells)
	}
	return nil
}

// checkCells verifies the cells of terms whose starts are right.
func (x *Index) checkCells(terms pool.Range) error {
	s := &x.stored
	from, to := int(s.cellStart[terms.From]), int(s.cellStart[terms.To])
	for _, kind := range []sectionKind{cellClasses, cellDocs, cellSums, cellSquares} {
		size := sectionElements[kind]
		if err := x.file.verify(kind, size*from, size*to); err != nil {
			return err
		}
	}
	if err := x.file.verify(termTokens, 8*terms.From, 8*terms.To); err != nil {
		return err
	}
	for t := terms.From; t < terms.To; t++ {
		if err := x.checkTermCells(t); err != nil {
			return err
		}
	}
	return nil
}

// checkTermCells holds the cells of a term against its df: each class has some of its
// documents, and where they have one class each, all classes no more of them.
func (x *Index) checkTermCells(t int) error {
	s, df := &x.stored, uint64(x.df[t])
	if !isSum(s.tokens[t]) {
		return broken("term-tokens", 8*t, ErrFormat, "%v tokens", s.tokens[t])
	}
	from, to := s.cellStart[t], s.cellStart[t+1]
	if !ascendingBelow(s.cellClass[from:to], len(x.Classes)) {
		return broken("cell-classes", int(4*from), ErrFormat, "the classes of term %d are not ascending or out of range", t)
	}
	docs := uint64(0)
	for i := from; i < to; i++ {
		n := uint64(s.cellDocs[i])
		if docs += n; n == 0 || n > df || !x.multi && docs > df {
			return broken("cell-docs", int(4*i), ErrFormat, "%d documents of a class have term %d, which is in %d", n, t, df)
		}
		if !isSum(s.cellSum[i]) || !isSum(s.cellSquare[i]) {
			return broken("cell-sums", int(8*i), ErrFormat, "%v tokens with squares of %v", s.cellSum[i], s.cellSquare[i])
		}
	}
	return nil
}

// isSum says that a number can be the sum of some frequencies.
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
