package naive

import (
	"math"
	"slices"
)

// Cosine of two rows by term; 0 where one of them is 0.
func Cosine(x, y []float64) float64 {
	xy, xx, yy := 0., 0., 0.
	for t := range x {
		xy += x[t] * y[t]
		xx += x[t] * x[t]
		yy += y[t] * y[t]
	}
	return div(xy, math.Sqrt(xx)*math.Sqrt(yy))
}

// Nearest are the k rows with the largest cosines, of equal ones (within a relative
// 4e-12) the first, and these cosines.
func Nearest(rows [][]float64, row []float64, k int) (nearest []int, cosines []float64) {
	all := make([]float64, len(rows))
	for d := range rows {
		all[d] = Cosine(rows[d], row)
		nearest = append(nearest, d)
	}
	slices.SortStableFunc(nearest, func(i, j int) int {
		switch x, y := all[i], all[j]; {
		case math.Abs(x-y) <= 4e-12*math.Max(math.Abs(x), math.Abs(y)):
			return i - j
		case x > y:
			return -1
		}
		return 1
	})
	nearest = nearest[:min(k, len(nearest))]
	for _, d := range nearest {
		cosines = append(cosines, all[d])
	}
	return nearest, cosines
}

// KNN is weighted voting: the score of a class is the sum of the cosines of the k
// nearest rows that have it, as far as they are above 0.
func KNN(rows [][]float64, labels [][]int, classes, k int) Classifier {
	return func(row []float64) []float64 {
		scores := make([]float64, classes)
		nearest, cosines := Nearest(rows, row, k)
		for i, d := range nearest {
			for _, c := range labels[d] {
				scores[c] += math.Max(cosines[i], 0)
			}
		}
		return scores
	}
}

// Rocchio scores by the cosine of a row and the mean of the unit-length rows of each
// class, which is that of their sum; -Inf for a class without rows.
func Rocchio(rows [][]float64, labels [][]int, classes int) Classifier {
	sums := make([][]float64, classes)
	for d, row := range rows {
		for _, c := range labels[d] {
			if sums[c] == nil {
				sums[c] = make([]float64, len(row))
			}
			for t, v := range unit(row) {
				sums[c][t] += v
			}
		}
	}
	return func(row []float64) []float64 {
		scores := make([]float64, classes)
		for c, sum := range sums {
			scores[c] = math.Inf(-1)
			if sum != nil {
				scores[c] = Cosine(sum, row)
			}
		}
		return scores
	}
}

// unit is a row scaled to unit length; a row of zeros stays as it is.
func unit(row []float64) (scaled []float64) {
	length := 0.
	for _, v := range row {
		length += v * v
	}
	for _, v := range row {
		scaled = append(scaled, div(v, math.Sqrt(length)))
	}
	return scaled
}
