package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family weighs the deviation AD - BC: how far the documents of a class with the term are from
// what independence expects. deviation.go finds the largest value over the classes.

func chiSquare(o Options) *definition {
	if o.Yates { // no kernel finds its maximum: a deviation below ½ counts as none
		d := define("chi", "chi-square, corrected by Yates", "N·max(0, |AD-BC| - N/2)²/((A+B)(C+D)(A+C)(B+D))", "Yates 1934", (*counts).yates)
		d.declared.class = "N*max(0,abs(det(A,D,B,C))-N/2)^2/(df*(N-df)*n_c*(N-n_c))"
		return d
	}
	d := define("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", (*counts).chiSquare)
	d.declared.class = chiFormula
	d.deviation = &deviation{form: kernels.Squared, table: inverses, factor: scaleOf}
	return d
}

const chiFormula = "N*det(N,A,df,n_c)^2/(df*(N-df)*n_c*(N-n_c))"

func tokenChiSquare() *definition {
	d := define("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", (*counts).chiSquare)
	d.UsesTokens, d.values, d.declared.class = true, chiSquares, ofTokens(chiFormula)
	return d
}

func nglCoefficient() *definition {
	d := define("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997", (*counts).ngl)
	d.absent, d.declared.class = largestOfSmallest, "det(A,D,B,C)*sqrt(N/(df*(N-df)*n_c*(N-n_c)))"
	d.deviation = &deviation{form: kernels.Signed, table: roots, factor: func(n, df float64) float64 { return math.Sqrt(scaleOf(n, df)) }}
	return d
}

func gssCoefficient() *definition {
	d := define("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", (*counts).gss)
	d.absent, d.declared.class = largestOfSmallest, "det(A,D,B,C)/N^2"
	d.deviation = &deviation{form: kernels.Signed, table: ones, divisor: func(n, _ float64) float64 { return float64(n * n) }}
	return d
}

func balancedAccuracy() *definition {
	d := define("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", (*counts).accuracy)
	d.declared.class = "abs(det(A,D,B,C))/(n_c*(N-n_c))"
	d.deviation = &deviation{form: kernels.Absolute, table: inverses}
	return d
}

// chiSquare is N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)), 0 on a zero margin. Its largest
// value over the classes is that of [deviation], to the bit.
func (t *counts) chiSquare() float64 {
	if t.degenerate {
		return 0
	}
	return float64(float64(t.gap*float64(t.gap*t.class.inverse)) * t.term.scale)
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

// yates is chiSquare with each O-E, which is gap/N, nearer to 0 by ½. In an absent
// class it rises with the size of the class as well: (x-h)²/(x(N-x)) does for x > h.
func (t *counts) yates() float64 {
	rest := math.Abs(t.gap) - float64(t.term.total*.5)
	if t.degenerate || rest <= 0 {
		return 0
	}
	return float64(float64(rest*float64(rest*t.class.inverse)) * t.term.scale)
}

func (t *counts) ngl() float64 {
	if t.degenerate {
		return 0
	}
	return float64(float64(t.gap*t.class.root) * t.term.root)
}

func (t *counts) gss() float64 {
	if t.degenerate {
		return 0
	}
	return t.gap / float64(t.term.total*t.term.total)
}

func (t *counts) accuracy() float64 {
	if t.degenerate {
		return 0
	}
	return math.Abs(t.rateGap())
}
