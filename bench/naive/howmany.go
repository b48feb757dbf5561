package naive

import (
	"math"
	"slices"
)

// This file says how many terms are kept, by the definitions.

// Passing says which tests pass at a level: by "fpr" those with p < level, by "fdr"
// those up to the largest p of which at least p·m/level are no larger (Benjamini and
// Hochberg), by "fwe" those that Holm's procedure rejects one after the other.
func Passing(by string, lnp []float64, level float64) []bool {
	m := float64(len(lnp))
	noLarger := func(p float64) (n float64) {
		for _, other := range lnp {
			if other <= p {
				n++
			}
		}
		return n
	}
	largest := math.Inf(-1) // p that passes
	switch by {
	case "fpr":
		for _, p := range lnp {
			if p < math.Log(level) {
				largest = math.Max(largest, p)
			}
		}
	case "fdr":
		for _, p := range lnp {
			if p <= math.Log(level)+math.Log(noLarger(p))-math.Log(m) {
				largest = math.Max(largest, p)
			}
		}
	case "fwe":
		for i, p := range slices.Sorted(slices.Values(lnp)) {
			if p >= math.Log(level)-math.Log(m-float64(i)) {
				break
			}
			largest = p
		}
	default:
		panic("naive: no error rate " + by)
	}
	passes := make([]bool, len(lnp))
	for i, p := range lnp {
		passes[i] = p <= largest // p = 0 passes at every level
	}
	return passes
}

// PerDocument is the union of the f best terms of each document, ascending; order has
// the terms to choose from, best first.
func (c Corpus) PerDocument(order []int, f int) []int {
	var union []int
	for _, d := range c.Docs {
		n := 0
		for _, t := range order {
			if d.Counts[t] > 0 && n < f {
				union = append(union, t)
				n++
			}
		}
	}
	slices.Sort(union)
	return slices.Compact(union)
}

// EnergyTerms is the smallest number of values, largest first, that add up to the share
// of them all.
func EnergyTerms(values []float64, share float64) int {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	return Centroid{Energy: energy(sorted, order)}.PStar(share)
}
