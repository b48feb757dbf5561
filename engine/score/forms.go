package score

import "github.com/termsift/termsift/kernels"

// This file holds the forms that measures take. A form tells the panel how to
// share work: the formulas themselves are in standard.go.

// pair is a measure without a value of its own over all classes.
type pair struct {
	name   string
	tokens bool // of the table counted in tokens
	value  func(t *counts) float64
	absent role // of its maximum
	pooled bool // also of the variance of the term
	// order is cheaper than value and in the same order, for its maximum; or nil.
	order func(t *counts) float64
}

func (m pair) Name() string { return m.name }

func (m pair) Class(t *Table) float64 {
	c := t.counts(m.tokens)
	return m.value(&c)
}

func (m pair) form() pair { return m }

// whole is a measure with one that is no sum over the cells.
type whole struct {
	pair
	all func(r *Row) float64
	// dense is the same of the documents of every class, present or not; nil where
	// that is not enough.
	dense func(m *Margins, s *side, counts []uint32) float64
}

func (m whole) Whole(r *Row) float64 { return m.all(r) }

// summed is a measure whose value over all classes is a sum over the cells of the
// term, finished by the base of the logarithm.
type summed struct {
	pair
	part   func(t *counts) float64
	finish func(r *Row, sum float64) float64
}

func (m summed) Whole(r *Row) float64 {
	s, sum := r.side(), 0.0
	var t counts
	for i, c := range r.Class {
		s.cell(&t, &r.documents[c], r.A[i])
		sum += m.part(&t)
	}
	return m.finish(r, sum)
}

// deviating is a measure that is monotone in the deviation d = AD-BC, or in |d|,
// times a weight of the class: its maximum over the classes of a term is that of
// the deviation, which a kernel finds.
type deviating struct {
	pair
	of      kernels.Deviation
	weights func(m *Margins) []float64
	value   func(largest float64, m *Margins, f *termFactors) float64
}
