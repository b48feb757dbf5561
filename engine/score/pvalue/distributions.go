// Package pvalue gives the probabilities behind selection by error rate: the
// upper tails of the distributions that the measures' values have when term and
// class are independent, Fisher's exact test of a table of counts, and what
// passes at a rate of false positives, of false discoveries or of any error. Two samples of values
// are compared by their ranks and by their means. Of the beta distribution there is the quantile, by
// which the bounds of a share are found.
//
// Every probability that comes out is a natural logarithm, so that the order of the best terms
// survives: p = 1e-10000 is -23025.85, where p itself would be 0 like all its
// neighbours. It has 12 digits both there and where p is near 1 and its logarithm
// near 0. Divide by ln 10 for powers of ten.
//
// NaN never comes out: where an argument makes no sense (NaN, fewer than one
// degree of freedom or more than 2^32, a negative count) nothing speaks against
// independence, p = 1 and the result is 0. An infinite statistic has p = 0, the
// result -Inf.
//
// As in package score every product that feeds a sum is converted explicitly (also
// one that is assigned first, which alone does not keep it from being fused), and
// logarithm and exponential are our own: the same bits on every CPU.
package pvalue

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// The two-sided tail of the normal distribution is erfc(y) at
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

// mostDegrees bounds the degrees of freedom: the time to compute a tail grows with
// their root, to a millisecond there.
const mostDegrees = 1 << 32

func possibleDegrees(d float64) bool { return d >= 1 && d <= mostDegrees }

// ChiSquare returns ln P(X² >= x) of chi-square with these degrees of freedom.
func ChiSquare(x, degrees float64) float64 {
	switch {
	case !(x > 0) || !possibleDegrees(degrees):
		return 0
	case degrees == 1 && x <= 8:
		return erfcNear(math.Sqrt(x / 2))
	case degrees == 1:
		return erfcFar(x)
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
	e := kernels.Exp(-math.Abs(u))
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
	return value, kernels.Exp(front - value)
}
