package naive

import (
	"math"
	"slices"
)

// An Evaluation compares the sets of predicted classes with the right ones.
type Evaluation struct {
	TP, FP, FN, P, R, F1      []float64 // by class
	MicroP, MicroR, MicroF1   float64
	MacroP, MacroR            float64 // means over all classes
	MeanF1, F1OfMeans, Subset float64 // Subset: the share of documents whose sets are equal
}

// Evaluate takes the sets of every document.
func Evaluate(gold, predicted [][]int, classes int) (e Evaluation) {
	k := float64(classes)
	var tp, fp, fn float64
	for c := range classes {
		a, b, d := outcomes(gold, c, func(i int) bool { return contains(predicted[i], c) })
		p, r := div(a, a+b), div(a, a+d)
		f := div(2*a, 2*a+b+d)
		e.TP, e.FP, e.FN = append(e.TP, a), append(e.FP, b), append(e.FN, d)
		e.P, e.R, e.F1 = append(e.P, p), append(e.R, r), append(e.F1, f)
		e.MacroP, e.MacroR, e.MeanF1 = e.MacroP+p/k, e.MacroR+r/k, e.MeanF1+f/k
		tp, fp, fn = tp+a, fp+b, fn+d
	}
	e.MicroP, e.MicroR, e.MicroF1 = div(tp, tp+fp), div(tp, tp+fn), div(2*tp, 2*tp+fp+fn)
	e.F1OfMeans = div(2*e.MacroP*e.MacroR, e.MacroP+e.MacroR)
	for i := range gold {
		same := true
		for c := range classes {
			same = same && contains(gold[i], c) == contains(predicted[i], c)
		}
		if same {
			e.Subset += 1 / float64(len(gold))
		}
	}
	return e
}

// outcomes counts what is said of a class: true and false positives, and false negatives.
func outcomes(gold [][]int, c int, said func(i int) bool) (tp, fp, fn float64) {
	for i := range gold {
		switch is := contains(gold[i], c); {
		case is && said(i):
			tp++
		case said(i):
			fp++
		case is:
			fn++
		}
	}
	return tp, fp, fn
}

func contains(set []int, c int) bool { return slices.Contains(set, c) }

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
