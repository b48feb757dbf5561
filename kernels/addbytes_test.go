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
	type adder = func(dst, x []float64, values []byte)
	forEach(t, func(p implementation) adder { return p.addBytes }, func(t *testing.T, addBytes adder) {
		r := rand.New(rand.NewPCG(19, 20))
		allValues, allNumbers, allSums := newGround[byte](t, most, 0xFF), newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, x := allValues.take(n, at), allNumbers.take(n, somePlaces[r.IntN(len(somePlaces))])
				dst := allSums.take(n, somePlaces[r.IntN(len(somePlaces))])
				want := make([]float64, n)
				for i := range values {
					values[i], x[i] = byte(r.Uint32()), float64(r.Uint32())
					if r.IntN(5) == 0 {
						x[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
					want[i] = x[i] + float64(values[i])
				}
				if at%2 == 0 {
					copy(dst, x)
					x = dst
				}
				addBytes(dst, x, values)
				for i := range dst {
					if !same(dst[i], want[i]) {
						t.Fatalf("%d values, place %d: %v, want %v", n, i, dst[i], want[i])
					}
				}
				allValues.check(t)
				allNumbers.check(t)
				allSums.check(t)
			}
		}
	})
}

func TestAddBytesOfNone(*testing.T) { AddBytes(nil, nil, nil) }
