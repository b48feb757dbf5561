package score

import (
	"github.com/termsift/termsift/engine/table"
)

// This family counts: documents, occurrences, and the share of the documents with a term that a class has.

func documentFrequency() *definition {
	return total("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997",
		declaration{"A", "df"}, func(t *table.Tile, i int) float64 { return float64(t.DF[i]) })
}

func collectionFrequency() *definition {
	d := total("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13",
		declaration{"S", "cf"}, func(t *table.Tile, i int) float64 { return t.CF[i] })
	d.UsesTokens = true
	return d
}

func diaFactor() *definition {
	d := define("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991",
		func(t *counts) float64 { return ratio(t.a, t.term.df) })
	d.order, d.declared.class = counted, "A/df"
	return d
}

// total is a measure whose own value is a column of the tile, and whose class values are the
// counts themselves.
func total(name, title, formula, source string, declared declaration, column func(t *table.Tile, i int) float64) *definition {
	d := define(name, title, formula, source, func(t *counts) float64 { return t.a })
	d.Default, d.declared = "total", declared
	d.whole = func(_ *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			dst[i] = column(t, i)
		}
	}
	return d
}

// counted are the documents or occurrences themselves.
func counted(c *columns) []float64 { return c.a }
