package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file holds the functions that the distributions share.

// polynomial is c[0] + c[1]·x + c[2]·x² + ...; len(c) must be a multiple of four.
// Groups of four depend on each other only through one multiplication and one
// addition, so that the CPU works at several of them.
func polynomial(c []float64, x float64) float64 {
	x2 := float64(x * x)
	x4 := float64(x2 * x2)
	sum := 0.0
	for len(c) >= 4 {
		g := c[len(c)-4:]
		low := g[0] + float64(g[1]*x)
		high := g[2] + float64(g[3]*x)
		sum = float64(sum*x4) + (low + float64(high*x2))
		c = c[:len(c)-4]
	}
	return sum
}

// oddInverses are 1/3, 1/5, 1/7, ...
var oddInverses = func() (c [28]float64) {
	for i := range c {
		c[i] = 1 / float64(2*i+3)
	}
	return c
}()

// atanhRest is atanh(v)/v - 1 = v²/3 + v⁴/5 + ... for |v| <= 1/2, with as many
// terms as 2^-56 needs.
func atanhRest(v float64) float64 {
	w := float64(v * v)
	terms := len(oddInverses)
	switch {
	case w < 1./(1<<14):
		terms = 4
	case w < 1./32:
		terms = 12
	}
	return float64(w * polynomial(oddInverses[:terms], w))
}

// complement returns ln(1-q), given ln q.
func complement(lnq float64) float64 { return kernels.Log1p(-kernels.Exp(lnq)) }

// logSum returns ln(e^x + e^y).
func logSum(x, y float64) float64 {
	if x < y {
		x, y = y, x
	}
	if math.IsInf(y, -1) {
		return x
	}
	return x + kernels.Log1p(kernels.Exp(y-x))
}

// fraction returns the continued fraction first + a(1)/(b(1) + a(2)/(b(2) + ...)),
// whose part(m) gives a(m) and b(m), by Lentz's method as modified by Thompson and
// Barnett (J. Comput. Phys. 64 (1986) 490-509): products of the ratios of successive
// numerators and denominators, which neither overflow nor cancel.
func fraction(first float64, part func(m float64) (a, b float64)) float64 {
	const (
		tiny = 1e-280 // stands for 0 where that would be divided by
		most = 1 << 21
	)
	value := notZero(first, tiny)
	up, down := value, 0.0
	for m := 1.0; m < most; m++ {
		a, b := part(m)
		down = 1 / notZero(b+float64(a*down), tiny)
		up = notZero(b+a/up, tiny)
		factor := float64(up * down)
		value = float64(value * factor)
		if math.Abs(factor-1) <= 1./(1<<51) {
			break
		}
	}
	return value
}

func notZero(x, tiny float64) float64 {
	if x == 0 {
		return tiny
	}
	return x
}

// Two functions are those of Loader's saddle-point expansion ("Fast and
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
