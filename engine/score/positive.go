package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

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
