package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file holds the two functions of Loader's saddle-point expansion ("Fast and
// accurate computation of binomial probabilities", 2000). Probabilities made of
// factorials cancel nearly all digits of these: ln n! of n = 1e9 is 2e10, and
// differences of a few of them should have 1e-13. He splits n! in n ln n - n, whose
// differences are sums of deviances and are taken as such, and the small rest, of
// which Stirling's series gives all digits.

// Deviance is o ln(o/e) - (o-e) >= 0 of an observed and an expected value, given
// their difference, which the caller has without cancellation.
func Deviance(o, e, difference float64) float64 {
	if o == 0 {
		return e
	}
	v := difference / (o + e) // o/e = (1+v)/(1-v), so ln(o/e) = 2 atanh(v)
	if math.Abs(v) <= .5 {
		return float64(v * (difference + float64(2*float64(o*atanhRest(v)))))
	}
	return float64(o*kernels.Log(o/e)) - difference
}

// stirling is ln Γ(n+1) - [½ ln(2πn) + n ln n - n] for n >= 1/2, and 0 for 0, whose
// factorial is 1 by itself.
func stirling(n float64) float64 {
	if n >= seriesFrom {
		return stirlingSeries(n)
	}
	if i := int(2 * n); float64(i) == 2*n {
		return stirlingHalves[i]
	}
	return stirling(n+1) + stirlingStep(n)
}

// stirlingStep is stirling(n) - stirling(n+1) = (n+½) ln(1+1/n) - 1, and the
// logarithm is 2 atanh(1/(2n+1)).
func stirlingStep(n float64) float64 { return atanhRest(1 / (float64(2*n) + 1)) }

func stirlingSeries(n float64) float64 {
	w := 1 / float64(n*n)
	return (1./12 - float64(w*(1./360-float64(w*(1./1260-float64(w*(1./1680-float64(w*(1./1188))))))))) / n
}

// seriesFrom is where five terms of the series leave less than 2^-48 of 1/(12n).
const seriesFrom = 16

// stirlingHalves are stirling(0), stirling(1/2), stirling(1), ... as degrees of
// freedom and small counts want them.
var stirlingHalves = func() (t [2 * seriesFrom]float64) {
	for i := len(t) - 1; i > 0; i-- {
		n := float64(i) / 2
		after := stirlingSeries(n + 1)
		if i+2 < len(t) {
			after = t[i+2]
		}
		t[i] = after + stirlingStep(n)
	}
	return t
}()
