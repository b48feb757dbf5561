package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// Beyond these the tails of F and t are powers of the statistic to all digits, and
// its products with degrees of freedom, or its square, would overflow or underflow.
const (
	farF, farT = 1e290, 1e145
	nearT      = 1e-100
)

// F returns ln P(F >= f) of Fisher's F with d1 degrees of freedom in the numerator
// and d2 in the denominator; that of anova has K-1 and N-K.
func F(f, d1, d2 float64) float64 {
	switch {
	case !(f > 0) || !possibleDegrees(d1) || !possibleDegrees(d2):
		return 0
	case f > farF:
		return F(farF, d1, d2) - float64(d2/2*kernels.Log(f/farF))
	}
	a, b, all := d2/2, d1/2, d2+float64(d1*f)
	x, y := d2/all, float64(d1*f)/all
	gap := float64(float64(a*d1) * ((f - 1) / all)) // a - (a+b)x = (a+b)y - b
	if f > 1 {
		return lowerBeta(a, b, x, y, gap)
	}
	return complement(lowerBeta(b, a, y, x, -gap))
}

// Student returns ln P(|T| >= |t|) of Student's t with these degrees of freedom:
// both tails.
func Student(t, degrees float64) float64 {
	switch t = math.Abs(t); {
	case !possibleDegrees(degrees):
		return 0
	case t > farT:
		return F(float64(farT*farT), 1, degrees) - float64(degrees*kernels.Log(t/farT))
	case t < nearT:
		return float64(F(float64(nearT*nearT), 1, degrees) * (t / nearT))
	}
	return F(float64(t*t), 1, degrees)
}

// lowerBeta is ln I_x(a, b), y = 1-x, gap = a - (a+b)x >= 0.
func lowerBeta(a, b, x, y, gap float64) float64 {
	return betaFront(a, b, x, y, gap) - kernels.Log(betaFraction(a, b, x, y, gap))
}

// betaFront is ln(x^a y^b/B(a, b)), without cancellation: the logarithm of the derivative of
// I_x(a, b) by ln(x/y).
func betaFront(a, b, x, y, gap float64) float64 {
	n := a + b
	return float64(.5*kernels.Log(float64(a*(b/n))/(2*math.Pi))) + (stirling(n) - stirling(a) - stirling(b)) -
		(Deviance(a, float64(n*x), gap) + Deviance(b, float64(n*y), -gap))
}

// betaFraction is x^a y^b/B(a, b) over I_x(a, b) for gap >= 0, by the continued fraction of
// DiDonato & Morris (ACM Trans. Math. Softw. 18 (1992) 360-373, eq. 9), whose terms become those
// of [upperGamma] when a grows. It is the derivative of ln I_x(a, b) by ln(x/y).
func betaFraction(a, b, x, y, gap float64) float64 {
	n := a + b
	return fraction(float64(a*(gap+1))/(a+1), func(m float64) (float64, float64) {
		before, after := a+float64(2*m)-1, a+float64(2*m)+1
		step := float64(float64(m*(b-m))*x) / before
		return float64(step*x) * (float64((a+m-1)*(n+m-1)) / before),
			m + step + float64((a+m)*(gap+1+float64(m*(1+y))))/after
	})
}
