package score

import (
	"math"
)

// This family compares A/n_c with the share of the other documents, damped (rs, rsw), or A with
// B (rf).

func relevancyScore(o Options) *definition {
	damping := o.damping()
	d := define("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
		o.logged(func(t *counts) float64 { return relevancy(t, damping) }))
	d.order = relevanceRatios(false, damping)
	return d
}

func wienerScore(o Options) *definition {
	damping := o.damping()
	d := define("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
		o.logged(func(t *counts) float64 { return wiener(t, damping) }))
	d.absent, d.negative, d.order = largestOfSmallest, true, relevanceRatios(true, damping)
	return d
}

func relevanceFrequency() *definition {
	d := define("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", (*counts).relevance)
	d.order = counted
	return d
}

// relevancy is ln((A/n_c + d)/(D/(N-n_c) + d)).
func relevancy(t *counts, d float64) float64 {
	if t.class.oneSided {
		return 0
	}
	gap := float64(DiffOfProducts(t.a, t.class.out, t.d, t.class.n) * t.class.inverse)
	return logRatio(float64(t.a*t.class.perN)+d, float64(t.d*t.class.perOut)+d, gap)
}

// wiener is ln((A/n_c + d)/(B/(N-n_c) + d)).
func wiener(t *counts, d float64) float64 {
	if t.degenerate {
		return 0
	}
	return logRatio(float64(t.a*t.class.perN)+d, float64(t.b*t.class.perOut)+d, t.rateGap())
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

// relevance takes ln(2 + A/b) as ln(2b + A) - ln b, of integers.
func (t *counts) relevance() float64 {
	b := t.b
	if b < 1 {
		b = 1
	}
	return float64((t.logs.of(float64(2*b)+t.a) - t.logs.of(b)) * (1 / math.Ln2))
}
