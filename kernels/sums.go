package kernels

import (
	"fmt"
	"math"
)

// lanes is the shape of every floating-point sum: element i of a segment goes to
// partial sum i%8, and the partial sums are added as
//
//	((0+4) + (2+6)) + ((1+5) + (3+7))
//
// which is what folding a vector in halves does. The shape is part of the
// contract, so that every path gives the same bits.
const lanes = 8

// SumSegments adds up the segments [bounds[i], bounds[i+1]) of a column:
//
//	sums[i] = Σ v, squares[i] = Σ v²
//
// in float64, where the square of a float32 is exact, and in the shape of eight
// lanes above. Bounds ascend; there is one more of them than sums and squares.
func SumSegments(sums, squares []float64, values []float32, bounds []uint32) {
	checkSegments("SumSegments", len(sums), len(squares), len(values), bounds)
	if len(sums) > 0 {
		sumSegments(sums, squares, values, bounds)
	}
}

func checkSegments(kernel string, sums, squares, values int, bounds []uint32) {
	if sums != squares {
		panic(fmt.Sprintf("kernels: %s: %d sums and %d squares", kernel, sums, squares))
	}
	checkBounds(kernel, sums, bounds, uint32(min(uint64(values), math.MaxUint32)))
}

// Sum adds up values and their squares in the shape of [SumSegments], each square
// rounded once.
func Sum(values []float64) (sum, squares float64) {
	var s, q [lanes]float64
	for ; len(values) >= lanes; values = values[lanes:] {
		for l, x := range values[:lanes] {
			s[l] += x
			q[l] += float64(x * x)
		}
	}
	for l, x := range values {
		s[l] += x
		q[l] += float64(x * x)
	}
	return foldLanes(&s), foldLanes(&q)
}

// checkBounds panics unless there are n+1 bounds, none above the limit. Bounds
// that do not ascend give empty segments.
func checkBounds(kernel string, n int, bounds []uint32, limit uint32) {
	if n > 0 && len(bounds) != n+1 {
		panic(fmt.Sprintf("kernels: %s: %d bounds for %d segments", kernel, len(bounds), n))
	}
	for _, b := range bounds {
		if b > limit {
			panic(fmt.Sprintf("kernels: %s: bound %d is above %d", kernel, b, limit))
		}
	}
}

// Lanes is a sum of numbers in the shape of [SumSegments].
type Lanes [lanes]float64

// Add adds number i of those that are to be added.
func (l *Lanes) Add(i int, v float64) { l[i%lanes] += v }

// Sum returns the sum.
func (l *Lanes) Sum() float64 { return foldLanes((*[lanes]float64)(l)) }
