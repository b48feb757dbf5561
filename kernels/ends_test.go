package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// lengthsOfRuns is the definition of CountEnds.
func lengthsOfRuns(ends []uint32) []uint32 {
	counts := make([]uint32, len(ends))
	before := uint32(0)
	for i := range ends {
		now := slices.Max(ends[max(0, i-40) : i+1])
		if i > 40 {
			now = max(now, before)
		}
		counts[i] = now - before
		before = now
	}
	return counts
}

func TestCountEnds(t *testing.T) {
	forEach(t, func(p implementation) func([]uint32, []uint32) { return p.countEnds }, func(t *testing.T, count func([]uint32, []uint32)) {
		r := rand.New(rand.NewPCG(17, 18))
		allCounts, allEnds := newGround[uint32](t, most, 0xABCDEF01), newGround[uint32](t, most, 0xFFFFFFFF)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				counts, ends := allCounts.take(n, at), allEnds.take(n, somePlaces[r.IntN(len(somePlaces))])
				last, kind := uint32(0), r.IntN(4)
				for i := range ends {
					switch {
					case kind == 0: // values of any size, in any order
						ends[i] = r.Uint32() >> r.IntN(32)
					case r.IntN(1+kind) == 0:
						last += 1 + r.Uint32N(1000)
						ends[i] = last
					default:
						ends[i] = 0
					}
				}
				want := lengthsOfRuns(ends)
				count(counts, ends)
				if !slices.Equal(counts, want) {
					t.Fatalf("%d ends: %v, want %v", n, counts, want)
				}
				if slices.Max(ends) != 0 {
					t.Fatalf("%d ends: not all of them are cleared", n)
				}
				allCounts.check(t)
				allEnds.check(t)
			}
		}
	})
}

func TestCountEndsOfNone(*testing.T) { CountEnds(nil, nil) }
