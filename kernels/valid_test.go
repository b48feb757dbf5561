package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestWithin64(t *testing.T) {
	forEach(t, func(p implementation) func([]int64, int64) bool { return p.within64 }, func(t *testing.T, within func([]int64, int64) bool) {
		tryWithin(t, within, 4, []int64{0, -1, 21, math.MinInt64, math.MaxInt64, math.MinInt64 + 1, 1 << 32, -1 << 32})
	})
}

func TestWithin32(t *testing.T) {
	forEach(t, func(p implementation) func([]int32, int32) bool { return p.within32 }, func(t *testing.T, within func([]int32, int32) bool) {
		tryWithin(t, within, 8, []int32{0, -1, 21, math.MinInt32, math.MaxInt32, math.MinInt32 + 1})
	})
}

// tryWithin tries values of every number from a least one on, all of 1 to 20, and each of those that
// are not at some place.
func tryWithin[T int32 | int64](t *testing.T, within func([]T, T) bool, least int, beyond []T) {
	r := rand.New(rand.NewPCG(51, 52))
	all := newGround[T](t, most, -5)
	for _, n := range everyLength() {
		if n < least {
			continue
		}
		for _, at := range somePlaces {
			values := all.take(n, at)
			for i := range values {
				values[i] = T(1 + r.IntN(20))
			}
			values[r.IntN(n)] = 20
			if !within(values, 20) || within(values, 19) {
				t.Fatalf("%d values: wrong", n)
			}
			for _, i := range []int{0, n - 1, r.IntN(n)} {
				before := values[i]
				values[i] = beyond[r.IntN(len(beyond))]
				testkit.Equal(testkit.Stop(t), within(values, 20), false, values[i], "at", i, "of", n, "accepted")
				values[i] = before
			}
			all.check(t)
		}
	}
}

// All types are compared as numbers, in slices of any length.
func TestWithinOfTypes(t *testing.T) {
	tryType(t, []float64{0, math.Copysign(0, -1), -1, -1e-300, 1048577, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1)}, 5e-324, 0.5, 1, 1<<20)
	tryType(t, []float32{0, float32(math.Copysign(0, -1)), -1, 1048577, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}, math.SmallestNonzeroFloat32, 0.5, 1, 1<<20)
	tryType(t, []int64{0, -1, 1<<20 + 1, math.MaxInt64, math.MinInt64}, 1, 2, 1<<20)
	tryType(t, []int32{0, -1, 1<<20 + 1, math.MaxInt32, math.MinInt32}, 1, 2, 1<<20)
	tryType(t, []uint8{0, 201, 255}, 1, 2, 200)
}

// tryType tries numbers that are within the last one, and others.
func tryType[T uint8 | int32 | int64 | float32 | float64](t *testing.T, beyond []T, within ...T) {
	t.Helper()
	largest := within[len(within)-1]
	testkit.Equal(t, Within(nil, largest), true, largest, "none of them are not within")
	for n := 1; n < 40; n++ {
		values := make([]T, n)
		for i := range values {
			values[i] = within[i%len(within)]
		}
		testkit.Equal(t, Within(values, largest), true, values, "not within", largest)
		for _, v := range beyond {
			for i, before := range values {
				values[i] = v
				testkit.Equal(t, Within(values, largest), false, v, "at", i, "of", n, "within", largest)
				values[i] = before
			}
		}
	}
}

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
