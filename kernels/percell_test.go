package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type (
	deviator = func(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) bool
	widther  = func(dst []float64, classes []uint32, s, q, sizes, inverses []float64) bool
)

// wantedDeviations is what Deviations is said to do, written in another way.
func wantedDeviations(classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) (want []int64) {
	for i, c := range classes {
		x, y := n*a[i], of[i]*sizes[c]
		v := x - y
		switch form {
		case Squared:
			y = v * weights[c]
			v *= y
		case Absolute:
			v = math.Abs(v * weights[c])
		case Signed:
			v *= weights[c]
		}
		key := int64(math.Float64bits(v))
		if key < 0 {
			key ^= math.MaxInt64
		}
		want = append(want, key)
	}
	return want
}

// someTables returns two numbers for each of some classes.
func someTables(r *rand.Rand) (first, second []float64) {
	for range 1 + r.IntN(100) {
		first, second = append(first, float64(r.IntN(100_000))), append(second, r.Float64())
	}
	return first, second
}

func TestDeviations(t *testing.T) {
	forEach(t, func(p implementation) deviator { return p.deviations }, func(t *testing.T, deviations deviator) {
		r := rand.New(rand.NewPCG(25, 26))
		all, allClasses := newGround[int64](t, most, -1), newGround[uint32](t, most, math.MaxUint32)
		allA, allOf := newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				anywhere := func() place { return somePlaces[r.IntN(len(somePlaces))] }
				sizes, weights := someTables(r)
				dst, classes, a, of := all.take(n, at), allClasses.take(n, anywhere()), allA.take(n, anywhere()), allOf.take(n, anywhere())
				for i := range classes {
					classes[i], a[i], of[i] = uint32(r.IntN(len(sizes))), float64(r.IntN(1000)), float64(r.IntN(5000))
					if r.IntN(8) == 0 { // in proportion: 0
						a[i], of[i] = sizes[classes[i]], 100_000
					}
				}
				form := Deviation(r.IntN(3))
				want := wantedDeviations(classes, a, of, sizes, weights, 100_000, form)
				if !deviations(dst, classes, a, of, sizes, weights, 100_000, form) || !slices.Equal(dst, want) {
					t.Fatalf("form %d of %v in %v of %v: %v, want %v", form, a, classes, of, dst, want)
				}
				all.check(t)
				allClasses.check(t)
				allA.check(t)
				allOf.check(t)
			}
		}
		for n := 1; n < 20; n++ { // each cell in turn is out of range
			for i := range n {
				for _, class := range []uint32{3, 8, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32} {
					classes, numbers := make([]uint32, n), make([]float64, n)
					classes[i] = class
					if deviations(make([]int64, n), classes, numbers, numbers, make([]float64, 3), make([]float64, 3), 1, Signed) {
						t.Fatalf("class %d of 3 in cell %d of %d: accepted", class, i, n)
					}
				}
			}
		}
	})
}

func TestWithin(t *testing.T) {
	forEach(t, func(p implementation) widther { return p.within }, func(t *testing.T, within widther) {
		r := rand.New(rand.NewPCG(27, 28))
		all, allClasses := newGround(t, most, math.Inf(1)), newGround[uint32](t, most, math.MaxUint32)
		allS, allQ := newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				anywhere := func() place { return somePlaces[r.IntN(len(somePlaces))] }
				sizes, inverses := someTables(r)
				dst, classes, s, q := all.take(n, at), allClasses.take(n, anywhere()), allS.take(n, anywhere()), allQ.take(n, anywhere())
				want := make([]float64, n)
				for i := range classes {
					classes[i], s[i], q[i] = uint32(r.IntN(len(sizes))), r.Float64(), r.Float64()*1000
					x, y := sizes[classes[i]]*q[i], s[i]*s[i]
					want[i] = (x - y) * inverses[classes[i]]
				}
				if !within(dst, classes, s, q, sizes, inverses) || !slices.EqualFunc(dst, want, same) {
					t.Fatalf("%v and %v in %v: %v, want %v", s, q, classes, dst, want)
				}
				all.check(t)
				allClasses.check(t)
				allS.check(t)
				allQ.check(t)
			}
		}
		classes, numbers := []uint32{0, 1, 2, 3, 2, 1, 0, 1, 2}, make([]float64, 9)
		if within(make([]float64, 9), classes, numbers, numbers, make([]float64, 3), make([]float64, 3)) {
			t.Error("class 3 of 3: accepted")
		}
	})
}
