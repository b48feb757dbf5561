package workload

import (
	"math"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestExp(t *testing.T) {
	for _, x := range []float64{0, 1e-300, 1e-9, -1e-9, 0.34, 0.35, -0.34, -0.35, 1, -1, 13.1, -20, 100, -100, 699, -699} {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 0x1p-51 {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	s := newStream(1, 1)
	for range 100_000 {
		x := 40*s.unit() - 20
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 0x1p-51 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	testkit.Equal(t, exp(1000), exp(700), "it does not stay where it is beyond 700")
	testkit.Equal(t, exp(math.Inf(-1)), exp(-700), "it does not stay where it is beyond 700")
}

// TestRanks goes through the law from its first rank to its last.
func TestRanks(t *testing.T) {
	const last = 1 - 0x1p-53
	for _, terms := range []int{1, 2, 1000, math.MaxInt32} {
		for _, kernel := range []int{0, 1, 500, math.MaxInt32} {
			z := newZipf(kernel, terms)
			testkit.Equal(t, z.rank(0), 0, z, "the first rank")
			if r := z.rank(last); int(r) >= terms || kernel == 0 && int(r) < terms-terms/1e3-1 {
				t.Errorf("%v: the last rank is %d", z, r)
			}
			before := uint32(0)
			for u := 0.0; u < 1; u += 0x1p-10 {
				r := z.rank(u)
				if r < before || int(r) >= terms {
					t.Fatalf("%v: rank %d behind %d", z, r, before)
				}
				before = r
			}
		}
	}
}
