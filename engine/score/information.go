package score

import "fmt"

// This family rests on logarithms of O/E, what is observed over what independence expects:
// of one cell (mi), of the cells with the term (ece) and of all four (emi, g2, g2tf). Information
// gain, which sums over classes, is in gain.go.

// Formulas of O/E. det(N,A,df,n_c) is N·(O-E) of the documents of the class with the term and of those outside it without
// it, and -N·(O-E) of the others. Sums of E·excess((O-E)/E), here times N, are those of O·ln(O/E), for the deviations
// cancel. Of real values O-E may be rounded to more than E. A/df is 1 for all terms that only the class has: they tie.
const (
	liftFormula = "lnratio(A/df,n_c/N,det(N,A,df,n_c)/(df*N))"

	withInside     = "df*n_c*excess(max(-1,det(N,A,df,n_c)/(df*n_c)))"
	withOutside    = "df*(N-n_c)*excess(max(-1,-det(N,A,df,n_c)/(df*(N-n_c))))"
	withoutInside  = "(N-df)*n_c*excess(max(-1,-det(N,A,df,n_c)/((N-df)*n_c)))"
	withoutOutside = "(N-df)*(N-n_c)*excess(max(-1,det(N,A,df,n_c)/((N-df)*(N-n_c))))"

	divergenceFormula = withInside + "+" + withOutside + "+" + withoutInside + "+" + withoutOutside
)

func informationMeasures(o Options) []*definition {
	return []*definition{
		mutualInformation(o), expectedMutualInformation(o), logLikelihood(), informationGain(o), expectedCrossEntropy(o),
		tokenLogLikelihood(o),
	}
}

func mutualInformation(o Options) *definition {
	d := define("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", "(min(df,n_c)>0)*"+liftFormula+o.perLogFormula())
	d.presentOnly = true
	return d.tells("Share of the class",
		"how many times more often than by chance?", "-inf to -ln P(c)",
		"largest for every term of a single document; small classes win", "yang1997", "church1990")
}

func expectedMutualInformation(o Options) *definition {
	return define("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17",
		"("+divergenceFormula+")/N^2"+o.perLogFormula()).tells("Information",
		"what does the term tell about this class?", "0 to ln 2",
		"unsigned: a term that the class avoids counts as much", "manning2008")
}

func expectedCrossEntropy(o Options) *definition {
	of := "A/N*" + liftFormula + o.perLogFormula()
	return define("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999", of).summed(of).tells("Information",
		"what do documents with the term tell about their class?", "0 and more",
		"may be negative where documents have several labels", "koller1997", "mladenic1999")
}

func logLikelihood() *definition {
	return define("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993", "2*("+divergenceFormula+")/N").tells("Information",
		"is it independent of the class?", "0 to 2N·ln 2",
		"unsigned: a term that the class avoids counts as much; with a large N everything is significant", "dunning1993")
}

func tokenLogLikelihood(o Options) *definition {
	d := define("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) over four cells, in tokens", "Dunning 1993",
		inTokens("2*("+divergenceFormula+")/N"))
	if o.TwoCells {
		d = define("g2tf", "log-likelihood on tokens, cells of the term", "2·(A·ln(A/E_A) + B·ln(B/E_B)) in tokens", "Rayson & Garside 2000",
			inTokens("2*("+withInside+"+"+withOutside+")/N"))
	}
	d.UsesTokens = true
	return d.tells("Occurrences",
		"is an occurrence independent of the class?", "0 to 2T·ln 2",
		"unsigned; a text repeats its words, and larger corpora have larger values", "dunning1993", "rayson2000")
}

// perLogFormula returns what logarithms to the base of the options are divided by.
func (o Options) perLogFormula() string {
	if o.Base == 0 {
		return ""
	}
	return fmt.Sprintf("/ln(%v)", o.Base)
}
