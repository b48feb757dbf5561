package kernels

import (
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
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
				testkit.EqualSlices(testkit.Stop(t), data, want, n, "bytes, place", at, "they were changed")
				all.check(t)
			}
		}
	})
	Prefetch[int64](nil)
	Prefetch([]float32{1})
}
