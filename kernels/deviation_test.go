package kernels

import (
	"encoding/binary"
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

func TestMaxDeviation(t *testing.T) {
	type function = func([]uint32, []float64, []float64, float64, float64) (float64, float64, float64)
	forEach(t, func(p implementation) function { return p.maxDeviation }, func(t *testing.T, deviation function) {
		r := rand.New(rand.NewPCG(19, 20))
		// NaN around the slices would be no maximum: infinity is seen.
		allCounts, allSizes, allWeights := newGround[uint32](t, most, 0xFFFFFFFF), newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(-1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				counts, sizes, weights := allCounts.take(n, at), allSizes.take(n, at), allWeights.take(n, somePlaces[r.IntN(len(somePlaces))])
				kind := r.IntN(6)
				for i := range n {
					counts[i] = r.Uint32() >> r.IntN(32)
					sizes[i] = float64(r.Uint32N(1 << 20))
					weights[i] = r.Float64() - float64(kind%3)/2
					if kind == 5 && r.IntN(1+n/8) == 0 {
						weights[i] = oddNumbers[r.IntN(len(oddNumbers))]
						sizes[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
					if kind == 4 { // deviations of 0 with either sign
						counts[i], sizes[i], weights[i] = 0, 0, math.Copysign(1, weights[i])
					}
				}
				total, occurrences := float64(1+r.Uint32N(1<<20)), float64(r.Uint32N(1<<20))
				signed, absolute, square := deviation(counts, sizes, weights, total, occurrences)
				wantSigned, wantAbsolute, wantSquare := maxDeviationGeneric(counts, sizes, weights, total, occurrences)
				if !same(signed, wantSigned) || !same(absolute, wantAbsolute) || !same(square, wantSquare) {
					t.Fatalf("%d classes, kind %d: %v, %v and %v, want %v, %v and %v", n, kind, signed, absolute, square, wantSigned, wantAbsolute, wantSquare)
				}
			}
		}
	})
}

// The generic form is checked too: a table small enough to see.
func TestMaxDeviationOfFewClasses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		counts                   []uint32
		sizes, weights           []float64
		signed, absolute, square float64
	}{
		{nil, nil, nil, -inf, -inf, -inf},
		{[]uint32{3, 1}, []float64{4, 6}, []float64{1, 0.5}, 14, 14, 14 * 14}, // d = 30-16, 10-24
		{[]uint32{0, 4}, []float64{5, 5}, []float64{1, 0.5}, 10, 20, 400},
		{[]uint32{3, 1}, []float64{4, 6}, []float64{nan, 0.5}, -7, 7, 98},
		{[]uint32{3}, []float64{4}, []float64{nan}, -inf, -inf, -inf},
		{[]uint32{2}, []float64{5}, []float64{-1}, 0, 0, 0}, // 0 times -1
	} {
		signed, absolute, square := MaxDeviation(c.counts, c.sizes, c.weights, 10, 4)
		for i, pair := range [][2]float64{{signed, c.signed}, {absolute, c.absolute}, {square, c.square}} {
			if math.Float64bits(pair[0]) != math.Float64bits(pair[1]) {
				t.Errorf("%v: result %d is %v, want %v", c.counts, i, pair[0], pair[1])
			}
		}
	}
}

func FuzzMaxDeviation(f *testing.F) {
	f.Add([]byte("\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\xf0\x3f"), 10., 4.)
	f.Fuzz(func(t *testing.T, raw []byte, total, occurrences float64) {
		var counts []uint32
		var sizes, weights []float64
		for ; len(raw) >= 20; raw = raw[20:] {
			counts = append(counts, binary.LittleEndian.Uint32(raw))
			sizes = append(sizes, math.Float64frombits(binary.LittleEndian.Uint64(raw[4:])))
			weights = append(weights, math.Float64frombits(binary.LittleEndian.Uint64(raw[12:])))
		}
		wantSigned, wantAbsolute, wantSquare := maxDeviationGeneric(counts, sizes, weights, total, occurrences)
		for _, p := range implementations {
			if p.maxDeviation == nil {
				continue
			}
			signed, absolute, square := p.maxDeviation(counts, sizes, weights, total, occurrences)
			if !same(signed, wantSigned) || !same(absolute, wantAbsolute) || !same(square, wantSquare) {
				t.Fatalf("%s: %v, %v and %v, want %v, %v and %v", p.name, signed, absolute, square, wantSigned, wantAbsolute, wantSquare)
			}
		}
	})
}
