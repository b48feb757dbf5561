package kernels

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCountArray(t *testing.T) {
	forEach(t, func(p implementation) counter { return p.countArray }, func(t *testing.T, count counter) {
		r := rand.New(rand.NewPCG(13, 14))
		arrays, counts := newGround[byte](t, 2*containerBits, 0), newGround[uint32](t, most, 0xFFFFFFFF)
		allBounds := newGround[uint32](t, most+1, 0xFFFFFFFF)
		check := func(values []byte, given []uint32) {
			bounds := allBounds.take(len(given), place(r.IntN(20)-1))
			copy(bounds, given)
			got := counts.take(len(bounds)-1, place(r.IntN(20)-1))
			want := make([]uint32, len(got))
			rank := func(bound uint32) (n uint32) {
				for i := 0; i < len(values) && uint32(binary.LittleEndian.Uint16(values[i:])) < bound; i += 2 {
					n++
				}
				return n
			}
			last := rank(bounds[0])
			for i := range got {
				got[i] = r.Uint32()
				next := rank(bounds[i+1])
				want[i] = got[i] + next - last
				last = next
			}
			count(got, values, bounds)
			if !slices.Equal(got, want) {
				t.Fatalf("%d values, bounds %v: %v, want %v", len(values)/2, bounds, got, want)
			}
			counts.check(t)
			allBounds.check(t)
			arrays.check(t)
		}
		check(arrays.take(0, atTail), edges)
		for _, n := range append(everyLength(), 4095, 4096, 40_000, 65_535, 65_536) {
			for _, at := range somePlaces {
				values := arrays.take(2*n, at)
				randomValues(r, values)
				check(values, edges)
				check(values, randomBounds(r, 1+r.IntN(40)))
				// Bounds at values and next to them.
				near := make([]uint32, 2+r.IntN(20))
				for i := range near {
					v := uint32(binary.LittleEndian.Uint16(values[2*r.IntN(n):]))
					near[i] = v + r.Uint32N(2)
				}
				slices.Sort(near)
				check(values, near)
			}
		}
		for _, ranges := range everyLength() {
			values := arrays.take(2*r.IntN(70), atTail)
			randomValues(r, values)
			check(values, randomBounds(r, ranges))
		}
	})
}

// Values that do not ascend give some counts, and no fault.
func TestCountArrayOfDisorder(t *testing.T) {
	forEach(t, func(p implementation) counter { return p.countArray }, func(t *testing.T, count counter) {
		r := rand.New(rand.NewPCG(15, 16))
		arrays := newGround[byte](t, 2*most, 0)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values := arrays.take(2*n, at)
				for i := range values {
					values[i] = byte(r.Uint32())
				}
				count(make([]uint32, len(edges)-1), values, edges)
			}
		}
	})
}
