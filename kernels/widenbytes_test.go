package kernels

import (
	"math/rand/v2"
	"testing"
)

func TestWidenBytes(t *testing.T) {
	forEach(t, func(p implementation) func([]uint32, []byte) { return p.widenBytes }, func(t *testing.T, widen func([]uint32, []byte)) {
		r := rand.New(rand.NewPCG(29, 30))
		allValues, allWords := newGround[byte](t, most, 0xFF), newGround(t, most, ^uint32(0))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, dst := allValues.take(n, at), allWords.take(n, somePlaces[r.IntN(len(somePlaces))])
				for i := range values {
					values[i] = byte(r.Uint32())
				}
				widen(dst, values)
				for i, v := range values {
					if dst[i] != uint32(v) {
						t.Fatalf("%d values, place %d: %v, want %v", n, i, dst[i], v)
					}
				}
				allValues.check(t)
				allWords.check(t)
			}
		}
	})
}

func TestWidenBytesOfNone(*testing.T) { WidenBytes(nil, nil) }
