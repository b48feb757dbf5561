package score

import (
	"github.com/termsift/termsift/engine/table"
)

// This family counts: documents, occurrences, and the share of the documents with a term that a class has.

func countMeasures() []*definition {
	return []*definition{documentFrequency(), collectionFrequency(), diaFactor()}
}

func documentFrequency() *definition {
	return total("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997",
		"A", "df", func(t *table.Tile, i int) float64 { return float64(t.DF[i]) }).tells("Counts",
		"in how many documents is it?", "0 to N",
		"function words come first; class plays no part in the total", "yang1997")
}

func collectionFrequency() *definition {
	d := total("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13",
		"S", "cf", func(t *table.Tile, i int) float64 { return t.CF[i] })
	d.UsesTokens = true
	return d.tells("Counts",
		"how often is it used?", "0 to T",
		"one long document is enough", "manning2008")
}

func diaFactor() *definition {
	return define("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991", "A/df").tells("Share of the class",
		"what share of its documents is in the class?", "0 to 1",
		"1 for every term of a single document; large classes win", "fuhr1991")
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
