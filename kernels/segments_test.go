package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
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

func TestSegmentMaxima(t *testing.T) {
	type function = func(dst, values []int64, start []int, least int64) bool
	forEach(t, func(p implementation) function { return p.segmentMaxima }, func(t *testing.T, maxima function) {
		r := rand.New(rand.NewPCG(23, 24))
		all, allValues, allStarts := newGround[int64](t, most, -7), newGround[int64](t, most, math.MaxInt64), newGround(t, most, -1)
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				starts := startsOf(r, n)
				k := len(starts) - 1
				if k == 0 {
					continue
				}
				dst, values, start := all.take(k, somePlaces[r.IntN(len(somePlaces))]), allValues.take(n, at), allStarts.take(k+1, somePlaces[r.IntN(len(somePlaces))])
				copy(start, starts)
				for i := range values {
					values[i] = int64(r.Uint64()) >> r.IntN(64)
				}
				least, want := int64(r.Uint64())>>r.IntN(64), make([]int64, k)
				if r.IntN(2) == 0 {
					least = math.MinInt64
				}
				for i := range want {
					want[i] = slices.Max(append([]int64{least}, values[start[i]-start[0]:start[i+1]-start[0]]...))
				}
				if !maxima(dst, values, start, least) || !slices.Equal(dst, want) {
					t.Fatalf("%v by %v, least %d: %v, want %v", values, start, least, dst, want)
				}
				all.check(t)
				allValues.check(t)
				allStarts.check(t)
			}
		}
		if maxima(make([]int64, 2), make([]int64, 3), []int{0, 4, 3}, 0) || maxima(make([]int64, 3), make([]int64, 3), []int{0, 2, 1, 3}, 0) {
			t.Error("descending segments: accepted")
		}
	})
}

func TestSegmentsOfNone(*testing.T) {
	DeviationMaxima(nil, []int{5}, nil, nil, nil, nil, 1, Signed)
	DeviationSums(nil, nil, []int{5}, nil, nil, nil, nil, 1)
	WithinSums(nil, []int{5}, nil, nil, nil, nil)
	TableSums(nil, nil, []int{5}, nil, nil, nil, 6)
	SegmentMaxima(nil, nil, []int{5}, 0)
}
