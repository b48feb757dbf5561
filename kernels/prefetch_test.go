package kernels

import (
	"slices"
	"testing"
)

// Nothing is changed, and nothing outside is touched so that it would be noticed.
func TestPrefetch(t *testing.T) {
	forEach(t, func(p implementation) func([]byte) { return p.prefetch }, func(t *testing.T, prefetch func([]byte)) {
		all := newGround[byte](t, most, 0xA5)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				if n == 0 {
					continue
				}
				data := all.take(n, at)
				for i := range data {
					data[i] = byte(i * 7)
				}
				want := slices.Clone(data)
				prefetch(data)
				if !slices.Equal(data, want) {
					t.Fatalf("%d bytes, place %d: they were changed", n, at)
				}
				all.check(t)
			}
		}
	})
	Prefetch[int64](nil)
	Prefetch([]float32{1})
}
