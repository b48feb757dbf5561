package main

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/engine/rank"
)

// best returns the numbers of the k best terms, best first: by value, then by df, both
// descending, then by number. df is nil if it decides nothing. NaN ranks last.
//
// [rank.TopK] breaks ties by number, so the terms that tie with its last one are chosen
// again.
func best(values, df []float64, k int) []int {
	k = min(k, len(values))
	order := func(a, b int) int {
		x, y := rank.NewCandidate(a, values[a]), rank.NewCandidate(b, values[b])
		if c := cmp.Compare(y.Key, x.Key); c != 0 || df == nil {
			return cmp.Or(c, cmp.Compare(a, b))
		}
		return cmp.Or(cmp.Compare(df[b], df[a]), cmp.Compare(a, b))
	}
	top := rank.TopK(values, k)
	if df == nil || k == 0 {
		return top
	}
	last := rank.NewCandidate(0, values[top[k-1]]).Key
	top = slices.DeleteFunc(top, func(t int) bool { return rank.NewCandidate(t, values[t]).Key == last })
	above := len(top)
	for t := range values {
		if rank.NewCandidate(t, values[t]).Key == last {
			top = append(top, t)
		}
	}
	slices.SortFunc(top[:above], order)
	slices.SortFunc(top[above:], order)
	return top[:k]
}
