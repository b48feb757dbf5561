package score

import (
	"math"

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
		gaps[k] = DiffOfProducts(total, a, df, size)
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

// counted are the documents or tokens themselves.
func counted(c *columns) []float64 { return c.a }

// lifts are A/n_c.
func lifts(c *columns) []float64 {
	dst := c.values
	a, perN := c.a[:len(dst)], c.perN[:len(dst)]
	for k := range dst {
		dst[k] = float64(a[k] * perN[k])
	}
	return dst
}

// chiSquares are [counts.chiSquare].
func chiSquares(c *columns) []float64 {
	if c.hasChi {
		return c.chi
	}
	c.hasChi = true
	dst, scale := c.chi, c.side.term.scale // 0 where the term has no margin
	gap, inverse := c.gap[:len(dst)], c.inverse[:len(dst)]
	for k, g := range gap {
		dst[k] = float64(float64(g*float64(g*inverse[k])) * scale)
	}
	c.ofOneSided(dst, 0)
	return dst
}

// oddsRatios are [oddsRatio].
func oddsRatios(c *columns) []float64 {
	if c.hasOdds {
		return c.odds
	}
	c.hasOdds = true
	dst := c.odds
	as, bs, cs, ds := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)], c.d[:len(dst)]
	for k := range dst {
		dst[k] = float64((as[k]+.5)*(ds[k]+.5)) / float64((bs[k]+.5)*(cs[k]+.5))
	}
	c.ofOneSided(dst, 1)
	return dst
}

// relevanceRatios are [counts.relevanceRatio] of the documents outside the class, with the term
// or without it.
func relevanceRatios(with bool, d float64) column {
	return func(c *columns) []float64 {
		other := c.d
		if with {
			other = c.b
		}
		dst := c.values
		a, perN, perOut := c.a[:len(dst)], c.perN[:len(dst)], c.perOut[:len(dst)]
		other = other[:len(dst)]
		for k := range dst {
			dst[k] = (float64(a[k]*perN[k]) + d) / (float64(other[k]*perOut[k]) + d)
		}
		c.ofOneSided(dst, 1)
		return dst
	}
}

// normalisedDifferences are [normalisedDifference].
func normalisedDifferences(c *columns) []float64 {
	if c.marginless() {
		return c.constant(0)
	}
	dst, perTotal := c.values, c.side.term.perTotal
	a, b, gap := c.a[:len(dst)], c.b[:len(dst)], c.gap[:len(dst)]
	perN, perOut, inverse := c.perN[:len(dst)], c.perOut[:len(dst)], c.inverse[:len(dst)]
	for k := range dst {
		least := min(float64(a[k]*perN[k]), float64(b[k]*perOut[k]))
		if least == 0 {
			least = perTotal
		}
		dst[k] = math.Abs(float64(gap[k]*inverse[k])) / least
	}
	c.ofOneSided(dst, 0)
	return dst
}

// probabilityRatios are [probabilityRatio].
func probabilityRatios(c *columns) []float64 {
	if c.marginless() {
		return c.constant(1)
	}
	dst := c.values
	as, bs, out, n := c.a[:len(dst)], c.b[:len(dst)], c.out[:len(dst)], c.n[:len(dst)]
	for k, b := range bs {
		if b == 0 {
			b = .5
		}
		dst[k] = float64(as[k]*out[k]) / float64(b*n[k])
	}
	c.ofOneSided(dst, 1)
	return dst
}

// biNormals are [biNormal].
func biNormals(c *columns) []float64 {
	if c.marginless() {
		return c.constant(0)
	}
	dst, q := c.values, &c.side.quantiles
	for k, class := range c.classes {
		i := int(class)
		dst[k] = math.Abs(q.of(q.inside, i, c.a[k], c.n[k]) - q.of(q.outside, i, c.b[k], c.out[k]))
	}
	c.ofOneSided(dst, 0)
	return dst
}

// crossEntropies are [crossEntropy].
func crossEntropies(c *columns) []float64 {
	if c.side.term.none == 0 {
		return c.constant(0)
	}
	f, dst := &c.side.term, c.values
	as, gap, n, shift := c.a[:len(dst)], c.gap[:len(dst)], c.n[:len(dst)], c.shift[:len(dst)]
	for k, a := range as {
		if a == 0 {
			dst[k] = 0
			continue
		}
		lift := 0.0
		if u := gap[k] / float64(f.df*n[k]); math.Abs(u) <= seriesBelow {
			lift = kernels.Log1p(u)
		} else {
			lift = c.side.logs.of(a) + (shift[k] - f.with)
		}
		dst[k] = float64(float64(a*lift) * f.perTotal)
	}
	return dst
}

// giniParts are [giniPart].
func giniParts(c *columns) []float64 {
	dst, perDF := c.values, c.side.term.perDF
	a, perN := c.a[:len(dst)], c.perN[:len(dst)]
	for k, a := range a {
		p := float64(float64(a*perN[k]) * float64(a*perDF))
		dst[k] = float64(p * p)
	}
	return dst
}

// dfsParts are [dfsPart].
func dfsParts(c *columns) []float64 {
	dst, perDF := c.values, c.side.term.perDF
	as, bs, cs := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)]
	perN, perOut := c.perN[:len(dst)], c.perOut[:len(dst)]
	for k, a := range as {
		dst[k] = float64(a*perDF) / (float64(cs[k]*perN[k]) + float64(bs[k]*perOut[k]) + 1)
	}
	return dst
}

// logOddsBounds are not below [counts.logOdds]: (x-y)/√(xy), which is not below ln(x/y) for
// x >= y, of the two products of [counts.newLogOdds].
func logOddsBounds(c *columns) bounds {
	f, dst := &c.side.term, c.values
	scale := 1 + float64(2*dirichletWeight*f.perTotal)
	as, bs, cs, ds, gap := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)], c.d[:len(dst)], c.gap[:len(dst)]
	for k, g := range gap {
		product := float64(float64((as[k]+f.prior)*(bs[k]+f.prior)) * float64((cs[k]+f.others)*(ds[k]+f.others)))
		g = max(0, float64(g*scale))
		dst[k] = float64(g*g) / product
	}
	return bounds{dst, 1, true}
}

// logOddsZBounds are the same for [logOddsZ]: two factors cancel.
func logOddsZBounds(c *columns) bounds {
	f, dst := &c.side.term, c.values
	scale := 1 + float64(2*dirichletWeight*f.perTotal)
	cs, ds, gap := c.c[:len(dst)], c.d[:len(dst)], c.gap[:len(dst)]
	for k, g := range gap {
		product := float64(float64((cs[k]+f.others)*(ds[k]+f.others)) * f.priorOfBoth)
		g = max(0, float64(g*scale))
		dst[k] = float64(g*g) / product
	}
	return bounds{dst, 1, true}
}
