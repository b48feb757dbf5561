package naive

import "math"

// acc2 is |tpr - fpr|, the balanced accuracy of Forman 2003 (section 11).
func acc2(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 0
		}
		return math.Abs(x.det()) / (x.in() * x.out())
	}
}

// ndm is |tpr - fpr|/min(tpr, fpr) of Rehman, Javed and Babri 2017, with 1/N for
// a minimum of 0 (section 11).
func ndm(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 0
		}
		least := math.Min(x.a/x.in(), x.b/x.out())
		if least == 0 {
			least = 1 / x.n()
		}
		return math.Abs(x.det()) / (x.in() * x.out()) / least
	}
}

// bns is the bi-normal separation of Forman 2003, both rates clipped to
// [0.0005, 0.9995] (section 4.7).
func bns(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 0
		}
		return math.Abs(quantile(clipped(x.a/x.in())) - quantile(clipped(x.b/x.out())))
	}
}

func clipped(p float64) float64 { return math.Min(math.Max(p, .0005), .9995) }

// quantile inverts the standard normal distribution function for 0 < p < 1. Its
// upper half mirrors the lower one, where p is erfc(x/sqrt 2)/2 at -x; near the
// middle 1-2p = erf(x/sqrt 2) keeps the digits.
func quantile(p float64) float64 {
	if p > .5 {
		return -quantile(1 - p)
	}
	if p > .25 {
		return -math.Sqrt2 * bisect(func(x float64) bool { return math.Erf(x) < 1-2*p })
	}
	return -math.Sqrt2 * bisect(func(x float64) bool { return math.Erfc(x) > 2*p })
}

// bisect finds where below turns false between 0 and 40.
func bisect(below func(float64) bool) float64 {
	if !below(0) {
		return 0
	}
	low, high := 0., 40.
	for {
		middle := low + (high-low)/2
		switch {
		case middle == low || middle == high:
			return middle
		case below(middle):
			low = middle
		default:
			high = middle
		}
	}
}
