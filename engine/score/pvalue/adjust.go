package pvalue

import (
	"math"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file holds what passes when many terms are tested at once. The functions take
// ln p of every test made, in any order; the passing ones are always those of least
// p, so that their number tells which. A NaN counts as p = 1. A level of 0 or less,
// or NaN, passes none. Comparisons are those of scikit-learn: < for [FPR] and [Holm],
// <= for [FDR].

// FPR returns how many tests have p < alpha: a share alpha of the terms without
// association passes.
func FPR(lnp []float64, alpha float64) int {
	return count(lnp, logLevel(alpha))
}

// count returns how many p-values are below a bound.
func count(lnp []float64, bound float64) (n int) {
	for _, v := range lnp {
		if orOne(v) < bound {
			n++
		}
	}
	return n
}

// Holm returns how many of m tests pass so that the probability that any term without
// association does is at most alpha, and as many as by p < alpha/m (Bonferroni) or more: the i-th
// least p, counted from 0, must be < alpha/(m-i), and so must those before it (Scand. J.
// Statist. 6 (1979) 65-70).
func Holm(lnp []float64, alpha float64) int {
	sorted := sorted(lnp)
	for i, v := range sorted {
		if !(v < logLevel(alpha/float64(len(sorted)-i))) {
			return i
		}
	}
	return len(sorted)
}

// FDR returns how many tests pass by Benjamini & Hochberg (J. R. Stat. Soc. B 57 (1995)
// 289-300): on average, a share of at most q of them is without association. The tests
// up to the last k-th least p with p <= q·k/m pass.
func FDR(lnp []float64, q float64) int {
	sorted := sorted(lnp)
	share := q / float64(len(sorted))
	for k := len(sorted); k > 0; k-- {
		if sorted[k-1] <= logLevel(float64(share*float64(k))) && q > 0 {
			return k
		}
	}
	return 0
}

// logLevel is ln of a level; NaN, below which nothing is, for none.
func logLevel(level float64) float64 {
	if !(level > 0) {
		return math.NaN()
	}
	return kernels.Log(level)
}

func sorted(lnp []float64) []float64 {
	s := make([]float64, len(lnp))
	for i, v := range lnp {
		s[i] = orOne(v)
	}
	slices.Sort(s)
	return s
}

func orOne(lnp float64) float64 {
	if lnp != lnp {
		return 0
	}
	return lnp
}

// AdjustHolm sets dst to the least levels at which each passes by [Holm], in logarithms and at
// most 0: the largest of (m-i)·p up to the test's place in the order. dst may be lnp, as in the other.
func AdjustHolm(dst, lnp []float64) {
	// Where (m-i)·p reaches 1, all tests from there on have the level 1. Those before, n of them, are mostly few.
	n, bound := -1, 0.0
	for below := 0; below > n; {
		n, bound = below, -kernels.Log(float64(len(lnp)-below))
		below = count(lnp, bound)
	}
	adjust(dst, lnp, bound, func(sorted []float64) {
		largest := math.Inf(-1)
		for i, v := range sorted {
			largest = max(largest, v+kernels.Log(float64(len(lnp)-i)))
			sorted[i] = min(0, largest)
		}
	})
}

// AdjustFDR is AdjustHolm for [FDR]: the least of p·m/k from the test's place in the
// order on.
func AdjustFDR(dst, lnp []float64) {
	adjust(dst, lnp, math.Inf(1), func(sorted []float64) {
		least, m := 0.0, kernels.Log(float64(len(sorted)))
		for i, v := range slices.Backward(sorted) {
			least = min(least, v+(m-kernels.Log(float64(i+1))))
			sorted[i] = least
		}
	})
}

// adjust sets dst to what a function makes of the sorted p-values below a bound, which is the same for equal ones, and
// 1 for the others.
func adjust(dst, lnp []float64, bound float64, of func(sorted []float64)) {
	var before []float64
	for _, v := range lnp {
		if v = orOne(v); v < bound {
			before = append(before, v)
		}
	}
	slices.Sort(before)
	after := slices.Clone(before)
	of(after)
	for i, v := range lnp {
		dst[i] = 0
		if v = orOne(v); v < bound {
			at, _ := slices.BinarySearch(before, v)
			dst[i] = after[at]
		}
	}
}
