package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCountBitmap(t *testing.T) {
	forEach(t, func(p implementation) counter { return p.countBitmap }, func(t *testing.T, count counter) {
		r := rand.New(rand.NewPCG(11, 12))
		bitmaps, counts := newGround[byte](t, BitmapBytes, 0xFF), newGround[uint32](t, most, 0xFFFFFFFF)
		allBounds := newGround[uint32](t, most+1, 0xFFFFFFFF)
		for at := atTail; at < 64; at++ {
			bitmap := bitmaps.take(BitmapBytes, at)
			randomWords(r, bitmap)
			below := make([]uint32, containerBits+1) // the definition, bit by bit
			for b := range uint32(containerBits) {
				below[b+1] = below[b] + uint32(bitmap[b/8]>>(b%8)&1)
			}
			check := func(given []uint32) {
				bounds := allBounds.take(len(given), place(r.IntN(20)-1))
				copy(bounds, given)
				got := counts.take(len(bounds)-1, place(r.IntN(20)-1))
				want := make([]uint32, len(got))
				for i := range got {
					got[i] = r.Uint32()
					want[i] = got[i] + below[bounds[i+1]] - below[bounds[i]]
				}
				count(got, bitmap, bounds)
				if !slices.Equal(got, want) {
					t.Fatalf("bounds %v at %d: %v, want %v", bounds, at, got, want)
				}
				counts.check(t)
				allBounds.check(t)
			}
			for _, bounds := range someBounds(r, 30) {
				check(bounds)
			}
			for ranges := int(at) + 2; ranges <= most; ranges += 65 { // every number of them, in the end
				check(randomBounds(r, ranges))
			}
			bitmaps.check(t)
		}
	})
}
