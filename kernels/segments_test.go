package kernels

import (
	"math/rand/v2"
	"testing"
)

// startsOf cuts n elements into segments of random lengths: many of few elements or none, and
// some long ones. They begin at a number other than 0, as those of a tile do.
func startsOf(r *rand.Rand, n int) []int {
	starts := []int{r.IntN(100)}
	for left := n; left > 0; {
		length := r.IntN(4)
		if r.IntN(4) == 0 {
			length = r.IntN(40)
		}
		length = min(length, left)
		starts = append(starts, starts[len(starts)-1]+length)
		left -= length
	}
	for range r.IntN(3) {
		starts = append(starts, starts[len(starts)-1])
	}
	return starts
}

func TestSegmentsOfNone(*testing.T) {
	DeviationMaxima(nil, []int{5}, nil, nil, nil, nil, 1, Signed)
	RowMaxima(make([]int64, RowPadding), make([]int64, RowPadding), nil, []int{5}, 0, 3)
	RowSums(make([]float64, RowPadding), make([]float64, RowPadding), nil, []int{5}, 3)
}
