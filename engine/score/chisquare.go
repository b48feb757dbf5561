package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family weighs the deviation AD - BC: how far the documents of a class with the term are from
// what independence expects. deviation.go finds the largest value over the classes; factors stand in the order of its
// operations, so that both have the same bits.

const (
	// gapFormula is AD - BC.
	gapFormula = "det(N,A,df,n_c)"
	// perSizesFormula and scaleFormula are the weights of the class and of the term in chi-square.
	perSizesFormula = "(1/(n_c*(N-n_c)))"
	scaleFormula    = "(N/(df*(N-df)))"

	chiFormula      = gapFormula + "*(" + gapFormula + "*" + perSizesFormula + ")*" + scaleFormula
	ratesGapFormula = gapFormula + "*" + perSizesFormula // A/n_c - B/(N-n_c)
)

func chiSquare(o Options) *definition {
	if o.Yates { // no kernel finds its maximum: a deviation below ½ counts as none
		return define("chi", "chi-square, corrected by Yates", "N·max(0, |AD-BC| - N/2)²/((A+B)(C+D)(A+C)(B+D))", "Yates 1934",
			"N*max(0,abs(det(A,D,B,C))-N/2)^2/(df*(N-df)*n_c*(N-n_c))")
	}
	d := define("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", chiFormula)
	d.deviation = &deviation{form: kernels.Squared, table: inverses, factor: scaleOf}
	return d
}

func tokenChiSquare() *definition {
	d := define("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", inTokens(chiFormula))
	d.UsesTokens = true
	return d
}

func nglCoefficient() *definition {
	d := define("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997",
		gapFormula+"*sqrt"+perSizesFormula+"*sqrt"+scaleFormula)
	d.deviation = &deviation{form: kernels.Signed, table: roots, factor: func(n, df float64) float64 { return math.Sqrt(scaleOf(n, df)) }}
	return d
}

func gssCoefficient() *definition {
	d := define("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", gapFormula+"/(N*N)")
	d.deviation = &deviation{form: kernels.Signed, table: ones, divisor: func(n, _ float64) float64 { return float64(n * n) }}
	return d
}

func balancedAccuracy() *definition {
	d := define("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", "abs("+ratesGapFormula+")")
	d.deviation = &deviation{form: kernels.Absolute, table: inverses}
	return d
}
