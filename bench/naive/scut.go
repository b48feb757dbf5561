package naive

import (
	"math"
	"slices"
)

// SCut gives each class the threshold with the highest F1, of equal ones the highest.
// Every threshold midway between two neighbouring scores of the class is
// tried, 0 being one of the scores. Where no F1 is 0.1 or more, it is the highest score
// of all, +Inf if that is 0 or no row has the class. A class is assigned where its score
// is at least the threshold; a row that is nil has no scores.
func SCut(scores [][]float64, labels [][]int, classes int) (thresholds []float64) {
	for c := range classes {
		values := []float64{0}
		for _, row := range scores {
			if row != nil && !math.IsInf(row[c], 0) {
				values = append(values, row[c])
			}
		}
		slices.Sort(values)
		best, most := math.Inf(1), 0.
		for i := 1; i < len(values); i++ {
			if values[i-1] == values[i] {
				continue
			}
			t := (values[i-1] + values[i]) / 2
			if t == values[i-1] { // no number is between them
				t = values[i]
			}
			if f := CutF1(scores, labels, c, t); f > 0 && f >= most {
				best, most = t, f
			}
		}
		if most < .1 {
			best = values[len(values)-1]
			if best == 0 || !slices.ContainsFunc(labels, func(set []int) bool { return contains(set, c) }) {
				best = math.Inf(1)
			}
		}
		thresholds = append(thresholds, best)
	}
	return thresholds
}

// CutF1 is the F1 of a class that is assigned where its score is at least t.
func CutF1(scores [][]float64, labels [][]int, c int, t float64) float64 {
	tp, fp, fn := outcomes(labels, c, func(i int) bool { return scores[i] != nil && scores[i][c] >= t })
	return div(2*tp, 2*tp+fp+fn)
}
