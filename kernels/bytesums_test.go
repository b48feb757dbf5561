package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// byteSums is the definition of SumByteSegments.
func byteSums(values []byte) (sum, square uint64) {
	for _, v := range values {
		sum += uint64(v)
		square += uint64(v) * uint64(v)
	}
	return sum, square
}

func TestSumByteSegments(t *testing.T) {
	forEach(t, func(p implementation) byteSegmentSummer { return p.sumByteSegments }, func(t *testing.T, sum byteSegmentSummer) {
		r := rand.New(rand.NewPCG(27, 28))
		column := newGround[byte](t, most, 0xFF)
		allSums, allSquares := newGround[uint64](t, mostCuts, 3), newGround[uint64](t, mostCuts, 4)
		allBounds := newGround[uint32](t, mostCuts, 0xFFFFFFFF)
		for _, n := range append(everyLength(), 0) {
			for _, at := range somePlaces {
				values := column.take(n, at)
				for i := range values {
					values[i] = byte(r.Uint32() | r.Uint32()) // large ones are likely
				}
				for _, cut := range cuts(r, n) {
					bounds, k := allBounds.take(len(cut), somePlaces[r.IntN(len(somePlaces))]), len(cut)-1
					copy(bounds, cut)
					sums, squares := allSums.take(k, somePlaces[r.IntN(len(somePlaces))]), allSquares.take(k, atTail)
					sum(sums, squares, values, bounds)
					for i := range k {
						s, q := byteSums(values[bounds[i]:max(bounds[i], bounds[i+1])])
						if sums[i] != s || squares[i] != q {
							t.Fatalf("%d values, bounds %v, segment %d: %v and %v, want %v and %v", n, bounds, i, sums[i], squares[i], s, q)
						}
					}
					allSums.check(t)
					allSquares.check(t)
					allBounds.check(t)
				}
				column.check(t)
			}
		}
	})
}

// The largest bytes, longer than 32 bits can hold the squares of a lane: lanes
// are widened every 16,384 vectors of 16, 32 or 64 bytes.
func TestSumByteSegmentsOfManyLargeBytes(t *testing.T) {
	values := slices.Repeat([]byte{255}, 3<<20+77)
	last := uint32(len(values))
	forEach(t, func(p implementation) byteSegmentSummer { return p.sumByteSegments }, func(t *testing.T, sum byteSegmentSummer) {
		check := func(bounds ...uint32) {
			sums, squares := make([]uint64, len(bounds)-1), make([]uint64, len(bounds)-1)
			sum(sums, squares, values, bounds)
			for i := range sums {
				n := uint64(bounds[i+1] - bounds[i])
				if sums[i] != 255*n || squares[i] != 255*255*n {
					t.Fatalf("segment %d of %d bytes: %d and %d", i, n, sums[i], squares[i])
				}
			}
		}
		check(0, 5, last-3, last)
		for _, vector := range []uint32{16, 32, 64} {
			turns := vector * 16384
			for _, n := range []uint32{turns - 1, turns, turns + 1, turns + vector - 1, turns + vector, 2*turns - 3, 2 * turns} {
				check(0, n, last)
				check(5, 5+n, 5+n, last)
			}
		}
	})
}
