package score

import (
	"math"
	"testing"

	"github.com/termsift/termsift/kernels"
)

// Tables of logarithms have the bits of the function for whole numbers; others are not in them.
func TestLogTables(t *testing.T) {
	var l logTables
	l.fill(20)
	for _, n := range []float64{0, 1, 2, 19, 20, 21, 1.5, 19.25, 1e300} {
		if got, want := l.of(n), kernels.Log(n); got != want {
			t.Errorf("ln %v is %v, want %v", n, got, want)
		}
		if got, want := l.ofHalf(n), kernels.Log(n+.5); got != want {
			t.Errorf("ln(%v + ½) is %v, want %v", n, got, want)
		}
	}
}

// The variance within classes from the squared distances of the values is that of all documents, those
// without the term too: 3, 5, 0 and 0 in a class, 7, 0 and 0 in the other.
func TestCentredVariance(t *testing.T) {
	m := NewMargins(2, 7, []float64{4, 3}, []float64{8, 7})
	got := m.centredVariance([]uint32{0, 1}, []float64{2, 1}, []float64{8, 7}, []float64{2, 0})
	if want := (18 + 98./3) / 5; math.Abs(got-want) > 1e-14*want {
		t.Errorf("%v, want %v", got, want)
	}
}
