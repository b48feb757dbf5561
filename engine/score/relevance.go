package score

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family compares the share of a class with that of the rest, damped: of documents (rs, rsw,
// zetalog) and of tokens (simplemaths); or A with B (rf).

func relevancyScore(o Options) *definition {
	damping := o.damping()
	d := define("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
		o.logged(func(t *counts) float64 { return relevancy(t, damping) }))
	d.order = relevanceRatios(false, 1, damping)
	d.declared.class = fmt.Sprintf("lnratio(A/n_c+%[1]v,D/(N-n_c)+%[1]v,det(A,N-n_c,D,n_c)/(n_c*(N-n_c)))", damping) + o.perLogFormula()
	return d
}

func wienerScore(o Options) *definition {
	damping := o.damping()
	d := define("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
		o.logged(func(t *counts) float64 { return wiener(t, damping) }))
	d.absent, d.negative, d.order = largestOfSmallest, true, relevanceRatios(true, 1, damping)
	d.declared.class = fmt.Sprintf(wienerFormula, damping) + o.perLogFormula()
	return d
}

func logZeta(o Options) *definition {
	c := o.zetaC()
	d := define("zetalog", "zeta of logarithms", "log2(A/n_c + c) - log2(B/(N-n_c) + c), c = 1.1", "Schöch et al. 2018",
		func(t *counts) float64 { return float64(wiener(t, c) * (1 / math.Ln2)) })
	d.absent, d.negative, d.order = largestOfSmallest, true, relevanceRatios(true, 1, c)
	d.declared.class = fmt.Sprintf(wienerFormula, c) + "/ln(2)"
	return d
}

func simpleMaths(o Options) *definition {
	k := o.smooth()
	d := define("simplemaths", "simple maths", "(10⁶·S/T_c + k)/(10⁶·(cf-S)/(T-T_c) + k), k = 1", "Kilgarriff 2009",
		func(t *counts) float64 { return simple(t, k) })
	d.UsesTokens, d.absent, d.values = true, largestOfSmallest, relevanceRatios(true, million, k)
	d.declared.class = fmt.Sprintf("((1e6*S/T_c+%[1]v)/(1e6*(cf-S)/(T-T_c)+%[1]v))^((T_c>0)*(T_c<T))", k)
	return d
}

func relevanceFrequency() *definition {
	d := define("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", (*counts).relevance)
	d.order, d.declared.class = counted, "log2(2+A/max(1,B))"
	return d
}

// wienerFormula lacks what it is damped by.
const wienerFormula = "lnratio(A/n_c+%[1]v,B/(N-n_c)+%[1]v,det(A,D,B,C)/(n_c*(N-n_c)))"

// relevancy is ln((A/n_c + d)/(D/(N-n_c) + d)).
func relevancy(t *counts, d float64) float64 {
	if t.class.oneSided {
		return 0
	}
	gap := float64(kernels.DiffOfProducts(t.a, t.class.out, t.d, t.class.n) * t.class.inverse)
	return kernels.LogRatio(float64(t.a*t.class.perN)+d, float64(t.d*t.class.perOut)+d, gap)
}

// wiener is ln((A/n_c + d)/(B/(N-n_c) + d)).
func wiener(t *counts, d float64) float64 {
	if t.degenerate {
		return 0
	}
	return kernels.LogRatio(float64(t.a*t.class.perN)+d, float64(t.b*t.class.perOut)+d, t.rateGap())
}

const million = 1e6

// simple is (10⁶·A/n_c + k)/(10⁶·B/(N-n_c) + k), of tokens.
func simple(t *counts, k float64) float64 {
	if t.class.oneSided {
		return 1
	}
	return (float64(float64(million*t.a)*t.class.perN) + k) / (float64(float64(million*t.b)*t.class.perOut) + k)
}

// relevanceRatios are the share of the class, times per and damped by d, over that of the documents
// outside it, with the term or without it.
func relevanceRatios(with bool, per, d float64) column {
	return func(c *columns) []float64 {
		other := c.d
		if with {
			other = c.b
		}
		dst := c.values
		a, perN, perOut := c.a[:len(dst)], c.perN[:len(dst)], c.perOut[:len(dst)]
		other = other[:len(dst)]
		for k := range dst {
			dst[k] = (float64(float64(per*a[k])*perN[k]) + d) / (float64(float64(per*other[k])*perOut[k]) + d)
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
