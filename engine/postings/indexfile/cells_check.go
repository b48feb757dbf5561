package indexfile

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file verifies stored cells, and adds up their tokens.

// addStoredTokens sets the tokens of s, and verifies its cells while they are in the cache.
func (x *indexFile) addStoredTokens(ctx context.Context, s *table.Table) error {
	bounds, err := boundsOf(x.Index, s)
	if err != nil {
		return err
	}
	if s.Cells.Form == table.Counts {
		return addCounts(ctx, s, bounds)
	}
	return x.addSums(ctx, s, bounds)
}

// addSums is addStoredTokens for real values and large counts, whose sums are added in a certain
// order.
func (x *indexFile) addSums(ctx context.Context, s *table.Table, bounds *table.Bounds) error {
	sums := postings.NewTokenSums(len(s.ClassNames))
	for _, chunk := range x.Chunks() {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		err := sums.Add(&s.Cells, chunk.From, chunk.To, func(t *table.Tile) error { return checkTile(bounds, t) })
		if err != nil {
			return err
		}
	}
	s.Cells.Tokens, s.Cells.ClassTokens = sums.Total, sums.ByClass
	return nil
}

// addCounts is addStoredTokens for counts, whose sums are exact in any order.
func addCounts(ctx context.Context, s *table.Table, bounds *table.Bounds) error {
	c := &s.Cells
	c.Tokens, c.ClassTokens = 0, make([]float64, len(s.ClassNames))
	for from := 0; from < c.Terms(); from += checkedTerms {
		to := min(from+checkedTerms, c.Terms())
		if err := verifyCounts(ctx, c, bounds, from, to); err != nil {
			return err
		}
		c.Tokens += c.AddTokens(c.ClassTokens, from, to)
	}
	return nil
}

// checkedTerms is how many terms have their cells verified at a time.
const checkedTerms = 4096

// verifyCounts returns an error for terms [from, to) whose cells are no possible counts.
func verifyCounts(ctx context.Context, c *table.Cells, bounds *table.Bounds, from, to int) error {
	if ctx.Err() != nil {
		return usage.Cause(ctx)
	}
	for _, column := range []*table.Column{&c.CF, &c.A, &c.S, &c.Q} {
		if !column.Whole() || column.Wrong() {
			return files.Broken("cell-escapes", 0, files.ErrFormat, "a sum of counts is not a whole number from 0 on")
		}
	}
	if t, err := bounds.CheckTerms(c, from, to, false); err != nil {
		return brokenCells(t, err)
	}
	return nil
}

// boundsOf returns what the labels of the documents say of cells in a file. Its tokens are those that
// the cells add up to.
func boundsOf(x *postings.Index, s *table.Table) (*table.Bounds, error) {
	m := table.Margins{Documents: s.Cells.Documents, Labelled: s.Cells.Labelled, ClassDocs: s.Cells.ClassDocs}
	b, err := table.NewBounds(&m, x.Form())
	if err != nil {
		return nil, files.Broken("labels", 0, files.ErrFormat, "%v", err)
	}
	return b, nil
}

// checkTile verifies cells of a file.
func checkTile(bounds *table.Bounds, tile *table.Tile) error {
	if !tile.Sums() {
		return files.Broken("cell-escapes", 0, files.ErrFormat, "a sum is not a finite number from 0 on")
	}
	for i, df := range tile.DF {
		from, to := tile.Range(i)
		if err := bounds.Check(float64(df), tile.CF[i], tile.Class[from:to], tile.A[from:to], tile.S[from:to], tile.M2[from:to]); err != nil {
			return brokenCells(tile.First+i, err)
		}
	}
	return nil
}

// brokenCells returns the error for the cells of a term that contradict the margins.
func brokenCells(t int, err error) error {
	return files.Broken("cell-docs", 0, files.ErrFormat, "the cells of term %d: %v", t, err)
}

// checkCellLengths verifies the lengths of the sections of cells.
func (x *indexFile) checkCellLengths() error {
	c := &x.cells
	terms, n := 0, len(c.docs)
	if c.present {
		terms = storedTerms(x.Index)
	}
	if len(c.terms) != 2*terms || len(c.classes) != n*table.ClassWidth(len(x.Classes)) || len(c.sums) != n || len(c.squares) != n ||
		!c.present && n+len(c.escapes) > 0 {
		return files.Broken("cell-terms", 0, files.ErrFormat, "%d bytes for %d terms with %d cells", len(c.terms), terms, n)
	}
	if x.body.features != featuresOf(c.form) {
		return files.Broken("header", 24, files.ErrFormat, "the cells have another form than those of its postings")
	}
	return nil
}

// checkStoredCells verifies the cells of the file: they must be those of its postings.
func (x *indexFile) checkStoredCells() error {
	stored, err := x.storedTable(context.Background())
	if err != nil {
		return err
	}
	counted, err := x.CountLists(context.Background(), postings.CountOptions{})
	if err != nil {
		return err
	}
	if t := stored.Cells.FirstDifference(&counted.Cells); t >= 0 {
		return files.Broken("cell-terms", 2*t, files.ErrFormat, "the cells of term %d are not those of its postings", t)
	}
	if !slices.Equal(newStoredCells(x.Index, &counted.Cells).escapes, x.cells.escapes) {
		return files.Broken("cell-escapes", 0, files.ErrFormat, "a number that fits into its byte") // an index has exactly one file
	}
	return nil
}
