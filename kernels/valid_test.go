package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestAscending64(t *testing.T) {
	forEach(t, func(p implementation) func([]int64) bool { return p.ascending64 }, func(t *testing.T, ascending func([]int64) bool) {
		tryAscending(t, ascending, 5, math.MinInt64, math.MaxInt64)
	})
}

func TestAscending32(t *testing.T) {
	forEach(t, func(p implementation) func([]int32) bool { return p.ascending32 }, func(t *testing.T, ascending func([]int32) bool) {
		tryAscending(t, ascending, 9, math.MinInt32, math.MaxInt32)
	})
}

// tryAscending tries values of every number from a least one on, from the least to the greatest of
// their type, and with one of them that is not above the one before.
func tryAscending[T int32 | int64](t *testing.T, ascending func([]T) bool, fewest int, lowest, highest T) {
	r := rand.New(rand.NewPCG(53, 54))
	all := newGround(t, most, lowest)
	for _, n := range everyLength() {
		if n < fewest {
			continue
		}
		for _, at := range somePlaces {
			values := all.take(n, at)
			middle := r.IntN(n)
			for i := range values {
				values[i] = T(i - middle)
			}
			values[0], values[n-1] = lowest, highest
			testkit.Equal(testkit.Stop(t), ascending(values), true, n, "values: not ascending")
			for _, i := range []int{1, n - 1, 1 + r.IntN(n-1)} {
				for _, v := range []T{values[i-1], lowest} {
					before := values[i]
					values[i] = v
					testkit.Equal(testkit.Stop(t), ascending(values), false, v, "after", values[i-1], "at", i, "of", n,
						"accepted")
					values[i] = before
				}
			}
			all.check(t)
		}
	}
}

// Slices of any length are taken; none and one are in order.
func TestAscendingOfFew(t *testing.T) {
	for n := range 40 {
		narrow, wide := make([]int32, n), make([]int64, n)
		for i := range narrow {
			narrow[i], wide[i] = int32(3*i-20), int64(3*i-20)<<32
		}
		if !Ascending(narrow) || !Ascending(wide) {
			t.Errorf("%d values: not ascending", n)
		}
		for i := 1; i < n; i++ {
			narrow[i] -= 3
			wide[i] = wide[i-1]
			if Ascending(narrow) || Ascending(wide) {
				t.Errorf("%d values, the same at %d and %d: accepted", n, i-1, i)
			}
			narrow[i] += 3
			wide[i] = int64(3*i-20) << 32
		}
	}
}
