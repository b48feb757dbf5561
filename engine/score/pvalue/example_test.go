package pvalue_test

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
)

func ExampleFDR() {
	statistics := []float64{50000, 60000, 12.5, 7.9, 0.3} // chi-square of five terms
	lnp := make([]float64, len(statistics))
	for i, x := range statistics {
		lnp[i] = pvalue.ChiSquare(x, 1)
	}
	fmt.Println(pvalue.FDR(lnp, 0.01), "pass, the best with p =", fmt.Sprintf("1e%.0f", lnp[1]/math.Ln10))
	// Output: 4 pass, the best with p = 1e-13031
}
