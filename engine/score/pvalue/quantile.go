package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// LogOddsOfBeta returns ln(x/(1-x)) of the x that a variable of the beta distribution with
// parameters a and b, both at least 1, does not exceed with probability p between 0 and 1. For
// p = 0 and 1, and beyond, it is -Inf and Inf.
//
// The lower bound of Clopper and Pearson (1934) for the probability of an event that occurred k
// times in n is this x for a = k and b = n-k+1; the odds tell those near 1 apart, too.
func LogOddsOfBeta(p, a, b float64) float64 {
	switch {
	case !(p > 0):
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	case p > .5:
		return -LogOddsOfBeta(1-p, b, a)
	}
	// ln I_x(a, b) is concave in u = ln(x/(1-x)), so Newton's steps come to u from below, but for
	// the first one.
	target := kernels.Log(p)
	u := kernels.Log(a/b) - math.Sqrt(float64(-2*target*(1/a+1/b)))
	for range mostNewtonSteps {
		value, slope := logBeta(a, b, u)
		rest := value - target
		u -= rest / slope
		if math.Abs(rest) <= nearNewton {
			break
		}
	}
	return u
}

// The error of a step of Newton's is of the order of the square of the last one's.
const (
	mostNewtonSteps = 100
	nearNewton      = 1e-9
)

// logBeta returns ln I_x(a, b) for u = ln(x/(1-x)), and its derivative by u.
func logBeta(a, b, u float64) (value, slope float64) {
	e := exp(-math.Abs(u))
	x, y := e/(1+e), 1/(1+e)
	if u > 0 {
		x, y = y, x
	}
	gap := float64(a*y) - float64(b*x)
	front := betaFront(a, b, x, y, gap)
	if gap >= 0 {
		slope = betaFraction(a, b, x, y, gap)
		return front - kernels.Log(slope), slope
	}
	value = complement(front - kernels.Log(betaFraction(b, a, y, x, -gap)))
	return value, expOf(front - value)
}

// expOf returns e^x.
func expOf(x float64) float64 {
	if x > 0 {
		return 1 / exp(-x)
	}
	return exp(x)
}
