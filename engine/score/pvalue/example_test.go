package pvalue_test

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// A term in 3 of 1,000 documents of a class, and in none of 99,000 others: chi-square
// takes for certain what three documents cannot show.
func ExampleTable_Approximation() {
	a := pvalue.Table{A: 3, B: 0, C: 997, D: 99000}.Approximation()
	fmt.Printf("p = 1e%.1f, by chi-square 1e%.1f\n", a.Exact/math.Ln10, a.ChiSquare/math.Ln10)
	fmt.Println("few expected:", a.LeastExpected < pvalue.FewExpected)
	// Output:
	// p = 1e-6.0, by chi-square 1e-65.8
	// few expected: true
}

func ExampleFDR() {
	statistics := []float64{50000, 60000, 12.5, 7.9, 0.3} // chi-square of five terms
	lnp := make([]float64, len(statistics))
	for i, x := range statistics {
		lnp[i] = pvalue.ChiSquare(x, 1)
	}
	fmt.Println(pvalue.FDR(lnp, 0.01), "pass, the best with p =", fmt.Sprintf("1e%.0f", lnp[1]/math.Ln10))
	// Output: 4 pass, the best with p = 1e-13031
}
