package kernels

import "math"

// This file holds the exponential function with the same bits on every CPU and for every build, as
// log.go does the logarithm.

const perLn2 = 1 / math.Ln2

// expTerms are 1/2!, 1/3!, ... of the series of exp. With |r| <= ln 2 / 2 twelve of them leave less
// than 2^-57 of exp(r).
var expTerms = [...]float64{
	1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800,
}

// Exp returns e^x within one ulp, but for results below the normal numbers, which are rounded twice.
func Exp(x float64) float64 { return expOf(x, 0) }

// expOf returns e^(x+rest). rest is far smaller than x.
func expOf(x, rest float64) float64 {
	switch {
	case math.IsNaN(x), x > 710: // also +Inf
		return x * math.MaxFloat64
	case x < -746:
		return 0
	}
	k := math.RoundToEven(float64(x * perLn2))
	high, low := x-float64(k*ln2Hi), float64(k*ln2Lo)-rest // the product with 33 bits is exact
	r := high - low
	sum := 0.0
	for i := len(expTerms) - 1; i >= 0; i-- {
		sum = float64(r*sum) + expTerms[i]
	}
	return scaled(1+(r+(float64(float64(r*r)*sum)+((high-r)-low))), int(k))
}

// scaled returns x·2^k for x in [1/2, 2).
func scaled(x float64, k int) float64 {
	const bias, mantissa = 1023, 52
	if -bias+1 < k && k < bias {
		return x * math.Float64frombits(uint64(bias+k)<<mantissa)
	}
	return math.Ldexp(x, k)
}
