package score

import (
	"github.com/termsift/termsift/engine/table"
)

// pair is a standard measure: its class values, and what the panel may know about them.
// The formulas themselves are in standard.go.
type pair struct {
	name   string
	tokens bool // of the table counted in tokens
	value  func(t *counts) float64
	absent role // of its maximum
	// negative says that the value of a class without the term is not above 0.
	negative bool
	pooled   bool // also of the variance of the term
	columnForms

	// A measure with a value of its own over all classes has one of these: the sum over the
	// cells of part, which finish completes, or the values of a tile. parts is part of all
	// cells of a term.
	part   func(t *counts) float64
	parts  column
	finish func(sum float64) float64
	whole  tileFunc
	bytes  bool // whole takes tiles of bytes

	between bool // of the variance between the means of classes too
	// largest is a faster way to the maximum over all classes; or nil.
	largest tileFunc
	// deviation says how the measure depends on deviations, if it does, of counts whose
	// products are exact; or nil. It is another way to the maximum.
	deviation *deviation
}

// columnForms compute the values of all cells of a term, or lead to the largest one. A measure
// has one of them, or none.
type columnForms struct {
	values column                  // to the bit
	order  column                  // cheaper, and in the order of the values
	bound  func(c *columns) bounds // cheaper, and not below the values
}

// A standardMeasure is one of those that the package defines.
type standardMeasure interface{ form() pair }

func (m pair) Name() string { return m.name }

func (m pair) Class(t *Table) float64 {
	c := t.counts(m.tokens)
	return m.value(&c)
}

func (m pair) form() pair { return m }

// totals is the whole of a measure that is a column of the tile.
func totals(column func(t *table.Tile, i int) float64) tileFunc {
	return func(_ *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			dst[i] = column(t, i)
		}
	}
}
