package main

import (
	"cmp"
	"math"
	"slices"
)

// spearman is the correlation of the ranks; 0 where one of the sides is constant.
func spearman(x, y []float64) float64 {
	x, y = ranks(x), ranks(y)
	mean := float64(len(x)+1) / 2
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-mean, y[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks are from 1, equal values sharing the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

func trend(x []float64) float64 {
	order := make([]float64, len(x))
	for i := range order {
		order[i] = float64(i)
	}
	return spearman(order, x)
}

// deviation is the standard deviation of a sample.
func deviation(x []float64) float64 {
	mean, squares := sum(x)/float64(len(x)), 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(x)-1))
}
