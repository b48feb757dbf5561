package naive

import (
	"fmt"
	"math"
)

// Weights gives w(t,d) by document and term: tf or "", binary,
// tfidf, tfidf-unit and ltc (unit length).
func (tb *Tables) Weights(name string) [][]float64 {
	w := matrix(len(tb.tf), len(tb.DF))
	for d, row := range tb.tf {
		for t, tf := range row {
			if tf > 0 {
				w[d][t] = weight(name, tf, tb.N, tb.DF[t])
			}
		}
		if name == "tfidf-unit" || name == "ltc" {
			w[d] = unit(w[d])
		}
	}
	return w
}

// weight is the weight of a term before a document is normalised.
func weight(name string, tf, n, df float64) float64 {
	switch name {
	case "tf", "":
		return tf
	case "binary":
		return 1
	case "tfidf", "tfidf-unit":
		return tf * math.Log(n/df)
	case "ltc":
		return (1 + math.Log(tf)) * math.Log(n/df)
	}
	panic(fmt.Sprintf("naive: unknown weighting %q", name))
}

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
