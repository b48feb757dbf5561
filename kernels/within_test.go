package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
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
				if within(values, 20) {
					t.Fatalf("%v at %d of %d: accepted", values[i], i, n)
				}
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
	if !Within(nil, largest) {
		t.Errorf("%T: none of them are not within", largest)
	}
	for n := 1; n < 40; n++ {
		values := make([]T, n)
		for i := range values {
			values[i] = within[i%len(within)]
		}
		if !Within(values, largest) {
			t.Errorf("%v: not within %v", values, largest)
		}
		for _, v := range beyond {
			for i, before := range values {
				values[i] = v
				if Within(values, largest) {
					t.Errorf("%v at %d of %d: within %v", v, i, n, largest)
				}
				values[i] = before
			}
		}
	}
}

func FuzzWithin(f *testing.F) {
	f.Add([]byte("a few numbers of eight bytes each, and four of them"), int64(1<<20))
	f.Fuzz(func(t *testing.T, raw []byte, most int64) {
		words := fuzzWords(raw)
		if len(words) < 8 || most < 1 {
			return
		}
		narrow, wide := make([]int32, len(words)), make([]int64, len(words))
		for i, w := range words {
			narrow[i], wide[i] = int32(w), int64(w)<<(w%32)
		}
		for name, within := range others(func(p implementation) func([]int64, int64) bool { return p.within64 }) {
			if want := within64Generic(wide, most); within(wide, most) != want {
				t.Fatalf("%s: %v within %d: want %t", name, wide, most, want)
			}
		}
		least := int32(most & math.MaxInt32)
		for name, within := range others(func(p implementation) func([]int32, int32) bool { return p.within32 }) {
			if want := within32Generic(narrow, max(least, 1)); within(narrow, max(least, 1)) != want {
				t.Fatalf("%s: %v within %d: want %t", name, narrow, least, want)
			}
		}
	})
}
