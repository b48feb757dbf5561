package kernels

import "math"

// This file holds logarithms, the exponential function and powers with the same bits on every CPU and
// for every build. math.Log has assembly on some of them, and its pure Go form
// is contracted to fused operations on others.

const (
	ln2Hi = 6.93147180369123816490e-01 // ln 2 rounded to 33 bits
	ln2Lo = 1.90821492927058770002e-10 // the rest of it
)

// atanhTerms are 2/3, 2/5, ... of the series 2 atanh(s) = 2s + s·Σ. With
// |s| <= 0.1716 twelve of them leave less than 2^-60.
var atanhTerms = [...]float64{
	2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23, 2. / 25,
}

// lnNear1 returns ln(1+f) + k ln 2 for 1+f in [sqrt(1/2), sqrt(2)].
func lnNear1(f, k float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	sum := 0.0
	for i := len(atanhTerms) - 1; i >= 0; i-- {
		sum = float64(z*sum) + atanhTerms[i]
	}
	sum = float64(z * sum)
	half := float64(0.5 * float64(f*f))
	// ln(1+f) = f - f²/2 + s(f²/2 + Σ): the large part f stays exact.
	tail := float64(s*(half+sum)) + float64(k*ln2Lo)
	return float64(k*ln2Hi) - ((half - tail) - f)
}

// Log returns the natural logarithm of x >= 0 within one ulp; ln 0 = -Inf.
func Log(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	if math.IsInf(x, 1) {
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return lnNear1(m-1, float64(e))
}

// Log1p returns ln(1+u) for u >= -1 without losing the digits of a small u.
func Log1p(u float64) float64 {
	if math.Sqrt2/2-1 < u && u < math.Sqrt2-1 {
		return lnNear1(u, 0)
	}
	return Log(1 + u)
}

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

// Of powers and of logarithms to base 2: where an exponent or a logarithm needs more digits than a float64 has, it is
// the sum of two, the second far smaller than the first.

// Log2 returns the logarithm to base 2 of x >= 0 within two ulp; that of a power of 2 is exact, and log2 0 = -Inf.
func Log2(x float64) float64 {
	if x == 0 || math.IsInf(x, 1) {
		return Log(x)
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return float64(lnNear1(m-1, 0)*perLn2) + float64(e)
}

// Pow returns x^y within one ulp, and x·x and √x rounded for the exponents 2 and ½. It is NaN if x or y is, or if x < 0
// and y is no whole number; x^0 is 1, and an infinite y is even. The sign of zero counts for nothing: 0^-1 is +Inf.
func Pow(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0 || x == 1 || x == -1 && math.IsInf(y, 0):
		return 1
	case y == 1:
		return x
	case y == 2:
		return float64(x * x)
	case y == 0.5 && x >= 0:
		return math.Sqrt(x)
	case x < 0 && math.Trunc(y) != y:
		return math.NaN()
	case x < 0 && !math.IsInf(y, 0) && math.Mod(y, 2) != 0:
		return -powOf(-x, y)
	}
	return powOf(math.Abs(x), y)
}

// mostFactors is the largest whole exponent for which factors are multiplied.
const mostFactors = 64

// byFactors returns x^n by products of two numbers each, or of its inverse for n < 0. It returns false if one of them
// could overflow or lose digits.
func byFactors(x float64, n int) (power float64, ok bool) {
	_, e := math.Frexp(x)
	times := max(n, -n)
	if (max(e, -e)+1)*times > 900 {
		return 0, false
	}
	p, p2, square, square2 := 1.0, 0.0, x, 0.0
	for ; times > 0; times >>= 1 {
		if times&1 == 1 {
			p, p2 = times2(p, p2, square, square2)
		}
		square, square2 = times2(square, square2, square, square2)
	}
	if n > 0 {
		return p + p2, true
	}
	q := 1 / p
	product, rest := twoProduct(q, p)
	return q + float64(q*((1-product)-rest-float64(q*p2))), true
}

// times2 returns the product of two numbers that are sums of two.
func times2(x, x2, y, y2 float64) (product, rest float64) {
	p, r := twoProduct(x, y)
	return twoSum(p, r+(float64(x*y2)+float64(x2*y)))
}

// powOf returns x^y for x >= 0 and y != 0.
func powOf(x, y float64) float64 {
	if x == 0 || math.IsInf(x, 1) {
		if x == 0 == (y > 0) {
			return 0
		}
		return math.Inf(1)
	}
	if x == 1 {
		return 1
	}
	if n := int(max(-mostFactors-1, min(y, mostFactors+1))); float64(n) == y && -mostFactors <= n && n <= mostFactors {
		if power, ok := byFactors(x, n); ok {
			return power
		}
	}
	ln, low := logOf(x)
	if p := float64(ln * y); p < -800 || p > 800 {
		return expOf(p, 0)
	}
	p, rest := twoProduct(ln, y)
	return expOf(p, rest+float64(low*y))
}

// logOf returns ln x, for 0 < x < Inf, as the sum of two numbers with a relative error of 2^-64.
func logOf(x float64) (ln, low float64) {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// ln m = 2 atanh(s) = 2s(1 + z/3 + z²/5 + ...), s = (m-1)/(m+1), z = s²
	f, k := m-1, float64(e)
	d := 2 + f
	s := f / d
	p, rest := twoProduct(s, d)
	s2 := (((f - p) - rest) - float64(s*(f-(d-2)))) / d
	z, z2 := twoProduct(s, s)
	z2 += float64(2 * float64(s*s2))
	sum := 0.0
	for i := len(logTerms) - 1; i >= 0; i-- {
		sum = float64(z*sum) + logTerms[i]
	}
	const third2 = 1.850371707708594234e-17 // what 1/3 lacks
	t, t2 := twoSum(1./3, float64(z*sum)+third2)
	p, rest = twoProduct(z, t)
	t, t2 = twoSum(p, rest+(float64(z*t2)+float64(z2*t)))
	p, rest = twoProduct(s, t)
	low = rest + (float64(s*t2) + float64(s2*t)) + s2
	ln, rest = twoSum(2*s, 2*p)
	low = 2*low + rest + float64(k*ln2Lo)
	ln, rest = twoSum(float64(k*ln2Hi), ln)
	return twoSum(ln, low+rest)
}

// logTerms are 1/5, 1/7, ... of the series of logOf: with z <= 0.0295 they leave less than 2^-75.
var logTerms = [...]float64{
	1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25, 1. / 27, 1. / 29, 1. / 31,
}

// twoSum returns x + y, rounded, and what that lacks (Knuth).
func twoSum(x, y float64) (sum, rest float64) {
	sum = x + y
	of := sum - x
	return sum, (x - (sum - of)) + (y - of)
}

// twoProduct returns x·y, rounded, and what that lacks.
func twoProduct(x, y float64) (product, rest float64) {
	product = float64(x * y)
	return product, math.FMA(x, y, -product)
}
