package score

import (
	"sync"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

// A definition declares a standard measure. Those of a family are in a file of their own.
type definition struct {
	Info

	// class is the formula of a class, "" if there are no class values, and own that over all classes, see
	// [formula.ParseOverClasses]. Of the measure whose own value is a sum over the classes, sum is what is added up.
	class, own, sum string
	program         func() *formula.Program // of class, compiled when it is first asked for
	// positive leaves classes the value -Inf that do not have more of the term, see [Positive].
	positive bool
	// negative says that the value of a class without the term is not above 0.
	negative bool
	// presentOnly says that sums leave out the classes without the term, whose value is infinite or 0.
	presentOnly bool

	// Measures that formulas compute too slowly, or not exactly, have functions of the same values:
	value     func(t *Table) float64 // of a class
	whole     tileFunc               // over all classes
	largest   tileFunc               // the largest of a class
	deviation *deviation             // likewise, from deviations of counts whose products are exact

	// What the functions read beside the counts.
	pooled  bool // the variance of the term within classes
	tables  bool // the table of n ln n
	squares bool // sums of squares of the values of a term
	across  bool // the occurrences of the term in all classes
}

// define declares a measure of documents by the formula of a class.
func define(name, title, text, source, class string) *definition {
	return &definition{
		Info: Info{
			Description: Description{Name: name, Formula: text, Kind: OfClasses}, Title: title, Source: source, Default: Max, Combinable: true,
		},
		class: class, program: sync.OnceValue(func() *formula.Program { return compiled(class) }),
	}
}

// tells declares what people are told of a measure: the question that it answers, its range, when it misleads, and the keys
// of its sources in the bibliography.
func (d *definition) tells(question, values, misleads string, sources ...string) *definition {
	d.Question, d.Range, d.Misleads, d.Sources = question, values, misleads, sources
	return d
}

// ofTokens declares that the value depends on occurrences.
func (d *definition) ofTokens() *definition {
	d.UsesTokens = true
	return d
}

// sparse declares that the value of a class without the term is not above 0: the best terms of a class are among its cells.
func (d *definition) sparse() *definition {
	d.negative = true
	return d
}

// summed declares that the value of a measure over all classes is the sum of a formula over those with the term; the
// others add 0.
func (d *definition) summed(class string) *definition {
	d.Default, d.own, d.sum = "global", "sum("+class+")", class
	return d
}

// Name returns the name of the measure.
func (d *definition) Name() string { return d.Info.Name }

// Class returns the value of a table.
func (d *definition) Class(t *Table) float64 {
	if d.value != nil {
		return d.value(t)
	}
	return valueOf(d.program(), d, d.positive, t)
}

// compiled returns the formula of a measure, compiled.
func compiled(text string) *formula.Program {
	p, err := formula.Parse(text)
	if err != nil {
		panic("score: " + err.Error()) // of a measure of this package
	}
	return p
}

// A tileFunc sets dst to the values of the terms of a tile.
type tileFunc func(p *Panel, t *table.Tile, dst []float64)
