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

func TestCountsOfNoRange(*testing.T) {
	for _, at := range [][]uint32{nil, {5}} {
		bounds, _ := NewBounds(at)
		CountBitmap(nil, make([]byte, BitmapBytes), bounds)
		CountArray(nil, nil, bounds)
	}
}
