package engine

import (
	"math"

	"github.com/termsift/termsift/engine/score"
)

// A half is one side of a binary problem, a class or its complement, with what the
// functions of Best Terms make of its size once.
type half struct {
	*positivity
	n, size   float64
	perSizes  float64 // 1/(size(n-size))
	rootSizes float64
}

func newHalf(o *BestTermsOptions, total, size int) half {
	h := half{positivity: newPositivity(o.P, o.Rule, total, size), n: float64(total), size: float64(size)}
	if 0 < size && size < total {
		h.perSizes = 1 / float64(h.size*(h.n-h.size))
		h.rootSizes = math.Sqrt(h.perSizes)
	}
	return h
}

// A rawFunction is a function in the form of Table 1. It is asked for positive terms
// only, which have an occurrence inside and a document without them outside:
// no margin is 0, and AD > BC.
type rawFunction func(h *half, inside, df uint64) float64

// raw are the functions without a logarithm. The others, and all that Table 1 does
// not have, are those of the registry; its or alone has another form here.
var raw = map[string]rawFunction{
	"df":  func(h *half, inside, _ uint64) float64 { return float64(inside) / h.size },
	"dia": func(_ *half, inside, df uint64) float64 { return float64(inside) / float64(df) },
	"gss": func(h *half, inside, df uint64) float64 { return h.gap(inside, df) / float64(h.n*h.n) },
	"chi": func(h *half, inside, df uint64) float64 {
		gap := h.gap(inside, df)
		return float64(float64(gap*float64(gap*h.perSizes)) * h.spread(df))
	},
	"ngl": func(h *half, inside, df uint64) float64 {
		return float64(float64(h.gap(inside, df)*h.rootSizes) * math.Sqrt(h.spread(df)))
	},
	"or": func(h *half, inside, df uint64) float64 {
		outside, without := df-inside, h.positivity.size-inside
		return float64(inside*(h.total-df-without)) / float64(outside*without)
	},
}

// gap is AD - BC, rounded once.
func (h *half) gap(inside, df uint64) float64 {
	return float64(inside*h.total - df*h.positivity.size)
}

// spread is N/(df(N-df)).
func (h *half) spread(df uint64) float64 {
	n := float64(df)
	return h.n / float64(n*(h.n-n))
}

// A bestScorer gives the values of a function for one side after the other.
type bestScorer struct {
	half    half
	raw     rawFunction
	measure score.Measure // where raw is nil
	table   score.Table
}

func newBestScorer(function string, rsd float64) *bestScorer {
	s := &bestScorer{raw: raw[function]}
	if function == "ig" { // of a class alone: the expected mutual information
		function = "emi"
	}
	s.measure, _, _ = score.NewRegistry(score.Options{RSD: rsd}).Lookup(function)
	return s
}

// turn begins with another side.
func (s *bestScorer) turn(h half) {
	s.half = h
	s.table.N, s.table.NC = h.n, h.size
}

// value is that of a term in so many documents of the side and of all; -Inf where
// the term is not positive.
func (s *bestScorer) value(inside, df uint64) float64 {
	switch {
	case !s.half.admits(inside, df):
		return math.Inf(-1)
	case s.raw != nil:
		return s.raw(&s.half, inside, df)
	}
	s.table.A, s.table.DF = float64(inside), float64(df)
	return s.measure.Class(&s.table)
}
