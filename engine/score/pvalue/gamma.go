package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// mostDegrees bounds the degrees of freedom: the time to compute a tail grows with
// their root, to a millisecond there.
const mostDegrees = 1 << 32

func possibleDegrees(d float64) bool { return d >= 1 && d <= mostDegrees }

// ChiSquare returns ln P(X² >= x) of chi-square with these degrees of freedom.
func ChiSquare(x, degrees float64) float64 {
	switch {
	case !(x > 0) || !possibleDegrees(degrees):
		return 0
	case degrees == 1:
		return chiSquareOne(x)
	case math.IsInf(x, 1):
		return math.Inf(-1)
	case degrees == 2:
		return -x / 2
	}
	return upperGamma(degrees/2, x/2)
}

// upperGamma is ln Q(a, x), Q = Γ(a, x)/Γ(a), for a > 1/2 and x > 0. Below the mean
// it is the complement of the series of P, above it the continued fraction of Q
// (Abramowitz & Stegun 6.5.29 and 6.5.31, contracted): both gain digits in steps that
// grow with √a at worst.
func upperGamma(a, x float64) float64 {
	// ln(x^a e^-x/Γ(a+1)): no term of it cancels with another.
	front := -(Deviance(a, x, a-x) + stirling(a)) - float64(.5*kernels.Log(float64(2*math.Pi*a)))
	if x < a+1 {
		return complement(front + kernels.Log(gammaSeries(a, x)))
	}
	shift := x + 1 - a
	value := fraction(shift, func(m float64) (float64, float64) {
		return -float64(m * (m - a)), shift + float64(2*m)
	})
	return front + kernels.Log(a/value)
}

// gammaSeries is 1 + x/(a+1) + x²/((a+1)(a+2)) + ...
func gammaSeries(a, x float64) float64 {
	sum, term := 1.0, 1.0
	for {
		a++
		term = float64(term * (x / a))
		if sum += term; term <= sum/(1<<60) {
			return sum
		}
	}
}
