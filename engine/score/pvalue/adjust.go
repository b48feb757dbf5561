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
// or NaN, passes none. Comparisons are those of scikit-learn: < for [FPR] and [FWE],
// <= for [FDR].

// FPR counts p < alpha: of the terms without association a share of alpha passes.
func FPR(lnp []float64, alpha float64) int { return below(lnp, alpha) }

// FWE counts p < alpha/m, of m tests (Bonferroni): with a probability of at most alpha
// any term without association passes.
func FWE(lnp []float64, alpha float64) int { return below(lnp, alpha/float64(len(lnp))) }

func below(lnp []float64, level float64) (n int) {
	ln := logLevel(level)
	for _, v := range lnp {
		if v < ln || v != v && 0 < ln {
			n++
		}
	}
	return n
}

// Holm promises what [FWE] does and passes as many terms or more: the i-th least p,
// counted from 0, must be < alpha/(m-i), and so must those before it (Scand. J.
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

// FDR counts what passes by Benjamini & Hochberg (J. R. Stat. Soc. B 57 (1995)
// 289-300): among it a share of at most q is without association, on average. That is
// up to the last k-th least p that is <= q·k/m.
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

// AdjustFWE sets dst to the least levels at which each passes by Bonferroni, in
// logarithms and at most 0: m·p. dst may be lnp, as in the others.
func AdjustFWE(dst, lnp []float64) {
	m := kernels.Log(float64(len(lnp)))
	for i, v := range lnp {
		dst[i] = min(0, orOne(v)+m)
	}
}

// AdjustHolm does so for [Holm]: the largest of (m-i)·p up to its place in the order.
func AdjustHolm(dst, lnp []float64) {
	order := ascending(lnp)
	largest := math.Inf(-1)
	for i, at := range order {
		largest = max(largest, orOne(lnp[at])+kernels.Log(float64(len(order)-i)))
		dst[at] = min(0, largest)
	}
}

// AdjustFDR does so for [FDR]: the least of p·m/k from its place in the order on.
func AdjustFDR(dst, lnp []float64) {
	order := ascending(lnp)
	m, least := kernels.Log(float64(len(order))), 0.0
	for i, at := range slices.Backward(order) {
		least = min(least, orOne(lnp[at])+(m-kernels.Log(float64(i+1))))
		dst[at] = least
	}
}

// ascending gives the places of lnp from the least p on.
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
