package twosample

import (
	"math"
	"math/bits"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// A RankSum compares two samples by the ranks of their values, equal values having the mean
// of their ranks (Wilcoxon 1945, Mann and Whitney 1947). The zero value has no values. The
// samples together have less than 2^32.
type RankSum struct {
	first, second uint64 // values so far
	// twiceU is 2U, U being the pairs of a value of the first sample and a lesser one of the
	// second, an equal one counting ½.
	twiceU uint64
	ties   wide // Σ t³-t over the groups of t equal values
}

// Add adds a group of equal values, first of the first sample and second of the second, which
// are greater than all before.
func (r *RankSum) Add(first, second int) {
	a, b := uint64(first), uint64(second)
	r.twiceU += a * (2*r.second + b)
	r.first += a
	r.second += b
	r.ties.add(cubeLessOne(a + b))
}

// U returns the pairs of a value of the first sample and one of the second in which the first
// is greater, a pair of equal ones being half a pair: R1 - n1(n1+1)/2 of its sum of ranks R1.
func (r *RankSum) U() float64 { return float64(r.twiceU) / 2 }

// Defined reports whether both samples have a value. The other results are NaN if not.
func (r *RankSum) Defined() bool { return r.first > 0 && r.second > 0 }

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

// Variance returns the variance of U where the samples do not differ, given the ties:
// n1·n2/12·(M + 1 - Σ(t³-t)/(M(M-1))) of M values.
func (r *RankSum) Variance() float64 {
	if !r.Defined() {
		return math.NaN()
	}
	m := r.first + r.second
	untied := cubeLessOne(m)
	untied.subtract(r.ties)
	return float64(r.first*r.second) / 12 * (untied.float() / float64(m) / float64(m-1))
}

// Z returns (U - n1·n2/2)/σ, signed, corrected for continuity: |U - n1·n2/2| is less by ½, or 0.
func (r *RankSum) Z() float64 {
	if !r.Defined() {
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
	return float64(d) / 2 / math.Sqrt(r.Variance())
}

// LnP returns the logarithm of the two-sided p-value of [RankSum.Z], by the normal
// approximation: R's wilcox.test(exact = FALSE).
func (r *RankSum) LnP() float64 {
	if !r.Defined() {
		return math.NaN()
	}
	return pvalue.Normal(r.Z())
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

// A wide is a whole number below 2^128.
type wide struct{ high, low uint64 }

func (w *wide) add(v wide) {
	var carry uint64
	w.low, carry = bits.Add64(w.low, v.low, 0)
	w.high, _ = bits.Add64(w.high, v.high, carry)
}

func (w *wide) subtract(v wide) {
	var borrow uint64
	w.low, borrow = bits.Sub64(w.low, v.low, 0)
	w.high, _ = bits.Sub64(w.high, v.high, borrow)
}

// float returns the number, rounded.
func (w wide) float() float64 { return float64(float64(w.high)*(1<<64)) + float64(w.low) }

// cubeLessOne returns t³ - t for t < 2^32.
func cubeLessOne(t uint64) wide {
	high, low := bits.Mul64(t*(t-1), t+1)
	return wide{high, low}
}
