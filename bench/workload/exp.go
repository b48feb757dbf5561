package workload

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file holds the exponential with the same bits on every CPU and for every
// build, as kernels.Log is: a corpus must not depend on the machine.

// inverseFactorials are 1/0!, 1/1!, ... With |r| <= ln(2)/2 fourteen of them leave
// less than 2^-57.
var inverseFactorials = [...]float64{
	1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880,
	1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800,
}

// exp returns e^x, within two ulp; beyond ±700 it stays where it is.
func exp(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01 // ln 2 rounded to 33 bits
		ln2Lo = 1.90821492927057770002e-10 // the rest of it
	)
	x = min(max(x, -700), 700)
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)
	// Two chains, of the even and of the odd powers, wait half as long as one.
	z := float64(r * r)
	even, odd := 0.0, 0.0
	for i := len(inverseFactorials) - 2; i >= 0; i -= 2 {
		even = float64(even*z) + inverseFactorials[i]
		odd = float64(odd*z) + inverseFactorials[i+1]
	}
	scale := math.Float64frombits(uint64(1023+int64(k)) << 52)
	return (float64(odd*r) + even) * scale
}

// power returns x^y for x > 0.
func power(x, y float64) float64 {
	if y == -1 {
		return 1 / x
	}
	return exp(float64(y * kernels.Log(x)))
}
