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

// sumInLanes is the definition of the sums: lanes one by one.
func sumInLanes[T float32 | float64](values []T) (sum, square float64) {
	var s, q Lanes
	for i, v := range values {
		x := float64(v)
		s.Add(i, x)
		q.Add(i, float64(x*x))
	}
	return s.Sum(), q.Sum()
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
