package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// oddNumbers are those that break a rule somewhere.
var oddNumbers = []float64{
	0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
	-math.SmallestNonzeroFloat64, 0x1p-1022, -0x1p-1022, 0x1.ffffffffffffep-1023, 0x1p52, 0x1p53,
	math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0xFFF8000000001234), math.Float64frombits(0x7FF0000000000001),
}

func TestAddBytes(t *testing.T) {
	forEach(t, func(p implementation) func([]float64, []byte) { return p.addBytes }, func(t *testing.T, addBytes func([]float64, []byte)) {
		r := rand.New(rand.NewPCG(19, 20))
		allValues, allSums := newGround[byte](t, most, 0xFF), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, dst := allValues.take(n, at), allSums.take(n, somePlaces[r.IntN(len(somePlaces))])
				want := make([]float64, n)
				for i := range values {
					values[i], dst[i] = byte(r.Uint32()), float64(r.Uint32())
					if r.IntN(5) == 0 {
						dst[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
					want[i] = dst[i] + float64(values[i])
				}
				addBytes(dst, values)
				for i := range dst {
					if !same(dst[i], want[i]) {
						t.Fatalf("%d values, place %d: %v, want %v", n, i, dst[i], want[i])
					}
				}
				allValues.check(t)
				allSums.check(t)
			}
		}
	})
}

func TestAddBytesOfNone(*testing.T) { AddBytes(nil, nil) }
