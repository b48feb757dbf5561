package pvalue

import "math"

// This file tests whether the values of two samples differ: by their ranks ([RankSum], the test of Wilcoxon and of Mann
// and Whitney) and by their means ([Welch]'s t). The caller gives what the tests need and no more: the values in
// ascending order as groups of equal ones, so that a million zeros cost what one value costs, or a [Sample].

// A RankSum compares two samples by the ranks of their values, equal values having the mean
// of their ranks (Wilcoxon 1945, Mann and Whitney 1947). The zero value has no values. The
// samples together have less than 2^32.
type RankSum struct {
	first, second uint64 // values so far
	// twiceU is 2U, U being the pairs of a value of the first sample and a lesser one of the
	// second, an equal one counting ½: R1 - n1(n1+1)/2 of its sum of ranks R1.
	twiceU uint64
	// untied is M³-M - Σ(t³-t) of M values in groups of t equal ones: a group adds 3mt(m+t) to m values before it.
	untied float64
}

// Add adds a group of equal values, first of the first sample and second of the second, which
// are greater than all before.
func (r *RankSum) Add(first, second int) {
	a, b := uint64(first), uint64(second)
	before, equal := float64(r.first+r.second), float64(first+second)
	r.untied += float64(float64(3*before*equal) * (before + equal))
	r.twiceU += a * (2*r.second + b)
	r.first += a
	r.second += b
}

// defined reports whether both samples have a value. The other results are NaN if not.
func (r *RankSum) defined() bool { return r.first > 0 && r.second > 0 }

// Sign returns 1 if the first sample has the greater values, -1 if the second has, and 0 if U
// is what it is on average where the samples do not differ.
func (r *RankSum) Sign() int {
	switch d := r.twiceDeviation(); {
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

// twiceDeviation returns 2(U - n1·n2/2).
func (r *RankSum) twiceDeviation() int64 { return int64(r.twiceU) - int64(r.first*r.second) }

// variance returns the variance of U where the samples do not differ, given the ties:
// n1·n2/12·(M + 1 - Σ(t³-t)/(M(M-1))) of M values.
func (r *RankSum) variance() float64 {
	if !r.defined() {
		return math.NaN()
	}
	m := float64(r.first + r.second)
	return float64(r.first*r.second) / 12 * (r.untied / m / (m - 1))
}

// Z returns (U - n1·n2/2)/σ, signed, corrected for continuity: |U - n1·n2/2| is less by ½, or 0.
func (r *RankSum) Z() float64 {
	if !r.defined() {
		return math.NaN()
	}
	d := r.twiceDeviation()
	switch {
	case d > 0:
		d--
	case d < 0:
		d++
	}
	if d == 0 {
		return 0
	}
	return float64(d) / 2 / math.Sqrt(r.variance())
}

// LnP returns the logarithm of the two-sided p-value of [RankSum.Z], by the normal
// approximation: R's wilcox.test(exact = FALSE).
func (r *RankSum) LnP() float64 {
	if !r.defined() {
		return math.NaN()
	}
	return Normal(r.Z())
}

// Superiority returns U/(n1·n2), in [0, 1]: the probability that a value of the first sample
// is greater than one of the second, equal ones counting ½ (common-language effect size).
func (r *RankSum) Superiority() float64 {
	return float64(r.twiceU) / 2 / float64(r.first*r.second)
}

// RankBiserial returns 2·Superiority - 1, in [-1, 1]: the rank-biserial correlation.
func (r *RankSum) RankBiserial() float64 {
	return float64(r.twiceDeviation()) / float64(r.first*r.second)
}

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

// Welch tests whether two samples, whose variances may differ, have the same mean (Welch 1947): t = (m1-m2)/√(v1+v2),
// positive if the first mean is greater, with v = Σ(x-m)²/(n-1)/n, and (v1+v2)²/(v1²/(n1-1) + v2²/(n2-1)) degrees of
// freedom (Satterthwaite 1946), and the two-sided p-value of Student's t. It is R's t.test. If neither sample varies,
// the degrees are NaN, and t is 0 and p is 1 for equal means; else t is infinite and p is 0. All is NaN if a sample has
// less than two values.
func Welch(first, second Sample) (t, degrees, lnP float64) {
	if first.N < 2 || second.N < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	difference := first.Mean - second.Mean
	v1, v2 := first.squaredError(), second.squaredError()
	v := v1 + v2
	if v == 0 {
		if difference != 0 {
			t = math.Copysign(math.Inf(1), difference)
		}
		return t, math.NaN(), Normal(t)
	}
	t = difference / math.Sqrt(v)
	share1, share2 := v1/v, v2/v
	degrees = 1 / (float64(share1*share1)/float64(first.N-1) + float64(share2*share2)/float64(second.N-1))
	degrees = max(degrees, 1) // which it is but for rounding
	return t, degrees, Student(t, degrees)
}
