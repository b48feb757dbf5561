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

// mostCuts is how many bounds a list of cuts may have.
const mostCuts = 300

// cuts are bounds of n elements: one segment, short ones with empty ones among
// them, ones of any length, and bounds that do not ascend.
func cuts(r *rand.Rand, n int) [][]uint32 {
	short := []uint32{0, 0}
	for last := 0; last < n && len(short) < mostCuts; {
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

// sumInLanes is the definition of the sums: lanes one by one.
func sumInLanes[T float32 | float64](values []T) (sum, square float64) {
	var s, q [lanes]float64
	for i, v := range values {
		x, l := float64(v), i%lanes
		s[l] += x
		q[l] += float64(x * x)
	}
	return foldLanes(&s), foldLanes(&q)
}

type (
	segmentSummer     = func(sums, squares []float64, values []float32, bounds []uint32)
	byteSegmentSummer = func(sums, squares []uint64, values []byte, bounds []uint32)
)

func TestSumSegments(t *testing.T) {
	forEach(t, func(p implementation) segmentSummer { return p.sumSegments }, func(t *testing.T, sum segmentSummer) {
		r := rand.New(rand.NewPCG(25, 26))
		column := newGround(t, most, float32(math.Inf(1))) // infinity around the values would be seen
		allSums, allSquares := newGround(t, mostCuts, -1.5), newGround(t, mostCuts, 2.5)
		allBounds := newGround[uint32](t, mostCuts, 0xFFFFFFFF)
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
				for _, cut := range cuts(r, n) {
					bounds, k := allBounds.take(len(cut), somePlaces[r.IntN(len(somePlaces))]), len(cut)-1
					copy(bounds, cut)
					sums, squares := allSums.take(k, somePlaces[r.IntN(len(somePlaces))]), allSquares.take(k, atTail)
					sum(sums, squares, values, bounds)
					for i := range k {
						s, q := sumInLanes(values[bounds[i]:max(bounds[i], bounds[i+1])])
						if !same(sums[i], s) || !same(squares[i], q) {
							t.Fatalf("%d values, bounds %v, segment %d: %v and %v, want %v and %v", n, bounds, i, sums[i], squares[i], s, q)
						}
					}
					allSums.check(t)
					allSquares.check(t)
					allBounds.check(t)
				}
				column.check(t)
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
	forEach(t, func(p implementation) byteSegmentSummer { return p.sumByteSegments }, func(t *testing.T, sum byteSegmentSummer) {
		r := rand.New(rand.NewPCG(27, 28))
		column := newGround[byte](t, most, 0xFF)
		allSums, allSquares := newGround[uint64](t, mostCuts, 3), newGround[uint64](t, mostCuts, 4)
		allBounds := newGround[uint32](t, mostCuts, 0xFFFFFFFF)
		for _, n := range append(everyLength(), 0) {
			for _, at := range somePlaces {
				values := column.take(n, at)
				for i := range values {
					values[i] = byte(r.Uint32() | r.Uint32()) // large ones are likely
				}
				for _, cut := range cuts(r, n) {
					bounds, k := allBounds.take(len(cut), somePlaces[r.IntN(len(somePlaces))]), len(cut)-1
					copy(bounds, cut)
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
					allBounds.check(t)
				}
				column.check(t)
			}
		}
	})
}

// The largest bytes, longer than 32 bits can hold the squares of a lane: lanes
// are widened every 16,384 vectors of 16, 32 or 64 bytes.
func TestSumByteSegmentsOfManyLargeBytes(t *testing.T) {
	values := slices.Repeat([]byte{255}, 3<<20+77)
	last := uint32(len(values))
	forEach(t, func(p implementation) byteSegmentSummer { return p.sumByteSegments }, func(t *testing.T, sum byteSegmentSummer) {
		check := func(bounds ...uint32) {
			sums, squares := make([]uint64, len(bounds)-1), make([]uint64, len(bounds)-1)
			sum(sums, squares, values, bounds)
			for i := range sums {
				n := uint64(bounds[i+1] - bounds[i])
				if sums[i] != 255*n || squares[i] != 255*255*n {
					t.Fatalf("segment %d of %d bytes: %d and %d", i, n, sums[i], squares[i])
				}
			}
		}
		check(0, 5, last-3, last)
		for _, vector := range []uint32{16, 32, 64} {
			turns := vector * 16384
			for _, n := range []uint32{turns - 1, turns, turns + 1, turns + vector - 1, turns + vector, 2*turns - 3, 2 * turns} {
				check(0, n, last)
				check(5, 5+n, 5+n, last)
			}
		}
	})
}

// Sum has one form and no segments.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	column := newGround(t, most, math.Inf(1)) // infinity around the values would be seen
	for _, n := range append(everyLength(), 0) {
		for _, at := range somePlaces {
			values := column.take(n, at)
			odd := r.IntN(4)
			for i := range values {
				values[i] = r.NormFloat64() * math.Exp(r.Float64()*20)
				if odd == 0 && r.IntN(30) == 0 {
					values[i] = oddNumbers[r.IntN(len(oddNumbers))]
				}
			}
			sum, square := Sum(values)
			if wantSum, wantSquare := sumInLanes(values); !same(sum, wantSum) || !same(square, wantSquare) {
				t.Fatalf("%v: %v and %v, want %v and %v", values, sum, square, wantSum, wantSquare)
			}
			column.check(t)
		}
	}
}

func TestSumsOfNoSegment(*testing.T) {
	SumSegments(nil, nil, []float32{1}, nil)
	SumByteSegments(nil, nil, []byte{1}, []uint32{1})
}
