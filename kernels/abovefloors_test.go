package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAboveFloors(t *testing.T) {
	forEach(t, func(p implementation) func([]float64, []uint32, []byte) { return p.aboveFloors }, func(t *testing.T, above func([]float64, []uint32, []byte)) {
		r := rand.New(rand.NewPCG(31, 32))
		allFloors, allOver, allSums := newGround(t, most, ^uint32(0)), newGround[byte](t, most, 0xFF), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				floors, over, dst := allFloors.take(n, at), allOver.take(n, somePlaces[r.IntN(len(somePlaces))]), allSums.take(n, somePlaces[r.IntN(len(somePlaces))])
				for i := range floors {
					floors[i], over[i] = r.Uint32()>>r.IntN(32), byte(r.Uint32())
				}
				if n > 0 {
					floors[n-1], over[n-1] = math.MaxUint32, math.MaxUint8
				}
				above(dst, floors, over)
				for i, floor := range floors {
					if want := float64(uint64(floor) + uint64(over[i])); dst[i] != want {
						t.Fatalf("%d values, place %d: %v, want %v", n, i, dst[i], want)
					}
				}
				allFloors.check(t)
				allOver.check(t)
				allSums.check(t)
			}
		}
	})
}

func TestAboveFloorsOfNone(*testing.T) { AboveFloors(nil, nil, nil) }
