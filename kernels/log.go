package kernels

import "math"

// This file holds the natural logarithm with the same bits on every CPU and
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
