package score

import (
	"strings"

	"github.com/termsift/termsift/engine/table"
)

// A definition is a standard measure: its formula, and what the panel may know about it. Those of a
// family are in a file of their own.
type definition struct {
	Info

	// declared has the values as formulas, of which pages compute them. The functions below are faster.
	declared declaration
	value    func(t *counts) float64 // of a class; nil if there are no class values
	absent   role                    // of its maximum
	// negative says that the value of a class without the term is not above 0.
	negative bool
	// presentOnly says that sums leave out the classes without the term, whose value is infinite.
	presentOnly bool
	columnForms

	// A measure with a value of its own over all classes has one of these: the sum over the
	// cells of part, which finish completes, or the values of a tile. parts is part of all
	// cells of a term.
	part   func(t *counts) float64
	parts  column
	finish func(sum float64) float64
	whole  tileFunc
	// largest is a faster way to the maximum over all classes; or nil.
	largest tileFunc
	// deviation says how the measure depends on deviations, if it does, of counts whose
	// products are exact; or nil. It is another way to the maximum.
	deviation *deviation

	// What it reads beside the tables of its cells.
	pooled     bool // the variance of the term within classes
	between    bool // the variance between the means of classes
	logarithms bool // whole reads tables of logarithms
	quantiles  bool // quantiles of the normal distribution
	// acrossClasses says that it reads the occurrences of the term in all classes.
	acrossClasses bool
	weighted      bool // sums of weights
	squares       bool // sums of squares of the values of a term
}

// define returns a measure of documents, of which nothing is known but the formula: its largest
// value in a class without the term is that of the largest such class.
func define(name, title, formula, source string, value func(*counts) float64) *definition {
	return &definition{
		Info:  Info{Name: name, Title: title, Formula: formula, Source: source, Default: Max, Combinable: true},
		value: value, absent: largestOfLargest,
	}
}

// A declaration has the values of a measure as formulas, see [formula.ParseOverClasses].
type declaration struct {
	class string // of a class; "" if there are no class values
	own   string // of a term over all classes; "" if the measure has no value of its own
}

// Name returns the name of the measure.
func (d *definition) Name() string { return d.Info.Name }

// Class returns the value of a table.
func (d *definition) Class(t *Table) float64 {
	c := t.counts(d.UsesTokens)
	return d.value(&c)
}

// columnForms compute the values of all cells of a term, or lead to the largest one. A measure
// has one of them, or none.
type columnForms struct {
	values column                  // to the bit
	order  column                  // cheaper, and in the order of the values
	bound  func(c *columns) bounds // cheaper, and not below the values
}

// A tileFunc sets dst to the values of the terms of a tile.
type tileFunc func(p *Panel, t *table.Tile, dst []float64)

// ofTokens returns a formula of documents as one of tokens.
func ofTokens(text string) string {
	return strings.NewReplacer(strings.Fields("df cf n_c T_c N T A S")...).Replace(text)
}

// summed declares a measure whose own value is the sum of those of the classes.
func summed(class string) declaration { return declaration{class, "sum(" + class + ")"} }
