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

func deviationMeasures(o Options) []*definition {
	return []*definition{gssCoefficient(), balancedAccuracy(), nglCoefficient(), chiSquare(o), tokenChiSquare()}
}

func chiSquare(o Options) *definition {
	d := define("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", chiFormula)
	d.deviation = &deviation{form: kernels.Squared, table: inverses, factor: scaleOf}
	if o.Yates { // no kernel finds its maximum: a deviation below ½ counts as none
		d = define("chi", "chi-square, corrected by Yates", "N·max(0, |AD-BC| - N/2)²/((A+B)(C+D)(A+C)(B+D))", "Yates 1934",
			"N*max(0,abs(det(A,D,B,C))-N/2)^2/(df*(N-df)*n_c*(N-n_c))")
	}
	return d.tells("Deviation from chance",
		"is it independent of the class?", "0 to N",
		"unsigned: a term that the class avoids counts as much; unreliable where fewer than 5 documents are expected; with a large N everything is significant", "yang1997", "yates1934")
}

func tokenChiSquare() *definition {
	d := define("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", inTokens(chiFormula))
	d.UsesTokens = true
	return d.tells("Occurrences",
		"is an occurrence independent of the class?", "0 to T",
		"unsigned; a text repeats its words, so nearly everything is significant", "zheng2009")
}

func nglCoefficient() *definition {
	d := define("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997",
		gapFormula+"*sqrt"+perSizesFormula+"*sqrt"+scaleFormula)
	d.deviation = &deviation{form: kernels.Signed, table: roots, factor: func(n, df float64) float64 { return math.Sqrt(scaleOf(n, df)) }}
	return d.tells("Deviation from chance",
		"is it more frequent here than chance allows?", "-√N to √N",
		"unreliable where fewer than 5 documents are expected; with a large N everything is significant", "ng1997")
}

func gssCoefficient() *definition {
	d := define("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", gapFormula+"/(N*N)")
	d.deviation = &deviation{form: kernels.Signed, table: ones, divisor: func(n, _ float64) float64 { return float64(n * n) }}
	return d.tells("Deviation from chance",
		"how many documents beyond chance?", "-¼ to ¼",
		"frequent terms and large classes win; its sum over the classes is 0 if every document has one label", "galavotti2000")
}

func balancedAccuracy() *definition {
	d := define("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", "abs("+ratesGapFormula+")")
	d.deviation = &deviation{form: kernels.Absolute, table: inverses}
	return d.tells("Deviation from chance",
		"how far apart are the rates?", "0 to 1",
		"a rare term cannot win, however pure", "forman2003")
}
