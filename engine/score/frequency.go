package score

import (
	"github.com/termsift/termsift/engine/table"
)

// This family counts: documents, occurrences, and the share of the documents with a term that a class has.

func documentFrequency() *definition {
	return total("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997",
		"A", "df", func(t *table.Tile, i int) float64 { return float64(t.DF[i]) })
}

func collectionFrequency() *definition {
	d := total("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13",
		"S", "cf", func(t *table.Tile, i int) float64 { return t.CF[i] })
	d.UsesTokens = true
	return d
}

func diaFactor() *definition {
	return define("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991", "A/df")
}

// total is a measure whose own value is a column of the tile, and whose class values are the
// counts themselves.
func total(name, title, text, source, class, own string, column func(t *table.Tile, i int) float64) *definition {
	d := define(name, title, text, source, class)
	d.Default, d.own = "total", own
	d.whole = func(_ *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			dst[i] = column(t, i)
		}
	}
	return d
}
