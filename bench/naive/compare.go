package naive

import (
	"cmp"
	"math"
	"slices"
)

// This file compares rankings by the definitions, pair by pair and depth by depth.

// TauB is Kendall's tau-b of values, larger ones first: a NaN is below all others and
// equal to another one. It is 0 where one side is all tied.
func TauB(a, b []float64) float64 {
	var concordant, discordant, tiedA, tiedB float64
	for i := range a {
		for j := range i {
			x, y := cmp.Compare(a[i], a[j]), cmp.Compare(b[i], b[j])
			switch {
			case x == 0 && y == 0:
			case x == 0:
				tiedA++
			case y == 0:
				tiedB++
			case x == y:
				concordant++
			default:
				discordant++
			}
		}
	}
	if concordant+discordant+tiedB == 0 || concordant+discordant+tiedA == 0 {
		return 0
	}
	return (concordant - discordant) / math.Sqrt((concordant+discordant+tiedA)*(concordant+discordant+tiedB))
}

// ListTau is TauB of lists, best first: what a list does not have is tied behind what
// it has.
func ListTau(a, b []string) float64 {
	var x, y []float64
	for term := range union(a, b) {
		x, y = append(x, -place(a, term)), append(y, -place(b, term))
	}
	return TauB(x, y)
}

// place is from 1, infinite for an absent term.
func place(list []string, term string) float64 {
	if i := slices.Index(list, term); i >= 0 {
		return float64(i + 1)
	}
	return math.Inf(1)
}

func union[T comparable](lists ...[]T) map[T]bool {
	all := map[T]bool{}
	for _, list := range lists {
		for _, term := range list {
			all[term] = true
		}
	}
	return all
}

// Front is a list down to a depth.
func Front(list []string, depth int) []string { return list[:min(depth, len(list))] }

// Shared counts the terms of both lists.
func Shared[T comparable](a, b []T) int { return len(a) - len(OnlyIn(a, b)) }

// Jaccard is the share of the terms of either list that both have.
func Jaccard(a, b []string) float64 {
	return float64(Shared(a, b)) / float64(len(union(a, b)))
}

// RBO is rank-biased overlap as the sum (1-p)·Σ p^(d-1)·agreement(d) over the depths as
// far as they have weight. Beyond the end of a list terms go on to be shared as before:
// the shorter list adds its agreement at its end for each further rank, and the whole
// keeps the agreement at the end of the longer one.
func RBO(a, b []string, p float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	short, long := float64(len(a)), float64(len(b))
	ending := float64(Shared(a, Front(b, len(a)))) / short
	sum, agreement := 0., 0.
	for d, weight := 1, 1-p; weight > 1e-18 || d <= len(b); d, weight = d+1, weight*p {
		if depth := float64(d); depth <= long {
			agreement = (float64(Shared(Front(a, d), Front(b, d))) + ending*math.Max(depth-short, 0)) / depth
		}
		sum += weight * agreement
	}
	return sum
}

// OnlyIn lists the terms of a list that the others do not have.
func OnlyIn[T comparable](list []T, others ...[]T) (only []T) {
	has := union(others...)
	for _, term := range list {
		if !has[term] {
			only = append(only, term)
		}
	}
	return only
}
