package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOccupied(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for n := range 300 {
		counts, dst := make([]uint32, n), make([]uint32, n)
		rarely := 1 + r.IntN(5)*r.IntN(5)
		var want []uint32
		for i := range counts {
			if r.IntN(rarely) == 0 {
				counts[i] = 1 + r.Uint32()>>r.IntN(32)/2
				want = append(want, uint32(i))
			}
		}
		if found := Occupied(dst, counts); found != len(want) || !slices.Equal(dst[:found], want) {
			t.Fatalf("%d counts: %v, want %v", n, dst[:min(found, n)], want)
		}
	}
}
