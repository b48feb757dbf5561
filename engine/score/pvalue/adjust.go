package pvalue

import (
	"cmp"
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
func FPR(lnp []float64, alpha float64) (n int) {
	ln := logLevel(alpha)
	for _, v := range lnp {
		if v < ln || v != v && 0 < ln {
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
// most 0: the largest of (m-i)·p up to the test's place in the order. dst may be lnp, as in the others.
func AdjustHolm(dst, lnp []float64) { AdjustHolmTies(dst, lnp, nil) }

// AdjustHolmTies is AdjustHolm for tests of which the i-th stands for ties[i] tests with
// the same p-value; nil is 1 for each.
func AdjustHolmTies(dst, lnp []float64, ties []int) {
	before, largest, m := 0, math.Inf(-1), tests(lnp, ties)
	for _, at := range ascending(lnp) {
		largest = max(largest, orOne(lnp[at])+kernels.Log(float64(m-before)))
		dst[at] = min(0, largest)
		before += times(ties, at)
	}
}

// AdjustFDR is AdjustHolm for [FDR]: the least of p·m/k from the test's place in the
// order on.
func AdjustFDR(dst, lnp []float64) { AdjustFDRTies(dst, lnp, nil) }

// AdjustFDRTies is AdjustFDR for ties as those of [AdjustHolmTies].
func AdjustFDRTies(dst, lnp []float64, ties []int) {
	upTo, least := tests(lnp, ties), 0.0
	m := kernels.Log(float64(upTo))
	for _, at := range slices.Backward(ascending(lnp)) {
		least = min(least, orOne(lnp[at])+(m-kernels.Log(float64(upTo))))
		dst[at] = least
		upTo -= times(ties, at)
	}
}

// times returns the number of tests that test i stands for.
func times(ties []int, i int) int {
	if ties == nil {
		return 1
	}
	return ties[i]
}

// tests returns the number of tests.
func tests(lnp []float64, ties []int) (n int) {
	for i := range lnp {
		n += times(ties, i)
	}
	return n
}

// ascending returns the indexes of lnp in ascending order of p.
func ascending(lnp []float64) []int {
	order := make([]int, len(lnp))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(orOne(lnp[i]), orOne(lnp[j])), cmp.Compare(i, j))
	})
	return order
}
