package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var oddSingles = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
	-math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffcp-127, float32(math.Inf(1)), float32(math.Inf(-1)),
	float32(math.NaN()), math.Float32frombits(0xFFC12345), math.Float32frombits(0x7F800001),
}

// cuts are bounds of n elements: one segment, short ones with empty ones among
// them, ones of any length, and bounds that do not ascend.
func cuts(r *rand.Rand, n int) [][]uint32 {
	short := []uint32{0, 0}
	for last := 0; last < n && len(short) < 60; {
		last = min(n, last+r.IntN(20))
		short = append(short, uint32(last))
	}
	disorder := make([]uint32, 2+r.IntN(12))
	for i := range disorder {
		disorder[i] = uint32(r.IntN(n + 1))
	}
	ordered := slices.Sorted(slices.Values(disorder))
	return [][]uint32{{0, uint32(n)}, short, ordered, disorder, {uint32(n), uint32(n), 0}}
}

func TestSumSegments(t *testing.T) {
	type function = func(sums, squares []float64, values []float32, bounds []uint32)
	forEach(t, func(p implementation) function { return p.sumSegments }, func(t *testing.T, sum function) {
		r := rand.New(rand.NewPCG(25, 26))
		column := newGround(t, most, float32(math.Inf(1))) // infinity around the values would be seen
		allSums, allSquares := newGround(t, 64, -1.5), newGround(t, 64, 2.5)
		for _, n := range append(everyLength(), 0) {
			for _, at := range somePlaces {
				values := column.take(n, at)
				kind := r.IntN(4)
				for i := range values {
					values[i] = float32(r.NormFloat64() * math.Exp(r.Float64()*20))
					switch {
					case kind == 0 && r.IntN(30) == 0:
						values[i] = oddSingles[r.IntN(len(oddSingles))]
					case kind == 1:
						values[i] = oddSingles[r.IntN(10)]
					case kind == 2:
						values[i] = float32(math.Copysign(0, -1))
					}
				}
				for _, bounds := range cuts(r, n) {
					k := len(bounds) - 1
					sums, squares := allSums.take(k, somePlaces[r.IntN(len(somePlaces))]), allSquares.take(k, atTail)
					sum(sums, squares, values, bounds)
					for i := range k {
						// The definition: lanes one by one.
						var s, q [lanes]float64
						for j := bounds[i]; j < bounds[i+1]; j++ {
							x, l := float64(values[j]), (j-bounds[i])%lanes
							s[l] += x
							q[l] += float64(x * x)
						}
						if !same(sums[i], foldLanes(&s)) || !same(squares[i], foldLanes(&q)) {
							t.Fatalf("%d values, bounds %v, segment %d: %v and %v, want %v and %v", n, bounds, i, sums[i], squares[i], foldLanes(&s), foldLanes(&q))
						}
					}
					allSums.check(t)
					allSquares.check(t)
				}
			}
		}
	})
}

// byteSums is the definition of SumByteSegments.
func byteSums(values []byte) (sum, square uint64) {
	for _, v := range values {
		sum += uint64(v)
		square += uint64(v) * uint64(v)
	}
	return sum, square
}

func TestSumByteSegments(t *testing.T) {
	type function = func(sums, squares []uint64, values []byte, bounds []uint32)
	forEach(t, func(p implementation) function { return p.sumByteSegments }, func(t *testing.T, sum function) {
		r := rand.New(rand.NewPCG(27, 28))
		column := newGround[byte](t, most, 0xFF)
		allSums, allSquares := newGround[uint64](t, 64, 3), newGround[uint64](t, 64, 4)
		for _, n := range append(everyLength(), 0) {
			for _, at := range somePlaces {
				values := column.take(n, at)
				for i := range values {
					values[i] = byte(r.Uint32() | r.Uint32()) // large ones are likely
				}
				for _, bounds := range cuts(r, n) {
					k := len(bounds) - 1
					sums, squares := allSums.take(k, somePlaces[r.IntN(len(somePlaces))]), allSquares.take(k, atTail)
					sum(sums, squares, values, bounds)
					for i := range k {
						s, q := byteSums(values[bounds[i]:max(bounds[i], bounds[i+1])])
						if sums[i] != s || squares[i] != q {
							t.Fatalf("%d values, bounds %v, segment %d: %v and %v, want %v and %v", n, bounds, i, sums[i], squares[i], s, q)
						}
					}
					allSums.check(t)
					allSquares.check(t)
				}
			}
		}
	})
}

// The largest bytes, longer than 32 bits can hold the squares of a lane.
func TestSumByteSegmentsOfManyLargeBytes(t *testing.T) {
	type function = func(sums, squares []uint64, values []byte, bounds []uint32)
	values := slices.Repeat([]byte{255}, 3<<20+77)
	forEach(t, func(p implementation) function { return p.sumByteSegments }, func(t *testing.T, sum function) {
		bounds := []uint32{0, 5, uint32(len(values)) - 3, uint32(len(values))}
		sums, squares := make([]uint64, 3), make([]uint64, 3)
		sum(sums, squares, values, bounds)
		for i := range sums {
			n := uint64(bounds[i+1] - bounds[i])
			if sums[i] != 255*n || squares[i] != 255*255*n {
				t.Fatalf("segment %d of %d bytes: %d and %d", i, n, sums[i], squares[i])
			}
		}
	})
}

func TestSumsOfNoSegment(*testing.T) {
	SumSegments(nil, nil, []float32{1}, nil)
	SumByteSegments(nil, nil, []byte{1}, []uint32{1})
}

// fuzzCuts makes bounds of up to n, in any order.
func fuzzCuts(raw []byte, n int) []uint32 {
	bounds := []uint32{0}
	for _, b := range raw {
		bounds = append(bounds, uint32(int(b)*n/255))
	}
	return append(bounds, uint32(n))
}

func FuzzSumSegments(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"), []byte{3, 100, 100, 200})
	f.Fuzz(func(t *testing.T, raw, cut []byte) {
		words := fuzzWords(raw)
		values := make([]float32, len(words))
		for i, w := range words {
			values[i] = math.Float32frombits(w)
		}
		bounds := fuzzCuts(cut, len(values))
		k := len(bounds) - 1
		wantSums, wantSquares := make([]float64, k), make([]float64, k)
		sumSegmentsGeneric(wantSums, wantSquares, values, bounds)
		for _, p := range implementations {
			if p.sumSegments == nil {
				continue
			}
			sums, squares := make([]float64, k), make([]float64, k)
			p.sumSegments(sums, squares, values, bounds)
			if !slices.EqualFunc(sums, wantSums, same) || !slices.EqualFunc(squares, wantSquares, same) {
				t.Fatalf("%s: %v and %v, want %v and %v", p.name, sums, squares, wantSums, wantSquares)
			}
		}
	})
}

func FuzzSumByteSegments(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"), []byte{3, 100, 100, 200})
	f.Fuzz(func(t *testing.T, values, cut []byte) {
		bounds := fuzzCuts(cut, len(values))
		k := len(bounds) - 1
		wantSums, wantSquares := make([]uint64, k), make([]uint64, k)
		sumByteSegmentsGeneric(wantSums, wantSquares, values, bounds)
		for _, p := range implementations {
			if p.sumByteSegments == nil {
				continue
			}
			sums, squares := make([]uint64, k), make([]uint64, k)
			p.sumByteSegments(sums, squares, values, bounds)
			if !slices.Equal(sums, wantSums) || !slices.Equal(squares, wantSquares) {
				t.Fatalf("%s: %v and %v, want %v and %v", p.name, sums, squares, wantSums, wantSquares)
			}
		}
	})
}
