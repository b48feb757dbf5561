package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file holds the two-sided tail of the normal distribution, erfc(y) at
// y = |z|/√2, which is also that of chi-square with one degree of freedom: most
// p-values are taken of it. ln erfc has two forms, of 20 coefficients each.

// near are those of ln erfc(y)/y for y <= 2, a polynomial in y - 1: no logarithm, and
// all digits of a p-value near 1. far are those of ln(√π·y·e^(y²)·erfc(y)) for
// y >= 2, a polynomial in (y-5)/(y+1) in [-1, 1], after Shepherd & Laframboise
// (Math. Comp. 36 (1981) 249-253), who take such a polynomial of the function itself.
// testdata/coefficients.py made both; their errors are 2e-17 and 5e-17.
var (
	near = [...]float64{
		-1.8496055099332482358, -0.78936200430154301551, -0.053745252056944887994, 0.012184154010419053604,
		-0.0021503285760398871464, 0.00017242555503130429244, 0.000064899151628220344983, -0.000038628782830436561991,
		0.00001148769670529704369, -1.9103575712481018103e-6, -1.0851377145632321627e-7, 2.1195004799455602502e-7,
		-8.6458740408913274909e-8, 2.062724702969696175e-8, -1.7566823318564783945e-9, -1.0895472395270414444e-9,
		7.4007129988563504261e-10, -2.3085573854753551248e-10, 5.1067233423995722337e-12, 1.3199185972350142582e-11,
	}
	far = [...]float64{
		-0.019086690178633915104, 0.043799670817910971806, -0.030609805245154895771, 0.0060085647740797929389,
		0.000029239111008617034001, -0.00010517813630946300821, -0.000051383034086819811645, 0.000011808463333782408475,
		4.6164923161627547351e-6, -2.382398963072561592e-7, -6.0152685932778188841e-7, -7.7394832510016859489e-8,
		5.626199432049654727e-8, 2.3819675149068466632e-8, -1.9296049686399918485e-9, -3.9124971095032932281e-9,
		-6.2638954015030420026e-10, 3.89973398345783762e-10, 1.0941431931650378495e-10, -1.5441607526050327527e-11,
	}
)

// lnHalfPi is ln(π/2).
const lnHalfPi = 0.45158270528945486473

// Normal returns ln P(|Z| >= |z|) of a standard normal Z: both tails.
func Normal(z float64) float64 {
	z = math.Abs(z)
	if z <= 2*math.Sqrt2 {
		return erfcNear(z / math.Sqrt2)
	}
	return erfcFar(float64(z * z))
}

// chiSquareOne is ln P(X² >= x) with one degree of freedom, x > 0.
func chiSquareOne(x float64) float64 {
	if x <= 8 {
		return erfcNear(math.Sqrt(x / 2))
	}
	return erfcFar(x)
}

// erfcNear is ln erfc(y) for 0 <= y <= 2.
func erfcNear(y float64) float64 { return float64(y * polynomial(near[:], y-1)) }

// erfcFar is ln erfc(√(x/2)) for x >= 8, and 0 for NaN.
func erfcFar(x float64) float64 {
	switch {
	case math.IsInf(x, 1):
		return math.Inf(-1)
	case !(x >= 8):
		return 0
	}
	y := math.Sqrt(x / 2)
	rest := polynomial(far[:], (y-5)/(y+1))
	return rest - float64(.5*(x+(kernels.Log(x)+lnHalfPi)))
}
