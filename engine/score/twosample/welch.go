package twosample

import (
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// A Sample is what the test of means needs to know of a sample.
type Sample struct {
	N       int
	Mean    float64
	Squares float64 // Σ(x - Mean)²; exactly 0 if all values are equal
}

// NewSample returns the sample of values and of zeros more values that are 0. The values are
// added in their order.
func NewSample(values []float64, zeros int) Sample {
	s := Sample{N: len(values) + zeros}
	if s.N == 0 {
		return s
	}
	least, most, sum := math.Inf(1), math.Inf(-1), 0.
	if zeros > 0 {
		least, most = 0, 0
	}
	for _, v := range values {
		least, most = min(least, v), max(most, v)
		sum += v
	}
	if least == most {
		s.Mean = least
		return s
	}
	s.Mean = sum / float64(s.N)
	for _, v := range values {
		d := v - s.Mean
		s.Squares += float64(d * d)
	}
	s.Squares += float64(float64(zeros) * float64(s.Mean*s.Mean))
	return s
}

// squaredError returns Σ(x - mean)²/(n-1)/n, the variance of the mean.
func (s Sample) squaredError() float64 { return s.Squares / float64(s.N-1) / float64(s.N) }

// A WelchTest is the result of [Welch].
type WelchTest struct {
	T       float64 // positive if the first mean is greater
	Degrees float64 // of freedom; NaN if neither sample varies
	LnP     float64 // two-sided, of Student's t
}

// Welch tests whether two samples, whose variances may differ, have the same mean (Welch
// 1947): t = (m1-m2)/√(v1+v2) with v = Σ(x-m)²/(n-1)/n, and (v1+v2)²/(v1²/(n1-1) + v2²/(n2-1))
// degrees of freedom (Satterthwaite 1946). It is R's t.test. If neither sample varies, T is 0
// and p is 1 for equal means; else T is infinite and p is 0. All is NaN if a sample has less
// than two values.
func Welch(first, second Sample) WelchTest {
	if first.N < 2 || second.N < 2 {
		return WelchTest{math.NaN(), math.NaN(), math.NaN()}
	}
	difference := first.Mean - second.Mean
	v1, v2 := first.squaredError(), second.squaredError()
	v := v1 + v2
	if v == 0 {
		t := 0.
		if difference != 0 {
			t = math.Copysign(math.Inf(1), difference)
		}
		return WelchTest{t, math.NaN(), pvalue.Normal(t)}
	}
	w := WelchTest{T: difference / math.Sqrt(v)}
	share1, share2 := v1/v, v2/v
	w.Degrees = 1 / (float64(share1*share1)/float64(first.N-1) + float64(share2*share2)/float64(second.N-1))
	w.Degrees = max(w.Degrees, 1) // which it is but for rounding
	w.LnP = pvalue.Student(w.T, w.Degrees)
	return w
}
