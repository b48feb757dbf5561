package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// tryRows calls a kernel on segments of all lengths, of places in rows of random numbers; want
// returns what a number of a segment should be.
func tryRows[T comparable](t *testing.T, number func(r *rand.Rand) T, kernel func(dst, table []T, places []uint32, start []int, log uint64) bool, same func(a, b T) bool, want func(of []T) T) {
	r := rand.New(rand.NewPCG(23, 24))
	var fill T
	all, allRows := newGround(t, 8*most+RowPadding, fill), newGround(t, 8*most+RowPadding, fill)
	allPlaces, allStarts := newGround[uint32](t, most, math.MaxUint32), newGround(t, most, -1)
	somePlace := func() place { return somePlaces[r.IntN(len(somePlaces))] }
	for _, n := range everyLength() {
		starts := startsOf(r, n)
		k, log, rows := len(starts)-1, r.IntN(4), 1+r.IntN(n)
		if k == 0 {
			continue
		}
		dst, table := all.take(k<<log+RowPadding, somePlace()), allRows.take(rows<<log+RowPadding, somePlace())
		places, start := allPlaces.take(n, somePlace()), allStarts.take(k+1, somePlace())
		copy(start, starts)
		for i := range table {
			table[i] = number(r)
		}
		for i := range places {
			places[i] = uint32(r.IntN(rows))
		}
		testkit.Equal(testkit.Stop(t), kernel(dst, table, places, start, uint64(log)), true, n, "places of", rows,
			"rows by", start, "refused")
		for i, v := range dst[:k<<log] {
			var of []T
			for _, p := range places[start[i>>log]-start[0] : start[i>>log+1]-start[0]] {
				of = append(of, table[int(p)<<log+i&(1<<log-1)])
			}
			testkit.Equal(testkit.Stop(t), same(v, want(of)), true, "number", i, "of rows of", 1<<log, "segments",
				start, v, "of", of)
		}
		all.check(t)
		allRows.check(t)
		allPlaces.check(t)
		allStarts.check(t)
		places[r.IntN(n)] = max(uint32(rows), -uint32(r.IntN(2)))
		testkit.Equal(testkit.Stop(t), kernel(dst, table, places, start, uint64(log)), false, "a place of", n, "beyond",
			rows, "rows: accepted")
	}
	table, places := make([]T, 1+RowPadding), make([]uint32, 3)
	if kernel(make([]T, 2+RowPadding), table, places, []int{0, 4, 3}, 0) || kernel(make([]T, 3+RowPadding), table, places, []int{0, 2, 1, 3}, 0) {
		t.Error("descending segments: accepted")
	}
}

func TestRowMaxima(t *testing.T) {
	for _, least := range []int64{math.MinInt64, -3, 1 << 40} {
		tryRows(t, func(r *rand.Rand) int64 { return int64(r.Uint64()) >> r.IntN(64) },
			func(dst, table []int64, places []uint32, start []int, log uint64) bool {
				return rowMaxima(dst, table, places, start, least, log)
			},
			func(a, b int64) bool { return a == b },
			func(of []int64) int64 {
				largest := least
				for _, v := range of {
					largest = max(largest, v)
				}
				return largest
			})
	}
}

func TestRowSums(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64}
	tryRows(t, func(r *rand.Rand) float64 {
		if r.IntN(300) == 0 {
			return numbers[r.IntN(len(numbers))]
		}
		return r.NormFloat64()
	}, rowSums, same, func(of []float64) float64 {
		sum := 0.0
		for _, v := range of {
			sum += v
		}
		return sum
	})
}

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
