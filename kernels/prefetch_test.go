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

func TestPrefetchEach(t *testing.T) {
	forEach(t, func(p implementation) func([]byte, int, []uint32) { return p.prefetchEach }, func(t *testing.T, prefetch func([]byte, int, []uint32)) {
		all, places := newGround[byte](t, 24*most, 0xA5), newGround[uint32](t, most, 0xA5)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				if n == 0 {
					continue
				}
				data, each := all.take(24*n, at), places.take(n, at)
				for i := range each {
					each[i] = uint32(n - 1 - i)
				}
				want, order := slices.Clone(data), slices.Clone(each)
				prefetch(data, 24, each)
				testkit.EqualSlices(testkit.Stop(t), data, want, n, "elements, place", at, "they were changed")
				testkit.EqualSlices(testkit.Stop(t), each, order, n, "elements, place", at, "they were changed")
				all.check(t)
				places.check(t)
			}
		}
	})
	PrefetchEach([]int64{}, []uint32{0})
	PrefetchEach([]int64{1}, nil)
	PrefetchEach([]struct{}{{}}, []uint32{0})
}
