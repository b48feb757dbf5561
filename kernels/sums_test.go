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

// Distances are summed in the shape of sums.
func TestSumDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	column := newGround(t, most, math.Inf(1))
	for _, n := range append(everyLength(), 0) {
		values := column.take(n, somePlaces[n%len(somePlaces)])
		from := float64(r.NormFloat64() * 1e6) // rounded, or a compiler may fuse it with the difference
		apart := make([]float64, n)
		for i := range values {
			values[i] = from + r.NormFloat64()*math.Exp(r.Float64()*20)
			apart[i] = values[i] - from
		}
		sum, squares := SumDistances(values, from)
		if wantSum, wantSquares := sumInLanes(apart); !same(sum, wantSum) || !same(squares, wantSquares) {
			t.Fatalf("%v from %v: %v and %v, want %v and %v", values, from, sum, squares, wantSum, wantSquares)
		}
		column.check(t)
	}
}

func TestSumsOfNoSegment(*testing.T) {
	SumSegments(nil, nil, []float32{1}, nil)
	SumByteSegments(nil, nil, []byte{1}, []uint32{1})
}
