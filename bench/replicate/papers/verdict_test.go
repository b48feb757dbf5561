package papers

import (
	"math"
	"testing"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		holds []bool // two a group
		want  string
	}{
		{nil, "not checked"},
		{[]bool{true, true}, "holds"},
		{[]bool{false, false, false, false}, "does not hold"},
		{[]bool{true, true, false, false, true, false}, "in part, 3 of 6; holds at A; not at B; at C not for 1"},
	} {
		var v Verdict
		for i, holds := range c.holds {
			v.Add(holds, string(rune('A'+i/2)), string(rune('0'+i%2)))
		}
		if got := v.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{5, 9, 100}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, 0},
		{[]float64{10, 20, 20, 30}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)}, // ranks 1, 2.5, 2.5, 4
	} {
		if got := Spearman(c.x, c.y); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v, %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
