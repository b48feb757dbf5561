package score

import "fmt"

// This family compares the share of a class with that of the rest, damped: of documents (rs, rsw,
// zetalog) and of tokens (simplemaths); or A with B (rf).

func relevancyScore(o Options) *definition {
	return define("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
		fmt.Sprintf("lnratio(A/n_c+%[1]v,D/(N-n_c)+%[1]v,det(A,N-n_c,D,n_c)/(n_c*(N-n_c)))", o.damping())+o.perLogFormula())
}

func wienerScore(o Options) *definition {
	return define("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
		fmt.Sprintf(wienerFormula, o.damping())+o.perLogFormula())
}

func logZeta(o Options) *definition {
	return define("zetalog", "zeta of logarithms", "log2(A/n_c + c) - log2(B/(N-n_c) + c), c = 1.1", "Schöch et al. 2018",
		fmt.Sprintf(wienerFormula, o.zetaC())+"/ln(2)")
}

func simpleMaths(o Options) *definition {
	d := define("simplemaths", "simple maths", "(10⁶·S/T_c + k)/(10⁶·(cf-S)/(T-T_c) + k), k = 1", "Kilgarriff 2009",
		fmt.Sprintf("((1e6*S/T_c+%[1]v)/(1e6*(cf-S)/(T-T_c)+%[1]v))^((T_c>0)*(T_c<T))", o.smooth()))
	d.UsesTokens = true
	return d
}

func relevanceFrequency() *definition {
	return define("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", "log2(2+A/max(1,B))")
}

// wienerFormula lacks what it is damped by.
const wienerFormula = "lnratio(A/n_c+%[1]v,B/(N-n_c)+%[1]v," + ratesGapFormula + ")"
