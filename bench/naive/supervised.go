package naive

import "math"

// Factor is what a supervised weighting multiplies the frequency of a term by: the
// largest of its classes, of tf-ig the information gain.
func (tb *Tables) Factor(name string, t int) float64 {
	switch name {
	case "tf-ig":
		return tb.Global("ig", "", Options{})[t]
	case "tf-chi":
		return tb.Global("chi", "max", Options{})[t]
	}
	largest := math.Inf(-1)
	for c := range tb.NC {
		x := tb.documents(t, c)
		v := rf(x, Options{})
		if name == "delta-idf" {
			v = 0
			if !x.lopsided() {
				v = math.Abs(math.Log2((x.b + .5) / x.out() / ((x.a + .5) / x.in())))
			}
		}
		largest = math.Max(largest, v)
	}
	return largest
}
