package score

import (
	"fmt"

	"github.com/termsift/termsift/kernels"
)

// This family compares the true positive rate A/n_c with the false positive rate B/(N-n_c). To students
// of style their difference is zeta.

// Rates of exactly 0 and 1 have no finite quantile. Clipping, not replacing,
// keeps one occurrence in a large class above none.
const bnsClip = 0.0005

func rateMeasures() []*definition {
	return []*definition{
		probabilityRatioMeasure(), biNormalSeparation(), normalisedDifferenceMeasure(), zeta(), craigsZeta(), edersZeta(),
	}
}

func biNormalSeparation() *definition {
	return define("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003",
		fmt.Sprintf("(n_c>0)*(n_c<N)*abs(probit(max(%[1]v,min(A/n_c,1-%[1]v)))-probit(max(%[1]v,min(B/(N-n_c),1-%[1]v))))", bnsClip)).tells("Rates",
		"how far apart are the rates, as quantiles of a normal distribution?", "0 to 6.58",
		"a rate below 0.0005 counts as 0.0005: rare terms of large corpora tie", "forman2003")
}

func normalisedDifferenceMeasure() *definition {
	return define("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017",
		"abs("+ratesGapFormula+")/max(min(A/n_c,B/(N-n_c)),(A*B==0)/N)").tells("Rates",
		"how many times larger is one rate? max(pr, 1/pr) - 1", "0 to N",
		"a rate of 0 is taken as 1/N, so that order depends on the other", "rehman2017")
}

func probabilityRatioMeasure() *definition {
	return define("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007",
		"(A*(N-n_c)/(max(B,.5)*n_c))^(min(n_c,N-n_c,df,N-df)>0)").tells("Share of the class",
		"how much more often than in the rest?", "0 to 2(N-n_c)",
		"where B is 0 it takes ½ for it, so that order depends on A", "li2007")
}

func zeta() *definition {
	d := define("zeta", "Burrows's zeta", "tpr - fpr", "Burrows 2007", ratesGapFormula)
	d.deviation = &deviation{form: kernels.Signed, table: inverses}
	return d.tells("Shares of documents",
		"how many more of the class's documents have it?", "-1 to 1",
		"a rare term cannot win; shares depend on the length of documents", "burrows2007")
}

func craigsZeta() *definition {
	d := define("zetacraig", "Craig's zeta", "tpr + (1 - fpr)", "Craig & Kinney 2009", ratesGapFormula+"+1")
	d.deviation = &deviation{form: kernels.Signed, table: inverses, plus: 1}
	return d.tells("Shares of documents",
		"what share of the class has it, and what share of the rest has it not?", "0 to 2",
		"a rare term cannot win; shares depend on the length of documents", "craig2009")
}

// edersZeta is 1 for all terms that only the class has.
func edersZeta() *definition {
	return define("zetaeder", "Eder's zeta", "(tpr - fpr)/(tpr + fpr)", "Eder, Rybicki & Kestemont 2016",
		"det(A,N-n_c,B,n_c)/(A*(N-n_c)+B*n_c)").sparse().tells("Shares of documents",
		"how far apart are the shares of documents, beside their sum?", "-1 to 1",
		"1 for every term that only the class has", "eder2016")
}
