package naive

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomSelections are m of the sizes that size gives.
func randomSelections(r *rand.Rand, m, n int, size func() int) (out [][]int) {
	for range m {
		out = append(out, r.Perm(n)[:size()])
	}
	return out
}

// The interval is that of the index's derivative by the weights of the selections, taken
// as difference quotients, for selections of one size.
func TestIntervalIsThatOfTheDerivative(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for range 100 {
		n, m := 2+r.IntN(20), 2+r.IntN(8)
		k := 1 + r.IntN(n-1)
		selections := randomSelections(r, m, n, func() int { return k })
		a := Agree(selections, n)
		z, weight := matrix(m, n), make([]float64, m)
		for i, own := range selections {
			weight[i] = 1
			for _, t := range own {
				z[i][t] = 1
			}
		}
		spread := 0.
		for i := range z {
			const step = 1e-4
			weight[i] = 1 + step
			up := weightedPhi(z, weight)
			weight[i] = 1 - step
			down := weightedPhi(z, weight)
			weight[i] = 1
			spread += math.Pow((up-down)/(2*step), 2)
		}
		if want := 1.959963984540054 * math.Sqrt(spread); !within((a.High-a.Low)/2, want, 1e-6, 1e-6) {
			t.Errorf("%v, want %v", (a.High-a.Low)/2, want)
		}
	}
}

// weightedPhi is the index without its correction for few selections, where selection i
// counts weight[i] times.
func weightedPhi(z [][]float64, weight []float64) float64 {
	total, share, variance := 0., 0., 0.
	for _, w := range weight {
		total += w
	}
	n := len(z[0])
	for t := range n {
		p := 0.
		for i, row := range z {
			p += weight[i] * row[t] / total
		}
		share += p / float64(n)
		variance += p * (1 - p) / float64(n)
	}
	return 1 - variance/(share*(1-share))
}
