package score

import "fmt"

// This family compares the share of a class with that of the rest, damped: of documents (rs, rsw,
// zetalog) and of tokens (simplemaths); or A with B (rf).

func relevanceMeasures(o Options) []*definition {
	return []*definition{relevanceFrequency(), wienerScore(o), relevancyScore(o), logZeta(o), simpleMaths(o)}
}

func relevancyScore(o Options) *definition {
	return define("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
		fmt.Sprintf("lnratio(A/n_c+%[1]v,D/(N-n_c)+%[1]v,det(A,N-n_c,D,n_c)/(n_c*(N-n_c)))", o.damping())+o.perLogFormula()).tells("Share of the class",
		"what share of the class has it?", "ln(d/(1+d)) to ln((1+d)/d)",
		"D/(N-n_c) is near 1 for nearly all terms, so this is nearly df within the class", "sebastiani2002")
}

func wienerScore(o Options) *definition {
	return define("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
		fmt.Sprintf(wienerFormula, o.damping())+o.perLogFormula()).sparse().tells("Share of the class",
		"how much more often than in the rest, damped by d?", "±ln((1+d)/d), ±1.95 for d = 1/6",
		"d decides between rare and frequent", "wiener1995")
}

func logZeta(o Options) *definition {
	return define("zetalog", "zeta of logarithms", "log2(A/n_c + c) - log2(B/(N-n_c) + c), c = 1.1", "Schöch et al. 2018",
		fmt.Sprintf(wienerFormula, o.zetaC())+"/ln(2)").sparse().tells("Shares of documents",
		"how many times larger is the share of documents, damped by c?", "±log2((1+c)/c)",
		"c decides between rare and frequent", "schoech2018")
}

func simpleMaths(o Options) *definition {
	d := define("simplemaths", "simple maths", "(10⁶·S/T_c + k)/(10⁶·(cf-S)/(T-T_c) + k), k = 1", "Kilgarriff 2009",
		fmt.Sprintf("((1e6*S/T_c+%[1]v)/(1e6*(cf-S)/(T-T_c)+%[1]v))^((T_c>0)*(T_c<T))", o.smooth()))
	d.UsesTokens = true
	return d.tells("Shares of documents",
		"how many times more often does the class use it?", "above 0",
		"k decides between rare and frequent", "kilgarriff2009")
}

func relevanceFrequency() *definition {
	return define("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", "log2(2+A/max(1,B))").tells("Share of the class",
		"how much more often than in the rest, as a weight of terms?", "1 to log2(2+n_c)",
		"ignores how large the rest is; large classes win", "lan2009")
}

// wienerFormula lacks what it is damped by.
const wienerFormula = "lnratio(A/n_c+%[1]v,B/(N-n_c)+%[1]v," + ratesGapFormula + ")"
