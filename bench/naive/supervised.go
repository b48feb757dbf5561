package naive

import "math"

// Factor is what a supervised weighting multiplies the frequency of a term by: the
// largest of its classes, of tf-ig the information gain (section 11).
func (tb *Tables) Factor(name string, t int) float64 {
	if name == "tf-ig" {
		return tb.Global("ig", "", Options{})[t]
	}
	if name == "tf-chi" {
		return tb.Global("chi", "max", Options{})[t]
	}
	largest := math.Inf(-1)
	for c := range tb.NC {
		a, b := tb.A[t][c], tb.DF[t]-tb.A[t][c]
		v := math.Log2(2 + a/math.Max(1, b))
		if name == "delta-idf" {
			v = 0
			if rest := tb.N - tb.NC[c]; rest > 0 && tb.NC[c] > 0 {
				v = math.Abs(math.Log2((b + .5) / rest / ((a + .5) / tb.NC[c])))
			}
		}
		largest = math.Max(largest, v)
	}
	return largest
}
