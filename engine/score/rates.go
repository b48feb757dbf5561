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

func biNormalSeparation() *definition {
	return define("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003",
		fmt.Sprintf("(n_c>0)*(n_c<N)*abs(probit(max(%[1]v,min(A/n_c,1-%[1]v)))-probit(max(%[1]v,min(B/(N-n_c),1-%[1]v))))", bnsClip))
}

func normalisedDifferenceMeasure() *definition {
	return define("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017",
		"abs("+ratesGapFormula+")/max(min(A/n_c,B/(N-n_c)),(A*B==0)/N)")
}

func probabilityRatioMeasure() *definition {
	return define("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007",
		"(A*(N-n_c)/(max(B,.5)*n_c))^(min(n_c,N-n_c,df,N-df)>0)")
}

func zeta() *definition {
	d := define("zeta", "Burrows's zeta", "tpr - fpr", "Burrows 2007", ratesGapFormula)
	d.deviation = &deviation{form: kernels.Signed, table: inverses}
	return d
}

func craigsZeta() *definition {
	d := define("zetacraig", "Craig's zeta", "tpr + (1 - fpr)", "Craig & Kinney 2009", ratesGapFormula+"+1")
	d.deviation = &deviation{form: kernels.Signed, table: inverses, plus: 1}
	return d
}

func edersZeta() *definition {
	return define("zetaeder", "Eder's zeta", "(tpr - fpr)/(tpr + fpr)", "Eder, Rybicki & Kestemont 2016",
		"det(A,N-n_c,B,n_c)/(A*(N-n_c)+B*n_c)") // 1 for all terms that only the class has
}
