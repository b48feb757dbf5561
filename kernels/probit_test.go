package kernels

import (
	"math"
	"testing"
)

func TestProbit(t *testing.T) {
	for p := 0.0005; p < 0.9996; p += 0.0001 {
		x := Probit(p)
		back := math.Erfc(-x/math.Sqrt2) / 2
		if math.Abs(back-p) > 3e-16+2e-15*p {
			t.Fatalf("the quantile of %v is %v, which has probability %v", p, x, back)
		}
	}
	for p, want := range map[float64]float64{0: math.Inf(-1), .5: 0, 1: math.Inf(1), -.1: math.NaN(), 1.1: math.NaN(), math.NaN(): math.NaN()} {
		if x := Probit(p); x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("the quantile of %v is %v, want %v", p, x, want)
		}
	}
}
