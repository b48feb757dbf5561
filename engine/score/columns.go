package score

import (
	"github.com/termsift/termsift/kernels"
)

// This file computes functions of all tables of a term at once, in loops over columns: a cell
// then costs 1 to 2 ns a function. A call of a function of one [counts] costs 5 to 9.

// A column computes a function of the tables of a term, one value a cell. The values are valid
// until the next column is computed.
type column func(c *columns) []float64

// bounds are not below the values of a measure: the values times factor are, or, if they are
// squares, the roots of these.
type bounds struct {
	values  []float64
	factor  float64
	squares bool
}

// columns hold the tables of the cells of a term by field: those of [counts], and what the
// formulas need of [classFactors].
type columns struct {
	side    *side
	factors []classFactors // of all classes
	classes []uint32       // of the cells

	a, b, c, d, gap               []float64
	n, out, perN, perOut, inverse []float64
	shift                         []float64

	whole    bool // the cells are of all classes
	oneSided bool // some class is one-sided

	one    counts    // see setExact
	exact  []float64 // likewise: a
	values []float64
	// Columns that two measures share, once computed.
	hasChi, hasOdds bool
	chi, odds       []float64
}

// set sets c to the tables of a term, which has x[k] documents or tokens in the class
// classes[k]. low is what x lacks of exact sums; empty if it lacks nothing.
func (c *columns) set(classes []uint32, x, low []float64) {
	c.hasChi, c.hasOdds = false, false
	c.a = x
	c.setClasses(classes)
	if c.side.lacking {
		c.setExact(x, low)
		return
	}
	f := &c.side.term
	n := c.n
	total, df, none := f.total, f.df, f.none
	x, bs, cs, ds, gaps := x[:len(n)], c.b[:len(n)], c.c[:len(n)], c.d[:len(n)], c.gap[:len(n)]
	for k, size := range n {
		a := x[k]
		bs[k], cs[k], ds[k] = df-a, size-a, none-size+a
		gaps[k] = kernels.DiffOfProducts(total, a, df, size)
	}
}

// setExact is the end of set for sums that lack something of exact ones.
func (c *columns) setExact(x, low []float64) {
	c.a = grown(&c.exact, len(x))
	for k, class := range c.classes {
		c.side.cell(&c.one, &c.factors[class], x[k], low[k])
		c.a[k], c.b[k], c.c[k], c.d[k], c.gap[k] = c.one.a, c.one.b, c.one.c, c.one.d, c.one.gap
	}
}

// setClasses sets the columns of the classes, which are the same for all terms that are in all
// classes.
func (c *columns) setClasses(classes []uint32) {
	whole := len(classes) == len(c.factors)
	c.classes = classes
	if whole && c.whole {
		return
	}
	c.whole, c.oneSided = whole, false
	c.resize(len(classes))
	n, out, perN := c.n[:len(classes)], c.out[:len(classes)], c.perN[:len(classes)]
	perOut, inverse, shift := c.perOut[:len(classes)], c.inverse[:len(classes)], c.shift[:len(classes)]
	for k, class := range classes {
		f := &c.factors[class]
		n[k], out[k], perN[k], perOut[k], inverse[k], shift[k] = f.n, f.out, f.perN, f.perOut, f.inverse, f.shift
		c.oneSided = c.oneSided || f.oneSided
	}
}

// resize gives the columns n elements.
func (c *columns) resize(n int) {
	for _, column := range [...]*[]float64{
		&c.b, &c.c, &c.d, &c.gap, &c.n, &c.out, &c.perN, &c.perOut, &c.inverse, &c.shift, &c.values, &c.chi, &c.odds,
	} {
		grown(column, n)
	}
}

// ofOneSided sets the values of one-sided classes.
func (c *columns) ofOneSided(dst []float64, value float64) {
	if !c.oneSided {
		return
	}
	for k, class := range c.classes {
		if c.factors[class].oneSided {
			dst[k] = value
		}
	}
}

// constant sets all values.
func (c *columns) constant(value float64) []float64 {
	for k := range c.values {
		c.values[k] = value
	}
	return c.values
}

// marginless reports whether none or all of the documents have the term.
func (c *columns) marginless() bool { return c.side.term.df == 0 || c.side.term.none == 0 }
