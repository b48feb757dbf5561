// Package naive is the reference that the engine is held against: every measure
// straight from its definition, by plain loops over dense tables. It shares no
// code with the engine and is as slow as it looks.
//
// Measures go by the keys of testdata/golden_small.json.
package naive

import "math"

// A Corpus is a dense table of term frequencies: TF[d][t]. Labels[d] are places
// in Classes; none for an unlabelled document.
type Corpus struct {
	Terms   []string
	Classes []string
	TF      [][]float64
	Labels  [][]int
}

// Tables are the counts of a corpus: [t][c] for a term and a class.
type Tables struct {
	Corpus
	N, T       float64
	Pairs      float64 // (document, label) pairs
	NC, TC     []float64
	DF, CF     []float64
	A, S, Q    [][]float64
	documentsC [][]int // documents of each class
}

// Tabulate counts.
func Tabulate(c Corpus) *Tables {
	v, k := len(c.Terms), len(c.Classes)
	tb := &Tables{
		Corpus: c, N: float64(len(c.TF)), NC: make([]float64, k), TC: make([]float64, k),
		DF: make([]float64, v), CF: make([]float64, v),
		A: dense(v, k), S: dense(v, k), Q: dense(v, k), documentsC: make([][]int, k),
	}
	for d, row := range c.TF {
		for _, l := range c.Labels[d] {
			tb.NC[l]++
			tb.Pairs++
			tb.documentsC[l] = append(tb.documentsC[l], d)
		}
		for t, tf := range row {
			if tf == 0 {
				continue
			}
			tb.DF[t]++
			tb.CF[t] += tf
			tb.T += tf
			for _, l := range c.Labels[d] {
				tb.A[t][l]++
				tb.S[t][l] += tf
				tb.Q[t][l] += tf * tf
				tb.TC[l] += tf
			}
		}
	}
	return tb
}

func dense(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

// Combine makes one value of a term's class values.
func (tb *Tables) Combine(how string, values []float64) float64 {
	best, sum, weighted := math.Inf(-1), 0.0, 0.0
	for c, v := range values {
		best = math.Max(best, v)
		sum += v
		weighted += tb.NC[c] / tb.N * v
	}
	switch how {
	case "max":
		return best
	case "sum":
		return sum
	case "mean":
		return sum / float64(len(values))
	case "wavg":
		return weighted
	}
	panic("naive: unknown combination " + how)
}
