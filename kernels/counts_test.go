package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// noCounts are values that no row of counts has.
var noCounts = []float32{
	-1, -3, .5, 1.5, -.25, 1e-40, 1e10, -1e10, 1 << 31, -1 << 31, 1 << 32, 1 << 25,
	float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
}

func TestAddCounts(t *testing.T) {
	type function = func(sums, index []uint32, values []float32, largest uint32) bool
	forEach(t, func(p implementation) function { return p.addCounts }, func(t *testing.T, add function) {
		r := rand.New(rand.NewPCG(31, 32))
		allPlaces, allSums := newGround[uint32](t, most, 0), newGround[uint32](t, 3*most, 0xABCDEF01)
		allValues := newGround[float32](t, most, -7)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				index, values := allPlaces.take(n, at), allValues.take(n, somePlaces[r.IntN(len(somePlaces))])
				largest := uint32(1) << r.IntN(25)
				place := r.Uint32N(2)
				for i := range index {
					index[i], values[i] = place, float32(r.Uint32N(largest+1))
					place += 1 + r.Uint32N(2)
				}
				values[r.IntN(n)] = []float32{0, float32(math.Copysign(0, -1)), float32(largest)}[r.IntN(3)]
				sums := allSums.take(int(index[n-1])+1+r.IntN(2), somePlaces[r.IntN(len(somePlaces))])
				want := slices.Clone(sums)
				for i, v := range values {
					want[index[i]] += uint32(max(v, 0))
				}
				if !add(sums, index, values, largest) || !slices.Equal(sums, want) {
					t.Fatalf("%v at %v: %v, want %v", values, index, sums, want)
				}
				i := r.IntN(n)
				refused := func(what string) {
					t.Helper()
					if add(sums, index, values, largest) {
						t.Fatalf("%d elements up to %d: %s: %v at %v is a count", n, largest, what, values[i], index[i])
					}
				}
				good := values[i]
				for _, values[i] = range append(noCounts, float32(largest+1+largest>>23)) {
					refused("a value")
				}
				values[i] = good
				place = index[i]
				for _, index[i] = range []uint32{uint32(len(sums)), math.MaxUint32, 1 << 31} {
					refused("beyond the sums")
				}
				index[i] = place
				if i > 0 {
					for _, index[i] = range []uint32{index[i-1], index[i-1] / 2} {
						refused("a place behind the one before")
					}
					index[i] = place
				}
				allSums.check(t)
				allPlaces.check(t)
				allValues.check(t)
			}
		}
	})
}

func TestAddCountsOfNone(t *testing.T) {
	if !AddCounts(nil, nil, nil, 1) {
		t.Fatal("no values are refused")
	}
	if AddCounts(nil, []uint32{0}, []float32{1}, 1) {
		t.Fatal("a place without a sum is accepted")
	}
}
