package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOccupied(t *testing.T) {
	forEach(t, func(p implementation) func(dst, counts []uint32) int { return p.occupied }, func(t *testing.T, occupied func(dst, counts []uint32) int) {
		r := rand.New(rand.NewPCG(21, 22))
		allCounts, places := newGround[uint32](t, most, 0xABCDEF01), newGround[uint32](t, most, 0xFFFFFFFF)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				counts, dst := allCounts.take(n, at), places.take(n, somePlaces[r.IntN(len(somePlaces))])
				rarely := 1 + r.IntN(5)*r.IntN(5)
				var want []uint32
				for i := range counts {
					counts[i] = 0
					if r.IntN(rarely) == 0 {
						counts[i] = 1 + r.Uint32()>>r.IntN(32)/2
						want = append(want, uint32(i))
					}
				}
				found := occupied(dst, counts)
				if found != len(want) || !slices.Equal(dst[:found], want) {
					t.Fatalf("%d counts: %v, want %v", n, dst[:min(found, n)], want)
				}
				places.check(t)
				allCounts.check(t)
			}
		}
	})
}

func TestOccupiedOfNone(t *testing.T) {
	if n := Occupied(nil, nil); n != 0 {
		t.Fatal(n)
	}
}
