package naive

import (
	"fmt"
	"slices"
	"testing"
)

// machines checks the SVMs of the documents, ltc.
func (g *golden) machines() {
	c := g.corpus("single_label")
	rows := Tabulate(c).Weights("ltc")
	for _, loss := range []string{"l1", "l2"} {
		path := fmt.Sprintf("classifiers_single/svm_%sloss_C1_nobias_ltc_unit", loss)
		for k, class := range c.Classes {
			x := TrainSVM(rows, positives(c, k), SVMOptions{L1: loss == "l1", C: 1, Positive: 1, Gap: 1e-15})
			at := join(path, class)
			for t, w := range x.W {
				g.close(fmt.Sprintf("%s/w/%d", at, t), w, 1e-7) // the square root of the gap
			}
			g.close(at+"/primal", x.Primal, 1e-12)
			g.close(at+"/dual", x.Dual, 1e-12)
			g.take(at + "/gap") // of another solver
			g.take(at + "/sweeps")
		}
	}
}

// close checks one number with a tolerance of its own.
func (g *golden) close(path string, got, tolerance float64) {
	g.Helper()
	want, err := parse(g.take(path))
	if err != nil || !within(got, want, tolerance, tolerance) {
		g.Errorf("%s = %v, want %v (%v)", path, got, want, err)
	}
}

func positives(c Corpus, class int) []bool {
	out := make([]bool, len(c.Docs))
	for i, d := range c.Docs {
		out[i] = slices.Contains(d.Labels, class)
	}
	return out
}

// Problems with solutions that can be written down.
func TestSVMByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		rows     [][]float64
		positive []bool
		o        SVMOptions
		w, b     float64
		want     float64
	}{
		// ½w² + 2C(1-w)² has its minimum at w = 4C/(1+4C).
		{"two rows", [][]float64{{1}, {-1}}, []bool{true, false}, SVMOptions{C: 1}, .8, 0, .4},
		// ½w² + 2C(1-w): w = 1 as long as 2C > 1.
		{"hinge", [][]float64{{1}, {-1}}, []bool{true, false}, SVMOptions{L1: true, C: 1}, 1, 0, .5},
		{"hinge with small C", [][]float64{{1}, {-1}}, []bool{true, false}, SVMOptions{L1: true, C: .25}, .5, 0, .375},
		// Nothing but the bias: ½b² + C(1-2b)².
		{"zeros", [][]float64{{0}}, []bool{true}, SVMOptions{C: 1, Bias: 2}, 0, 4. / 9, 1. / 9},
		{"zeros without bias", [][]float64{{0}, {0}}, []bool{true, false}, SVMOptions{L1: true, C: 3}, 0, 0, 6},
		// ½w² + 3(1-w)² + (1+w)².
		{"positive", [][]float64{{1}, {1}}, []bool{true, false}, SVMOptions{C: 1, Positive: 3}, 4. / 9, 0, .5*16./81 + 3*25./81 + 169./81},
	} {
		c.o.Gap = 1e-14
		if c.o.Positive == 0 {
			c.o.Positive = 1
		}
		x := TrainSVM(c.rows, c.positive, c.o)
		if !within(x.W[0], c.w, 1e-6, 1e-6) || !within(x.B, c.b, 1e-6, 1e-6) || !within(x.Primal, c.want, 1e-12, 0) {
			t.Errorf("%s: w = %v, b = %v, objective %v; want %v, %v, %v", c.name, x.W[0], x.B, x.Primal, c.w, c.b, c.want)
		}
	}
}
