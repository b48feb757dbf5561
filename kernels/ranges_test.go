package kernels

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// edges are the bounds that cut words, vectors and containers.
var edges = []uint32{0, 1, 2, 31, 32, 63, 64, 65, 511, 512, 513, 4095, 4096, 32768, 65024, 65472, 65535, 65536}

// someBounds are lists of ascending bounds: each pair of edges, all edges, the
// edges twice, and random ones.
func someBounds(r *rand.Rand, random int) [][]uint32 {
	twice := slices.Concat(edges, edges)
	slices.Sort(twice)
	lists := [][]uint32{edges, twice}
	for i, from := range edges {
		for _, to := range edges[i:] {
			lists = append(lists, []uint32{from, to})
		}
	}
	for range random {
		lists = append(lists, randomBounds(r, 1+r.IntN(70)))
	}
	return lists
}

func randomBounds(r *rand.Rand, ranges int) []uint32 {
	bounds := make([]uint32, ranges+1)
	for i := range bounds {
		bounds[i] = r.Uint32N(containerBits + 1)
		if i > 0 && r.IntN(4) == 0 {
			bounds[i] = bounds[i-1]
		}
	}
	slices.Sort(bounds)
	return bounds
}

// randomWords are bits of a random density, from none to all.
func randomWords(r *rand.Rand, bitmap []byte) {
	density := r.IntN(5)
	for i := 0; i < len(bitmap); i += 8 {
		w := r.Uint64()
		switch density {
		case 0:
			w &= r.Uint64() & r.Uint64() & r.Uint64()
		case 1:
			w = 0
		case 2:
			w = ^uint64(0)
		}
		binary.LittleEndian.PutUint64(bitmap[i:], w)
	}
}

// randomValues are ascending ones, some next to each other, with both ends
// likely.
func randomValues(r *rand.Rand, values []byte) {
	n := len(values) / 2
	at, room := 0, containerBits-n // values that are left out
	if r.IntN(2) == 0 && n > 0 {
		skip := r.IntN(room + 1)
		at, room = skip, room-skip
	}
	for i := range n {
		if room > 0 && r.IntN(3) > 0 {
			skip := min(r.IntN(2*room/(n-i)+2), room)
			at, room = at+skip, room-skip
		}
		binary.LittleEndian.PutUint16(values[2*i:], uint16(at))
		at++
	}
}

// counter counts the members of a container by ranges.
type counter = func(counts []uint32, container []byte, bounds []uint32)

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

func TestCountsOfNoRange(*testing.T) {
	for _, at := range [][]uint32{nil, {5}} {
		bounds, _ := NewBounds(at)
		CountBitmap(nil, make([]byte, BitmapBytes), bounds)
		CountArray(nil, nil, bounds)
	}
}
