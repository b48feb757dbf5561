package score

import "fmt"

// This family compares odds: of documents, smoothed by ½ (or, lor), and of tokens, smoothed by a
// prior in proportion to the corpus (logodds, logoddsz).

func oddsMeasures() []*definition {
	return []*definition{oddsRatio(), logOddsRatio(), dirichletLogOdds(), dirichletZ()}
}

func oddsRatio() *definition {
	return define("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½",
		"((A+.5)*(D+.5)/((B+.5)*(C+.5)))^((n_c>0)*(n_c<N))").tells("Odds",
		"how much larger are the odds of the term in the class?", "above 0",
		"a sum is its largest value; rare pure terms are large, tamed by ½ in each cell", "rijsbergen1981")
}

func logOddsRatio() *definition {
	return define("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½",
		"(n_c>0)*(n_c<N)*lnratio((A+.5)*(D+.5),(B+.5)*(C+.5),det(A,D,B,C)+(A-B+D-C)/2)").tells("Odds",
		"how much larger are the odds of the term in the class, symmetric about 0?", "finite",
		"rare pure terms are large", "rijsbergen1981")
}

func dirichletLogOdds() *definition {
	d := define("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008",
		fmt.Sprintf(logOddsFormula, dirichletWeight))
	d.UsesTokens = true
	return d.sparse().tells("Occurrences",
		"how much larger are the odds of a token? The prior pulls rare terms to 0", "finite",
		"says nothing of how sure it is", "monroe2008")
}

func dirichletZ() *definition {
	d := define("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008",
		fmt.Sprintf(logOddsFormula+"*sqrt((S+%[1]v*cf/T)*(cf-S+%[1]v*cf/T)/(cf+2*%[1]v*cf/T))", dirichletWeight))
	d.UsesTokens = true
	return d.sparse().tells("Occurrences",
		"how many standard errors is the log odds of a token from 0?", "finite",
		"frequent terms win", "monroe2008")
}

// dirichletWeight is the number of tokens that the prior is worth.
const dirichletWeight = 10

// logOddsFormula lacks the number of tokens that the prior is worth. It has the four sums of counts and the prior; the
// difference of their products is (AD - BC)(1 + 2·α0/T) in tokens.
const logOddsFormula = "lnratio((S+%[1]v*cf/T)*(T-cf-T_c+S+%[1]v*(T-cf)/T)," +
	"(cf-S+%[1]v*cf/T)*(T_c-S+%[1]v*(T-cf)/T),det(T,S,cf,T_c)*(1+2*%[1]v/T))"
