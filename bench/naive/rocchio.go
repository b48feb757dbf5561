package naive

import "math"

// Rocchio scores by the cosine of a row and the mean of the unit-length rows of each
// class; -Inf for a class without rows.
func Rocchio(rows [][]float64, labels [][]int, classes int) Classifier {
	var means [][]float64
	for c := range classes {
		var mean []float64
		n := 0.
		for d, row := range rows {
			for _, l := range labels[d] {
				if l == c {
					mean = addUnit(mean, row)
					n++
				}
			}
		}
		for t := range mean {
			mean[t] /= n
		}
		means = append(means, mean)
	}
	return func(row []float64) []float64 {
		scores := make([]float64, classes)
		for c, mean := range means {
			scores[c] = math.Inf(-1)
			if mean != nil {
				scores[c] = Cosine(mean, row)
			}
		}
		return scores
	}
}

// addUnit adds the row, scaled to unit length, to the sum.
func addUnit(sum, row []float64) []float64 {
	if sum == nil {
		sum = make([]float64, len(row))
	}
	length := 0.
	for _, v := range row {
		length += v * v
	}
	for t, v := range row {
		sum[t] += div(v, math.Sqrt(length))
	}
	return sum
}
