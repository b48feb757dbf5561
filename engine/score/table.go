package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// A Table is what a measure may look at for one (term, class) pair: the
// documents and tokens of the term, of the class and of both. The caller fills
// the fields.
type Table struct {
	// Documents: all, with the term, of the class, of the class with the term.
	N, DF, NC, A float64
	// Tokens: all, of the term, of the class, of the term in the class.
	T, CF, TC, S float64
	// Q is the sum of the squares of the occurrences in each document of the class. [Formula] alone reads it.
	Q float64
	// Pooled is the within-class standard deviation of tf, pooled over the
	// classes (the s of the t-test); the same in every class of a term.
	Pooled float64

	inClasses     float64 // the occurrences of the term in all classes
	tokensOfClass float64 // the tokens of a class on average
}

// A Row is one term: its totals and its cells, that is the classes where it
// occurs, ascending, with documents A, tokens S, sums of squares Q and sums of
// weights W (nil unless asked for). Absent classes are not listed.
type Row struct {
	*Margins
	DF, CF  float64
	Class   []uint32
	A, S, Q []float64
	W       []float64

	M2 []float64 // squared distances from the mean of each cell; nil of counts: see [table.Tile]

	tile table.Tile
}

// Read sets r to the cells of a term; CF, S and Q only if tokens is set. W is that of the
// cells. The slices are valid until the next call.
func (r *Row) Read(c *table.Cells, t int, tokens bool) {
	c.Read(&r.tile, t, t+1, tokens)
	r.DF, r.CF = float64(r.tile.DF[0]), 0
	if tokens {
		r.CF = r.tile.CF[0]
	}
	r.Class, r.A, r.S, r.Q, r.W = r.tile.Class, r.tile.A, r.tile.S, r.tile.Q, r.tile.W
	r.M2 = r.tile.M2
}

// scaleOf returns N/(df(N-df)).
func scaleOf(total, df float64) float64 { return total / float64(df*(total-df)) }

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

// ratio returns x/y, and 0 for 0/0.
func ratio(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

// Sign returns 1 where a class has more of a term than all documents have on average, -1 where it
// has less and 0 where it has as much. It compares what the measure compares: documents with the
// term by class, occurrences a document for the t-test, or occurrences a token. Measures of the
// caller compare documents, and formulas occurrences a token if they read tokens.
func Sign(m Measure, t *Table) int {
	tokens := false
	switch m := m.(type) {
	case *definition:
		if m.pooled {
			return signOf(kernels.DiffOfProducts(t.S, t.N, t.CF, t.NC))
		}
		tokens = m.UsesTokens
	case *Formula:
		tokens = m.info.UsesTokens
	}
	if tokens {
		return signOf(kernels.DiffOfProducts(t.S, t.T, t.CF, t.TC))
	}
	return signOf(kernels.DiffOfProducts(t.A, t.N, t.DF, t.NC))
}

func signOf(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Positive returns the measure whose value for a class is that of m where [Sign] is 1, and -Inf
// elsewhere. So its largest value is that of the classes which have more of the term. It has no value
// of its own over all classes.
func Positive(m Measure) Measure {
	if f, ok := m.(*Formula); ok {
		positive := *f
		positive.positive = true
		return &positive
	}
	d, ok := m.(*definition)
	if !ok {
		return positive{m}
	}
	of := &definition{Info: d.Info, class: d.class, program: d.program, positive: true, negative: true, presentOnly: d.presentOnly, pooled: d.pooled, across: d.across}
	if d.value != nil {
		of.value = positive{d}.Class
	}
	return of
}

// positive is [Positive] of a function of a table.
type positive struct{ Measure }

func (p positive) Class(t *Table) float64 {
	if Sign(p.Measure, t) <= 0 {
		return math.Inf(-1)
	}
	return p.Measure.Class(t)
}
