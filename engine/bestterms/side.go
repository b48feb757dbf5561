package bestterms

import (
	"math"

	"github.com/termsift/termsift/engine/score"
)

// A side is a class or its complement: the documents whose terms are scored, with the
// factors of the formulas that depend on its size alone.
type side struct {
	*positiveTest
	n, size          float64 // documents in all, and on the side
	inverseSizes     float64 // 1/(size(n-size)); 0 if the side has none or all
	rootInverseSizes float64 // its square root
}

// newSide returns the side of size of total documents.
func newSide(o *Options, total, size int) side {
	h := side{positiveTest: newPositiveTest(o.P, o.Rule, total, size), n: float64(total), size: float64(size)}
	if 0 < size && size < total {
		h.inverseSizes = 1 / float64(h.size*(h.n-h.size))
		h.rootInverseSizes = math.Sqrt(h.inverseSizes)
	}
	return h
}

// A tableFunction computes a function in the form of Sebastiani's Table 1 from the
// documents with a term inside the side and in all. It is called for positive terms only,
// which occur inside and are missing in a document outside: no margin is 0, and AD > BC.
type tableFunction func(h *side, inside, df uint64) float64

// tableFunctions has the functions without a logarithm. All others are the measures of
// the registry. Of these, only or has another form there.
var tableFunctions = map[string]tableFunction{
	"df":  func(h *side, inside, _ uint64) float64 { return float64(inside) / h.size },
	"dia": func(_ *side, inside, df uint64) float64 { return float64(inside) / float64(df) },
	"gss": func(h *side, inside, df uint64) float64 { return h.determinant(inside, df) / float64(h.n*h.n) },
	"chi": func(h *side, inside, df uint64) float64 {
		gap := h.determinant(inside, df)
		return float64(float64(gap*float64(gap*h.inverseSizes)) * h.inverseDF(df))
	},
	"ngl": func(h *side, inside, df uint64) float64 {
		return float64(float64(h.determinant(inside, df)*h.rootInverseSizes) * math.Sqrt(h.inverseDF(df)))
	},
	"or": func(h *side, inside, df uint64) float64 {
		outside, without := df-inside, h.positiveTest.size-inside
		return float64(inside*(h.total-df-without)) / float64(outside*without)
	},
}

// determinant returns AD - BC, rounded once.
func (h *side) determinant(inside, df uint64) float64 {
	return float64(inside*h.total - df*h.positiveTest.size)
}

// inverseDF returns N/(df(N-df)).
func (h *side) inverseDF(df uint64) float64 {
	n := float64(df)
	return h.n / float64(n*(h.n-n))
}

// A scorer computes the values of one function for a side at a time.
type scorer struct {
	side     side
	function tableFunction
	measure  score.Measure // where function is nil
	table    score.Table
}

// newScorer returns the scorer of a function of Functions; rsd is Options.RSD.
func newScorer(function string, rsd float64) *scorer {
	s := &scorer{function: tableFunctions[function]}
	if function == "ig" { // ig of one class alone is the expected mutual information
		function = "emi"
	}
	s.measure, _, _ = score.NewRegistry(score.Options{RSD: rsd}).Lookup(function)
	return s
}

// startSide makes h the side that value scores for.
func (s *scorer) startSide(h side) {
	s.side = h
	s.table.N, s.table.NC = h.n, h.size
}

// value returns the value of a term that inside documents of the side and df documents in
// all have. It is -Inf if the term is not positive.
func (s *scorer) value(inside, df uint64) float64 {
	switch {
	case !s.side.isPositive(inside, df):
		return math.Inf(-1)
	case s.function != nil:
		return s.function(&s.side, inside, df)
	}
	s.table.A, s.table.DF = float64(inside), float64(df)
	return s.measure.Class(&s.table)
}
