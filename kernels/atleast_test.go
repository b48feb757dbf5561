package kernels

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAtLeast(t *testing.T) {
	type function = func([]uint32, []float64, float64) int
	forEach(t, func(p implementation) function { return p.atLeast }, func(t *testing.T, atLeast function) {
		r := rand.New(rand.NewPCG(23, 24))
		allValues, places := newGround(t, most, math.Inf(1)), newGround[uint32](t, most, 0xFFFFFFFF)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, dst := allValues.take(n, at), places.take(n, somePlaces[r.IntN(len(somePlaces))])
				kind := r.IntN(3)
				for i := range values {
					values[i] = r.NormFloat64()
					if kind == 1 && r.IntN(3) == 0 || kind == 2 && r.IntN(1+n) == 0 {
						values[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
				}
				for _, threshold := range append(oddNumbers, values[r.IntN(n)], 3) {
					var want []uint32
					for i, v := range values {
						if v >= threshold {
							want = append(want, uint32(i))
						}
					}
					found := atLeast(dst, values, threshold)
					if found != len(want) || !slices.Equal(dst[:found], want) {
						t.Fatalf("%v >= %v: %v, want %v", values, threshold, dst[:min(found, n)], want)
					}
					places.check(t)
				}
			}
		}
	})
}

func TestAtLeastOfNone(t *testing.T) {
	if n := AtLeast(nil, nil, 0); n != 0 {
		t.Fatal(n)
	}
}

// fuzzNumbers makes numbers of eight bytes.
func fuzzNumbers(raw []byte) []float64 {
	numbers := make([]float64, len(raw)/8)
	for i := range numbers {
		numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return numbers
}

func FuzzAtLeast(f *testing.F) {
	f.Add([]byte("12345678abcdefgh"), 1.)
	f.Fuzz(func(t *testing.T, raw []byte, threshold float64) {
		values := fuzzNumbers(raw)
		if len(values) == 0 {
			return
		}
		want := make([]uint32, len(values))
		want = want[:atLeastGeneric(want, values, threshold)]
		for _, p := range implementations {
			if p.atLeast == nil {
				continue
			}
			got := make([]uint32, len(values))
			if got = got[:p.atLeast(got, values, threshold)]; !slices.Equal(got, want) {
				t.Fatalf("%s: %v >= %v: %v, want %v", p.name, values, threshold, got, want)
			}
		}
	})
}
