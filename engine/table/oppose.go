package table

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/usage"
)

// Oppose returns the counts of the documents of two tables, with a class for each table in place of
// their own. squares reports whether the sums of squares are known: they are not where a document has
// several classes or none, and no measure that reads them may be taken then. The tables must be
// [Comparable], and hold counts.
func Oppose(target, reference *Table, names [2]string) (opposed *Table, squares bool, err error) {
	if err := Comparable(target, reference); err != nil {
		return nil, false, err
	}
	a, b := target.asClass(names[0]), reference.asClass(names[1])
	opposed, err = AddCounts(a, b)
	if err != nil {
		return nil, false, err
	}
	p := target.provenance
	p.Reference, p.Target = &reference.provenance, "" // the sides take the place of labels
	opposed.SetProvenance(p)
	return opposed, target.Cells.oneClassEach() && reference.Cells.oneClassEach(), nil
}

// asClass returns the counts of a table with one class, which all its documents have. Unless each document
// has one class in t, its sums of squares are the least that its counts can have.
func (t *Table) asClass(name string) *Table {
	c := &t.Cells
	one := &Table{ClassNames: []string{name}, Names: t.Names}
	one.Cells.Margins = Margins{
		Documents: c.Documents, Labelled: c.Documents, Tokens: c.Tokens, ClassDocs: []float64{c.Documents}, ClassTokens: []float64{c.Tokens},
	}
	one.Cells.Reserve(c.Terms(), c.Terms())
	one.Cells.Start = one.Cells.Start[:0]
	var tile Tile
	known := c.oneClassEach()
	c.Tiles(&tile, 0, c.Terms(), true, func(tile *Tile) {
		for i, df := range tile.DF {
			squares, cf := leastSquares(float64(df), tile.CF[i]), tile.CF[i]
			if known {
				squares = 0
				from, to := tile.Range(i)
				for _, q := range tile.Q[from:to] {
					squares += q
				}
			}
			one.Cells.Append(0, float64(df), cf, squares)
			one.Cells.EndTerm(float64(df), cf)
		}
	})
	return one
}

// leastSquares returns the least sum of squares of n whole numbers whose sum is given: they differ by 1 at
// most.
func leastSquares(n, sum float64) float64 {
	each := math.Floor(sum / n)
	more := sum - float64(n*each)
	return float64(more*float64((each+1)*(each+1))) + float64((n-more)*float64(each*each))
}

// Comparable returns an error unless the terms of two tables can be
// compared: a [DifferenceError] if they were analysed in different ways, one that
// wraps [ErrPruned] if the terms of one are bounded by document frequency, or
// [ErrRareLeftOut] if its shards left out their rare terms.
func Comparable(target, reference *Table) error {
	if target == nil || reference == nil {
		return usage.Errorf("nil statistics were given")
	}
	if err := SameAnalysis(target.provenance.Analysis, reference.provenance.Analysis); err != nil {
		return err
	}
	if a, b := &target.provenance, &reference.provenance; a.Segment != b.Segment {
		return differentSegments(a, b)
	}
	if err := target.Whole("target"); err != nil {
		return err
	}
	return reference.Whole("reference")
}

// Whole returns an error unless t has all terms of its documents. It calls the table by a name.
func (t *Table) Whole(name string) error {
	switch {
	case t.Pruned:
		return fmt.Errorf("the %s: %w; count it without bounds", name, ErrPruned)
	case t.Missing > 0:
		return fmt.Errorf("the %s: %w cannot be compared: a term that one side left out would count as absent there; count it without --local-min-df",
			name, ErrRareLeftOut)
	}
	return nil
}
