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
	part, of, whole, all := t.A, t.NC, t.DF, t.N
	switch m := m.(type) {
	case *definition:
		if m.UsesTokens {
			part, whole = t.S, t.CF
		}
		if m.UsesTokens && !m.pooled {
			of, all = t.TC, t.T
		}
	case *Formula:
		if m.info.UsesTokens {
			part, of, whole, all = t.S, t.TC, t.CF, t.T
		}
	}
	return signOf(kernels.DiffOfProducts(part, all, whole, of))
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
	return &definition{
		Info: d.Info, pooled: d.pooled, acrossClasses: d.acrossClasses, quantiles: d.quantiles, presentOnly: d.presentOnly,
		negative: true, // nothing speaks for a class without the term
		value: func(t *counts) float64 {
			if d.gap(t) <= 0 {
				return math.Inf(-1)
			}
			return d.value(t)
		},
	}
}

// gap has the sign of the table, as [Sign] says.
func (d *definition) gap(t *counts) float64 {
	if d.pooled {
		return kernels.DiffOfProducts(t.a, t.term.documents, t.term.df, t.class.documents.n) + lowGap(t.low, t.term.documents, t.term.low, t.class.documents.n)
	}
	return t.gap
}

// positive is [Positive] of a measure of the caller.
type positive struct{ Measure }

func (p positive) Class(t *Table) float64 {
	if Sign(p.Measure, t) <= 0 {
		return math.Inf(-1)
	}
	return p.Measure.Class(t)
}
