package kernels

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// benchEach measures every implementation of a function in one case. run gives
// the loop body, the bytes it reads, and whether its answer was right; the body
// runs once before the clock starts.
func benchEach[F any](b *testing.B, name string, function func(implementation) F, run func(F) (body func(), bytes int, right func() bool)) {
	b.Helper()
	for _, p := range implementations {
		f := function(p)
		if reflect.ValueOf(f).IsNil() {
			continue
		}
		b.Run(fmt.Sprintf("impl=%s/case=%s", p.name, name), func(b *testing.B) {
			body, bytes, right := run(f)
			body()
			if !right() {
				b.Fatal("the answer is wrong")
			}
			b.SetBytes(int64(bytes))
			for b.Loop() {
				body()
			}
		})
	}
}

// apart gives n elements with nothing else near them: wide loads would wait for
// stores to the same lines.
func apart[T any](n int) []T { return make([]T, n+128)[64 : 64+n : 64+n] }

func total[T uint32 | uint64](counts []T) (n T) {
	for _, c := range counts {
		n += c
	}
	return n
}

// evenBounds cut a container into ranges of about the same size, at odd places.
func evenBounds(ranges int) []uint32 {
	bounds := make([]uint32, ranges+1)
	for i := range bounds {
		bounds[i] = uint32(i * containerBits / ranges)
		if i > 0 && i < ranges {
			bounds[i] += uint32(i*37%64) - 32
		}
	}
	return bounds
}

func BenchmarkCountBitmap(b *testing.B) {
	for _, ranges := range []int{1, 4, 33} {
		benchEach(b, fmt.Sprintf("ranges-%d", ranges), func(p implementation) func([]uint32, []byte, []uint32) { return p.countBitmap },
			func(count func([]uint32, []byte, []uint32)) (func(), int, func() bool) {
				bitmap, counts, bounds := bytes.Repeat([]byte{0x55}, BitmapBytes), apart[uint32](ranges), evenBounds(ranges)
				return func() { count(counts, bitmap, bounds) }, BitmapBytes, func() bool { return total(counts) == containerBits/2 }
			})
	}
}

func BenchmarkCountArray(b *testing.B) {
	for _, c := range []struct{ values, ranges int }{{8, 4}, {20, 1}, {20, 4}, {20, 33}, {100, 4}, {1000, 4}, {4096, 4}, {4096, 33}} {
		benchEach(b, fmt.Sprintf("values-%d,ranges-%d", c.values, c.ranges), func(p implementation) func([]uint32, []byte, []uint32) { return p.countArray },
			func(count func([]uint32, []byte, []uint32)) (func(), int, func() bool) {
				values, counts, bounds := apart[byte](2*c.values), apart[uint32](c.ranges), evenBounds(c.ranges)
				randomValues(rand.New(rand.NewPCG(1, 2)), values)
				return func() { count(counts, values, bounds) }, len(values), func() bool { return total(counts) == uint32(c.values) }
			})
	}
}

func BenchmarkCountEnds(b *testing.B) {
	for _, n := range []int{8, 20, 50, 64, 1000} {
		benchEach(b, fmt.Sprintf("classes-%d", n), func(p implementation) func([]uint32, []uint32) { return p.countEnds },
			func(count func([]uint32, []uint32)) (func(), int, func() bool) {
				// Rows in turn: the ends of a term were not written just now.
				const rows = 64
				counts, ends := make([]uint32, rows*n+64), make([]uint32, rows*n+64)
				for i := 0; i < n; i += 3 { // later rounds see cleared ends, in the same time
					ends[i] = uint32(i + 1)
				}
				row := 0
				return func() { count(counts[row*n:row*n+n], ends[row*n:row*n+n]); row = (row + 1) % rows }, 4 * n,
					func() bool { return total(counts) == uint32((n-1)/3*3+1) }
			})
	}
}

func BenchmarkMaxDeviation(b *testing.B) {
	type function = func([]uint32, []float64, []float64, float64, float64) (float64, float64, float64)
	for _, n := range []int{2, 8, 20, 50, 1000} {
		benchEach(b, fmt.Sprintf("classes-%d", n), func(p implementation) function { return p.maxDeviation },
			func(deviation function) (func(), int, func() bool) {
				counts, sizes, weights := apart[uint32](n), apart[float64](n), apart[float64](n)
				for i := range n {
					counts[i], sizes[i], weights[i] = uint32(i), float64(2*n), 1/float64(1+i)
				}
				var signed, absolute, square float64
				return func() { signed, absolute, square = deviation(counts, sizes, weights, 100, 7) }, 20 * n,
					func() bool {
						s, a, q := maxDeviationGeneric(counts, sizes, weights, 100, 7)
						return s == signed && a == absolute && q == square
					}
			})
	}
}

func BenchmarkOccupied(b *testing.B) {
	for _, n := range []int{8, 20, 50, 1000} {
		benchEach(b, fmt.Sprintf("classes-%d", n), func(p implementation) func(dst, counts []uint32) int { return p.occupied },
			func(occupied func(dst, counts []uint32) int) (func(), int, func() bool) {
				r := rand.New(rand.NewPCG(3, 4))
				counts, dst := apart[uint32](n), apart[uint32](n)
				want := 0
				for i := range counts {
					if r.IntN(6) == 0 {
						counts[i] = 5
						want++
					}
				}
				found := 0
				return func() { found = occupied(dst, counts) }, 4 * n, func() bool { return found == want }
			})
	}
}

func BenchmarkAtLeast(b *testing.B) {
	for _, c := range []struct{ values, every int }{{100, 1000}, {4096, 5000}, {4096, 100}, {4096, 2}} {
		benchEach(b, fmt.Sprintf("values-%d,one-in-%d", c.values, c.every), func(p implementation) func([]uint32, []float64, float64) int { return p.atLeast },
			func(atLeast func([]uint32, []float64, float64) int) (func(), int, func() bool) {
				r := rand.New(rand.NewPCG(5, 6))
				values, dst := apart[float64](c.values), apart[uint32](c.values)
				want := 0
				for i := range values {
					if r.IntN(c.every) == 0 {
						values[i] = 1
						want++
					}
				}
				found := 0
				return func() { found = atLeast(dst, values, 0.5) }, 8 * c.values, func() bool { return found == want }
			})
	}
}

// someSegments cut values into segments of random lengths, so many on average.
func someSegments(values, average int) []uint32 {
	r := rand.New(rand.NewPCG(7, 8))
	bounds := []uint32{0}
	for last := 0; last < values; {
		last = min(values, last+r.IntN(2*average+1))
		bounds = append(bounds, uint32(last))
	}
	return bounds
}

var segmentCases = []struct{ values, average int }{{200, 4}, {1600, 32}, {6400, 136}, {8192, 8192}}

func BenchmarkSumSegments(b *testing.B) {
	type function = func(sums, squares []float64, values []float32, bounds []uint32)
	for _, c := range segmentCases {
		benchEach(b, fmt.Sprintf("values-%d,average-%d", c.values, c.average), func(p implementation) function { return p.sumSegments },
			func(sum function) (func(), int, func() bool) {
				bounds, values := someSegments(c.values, c.average), apart[float32](c.values)
				for i := range values {
					values[i] = float32(i%7) / 4
				}
				sums, squares := apart[float64](len(bounds)-1), apart[float64](len(bounds)-1)
				return func() { sum(sums, squares, values, bounds) }, 4 * c.values, func() bool {
					wantSums, wantSquares := slices.Clone(sums), slices.Clone(squares)
					sumSegmentsGeneric(wantSums, wantSquares, values, bounds)
					return slices.Equal(sums, wantSums) && slices.Equal(squares, wantSquares)
				}
			})
	}
}

func BenchmarkSumByteSegments(b *testing.B) {
	type function = func(sums, squares []uint64, values []byte, bounds []uint32)
	for _, c := range segmentCases {
		benchEach(b, fmt.Sprintf("values-%d,average-%d", c.values, c.average), func(p implementation) function { return p.sumByteSegments },
			func(sum function) (func(), int, func() bool) {
				bounds, values := someSegments(c.values, c.average), apart[byte](c.values)
				for i := range values {
					values[i] = byte(i % 7)
				}
				sums, squares := apart[uint64](len(bounds)-1), apart[uint64](len(bounds)-1)
				wantSum, wantSquare := byteSums(values)
				return func() { sum(sums, squares, values, bounds) }, c.values,
					func() bool { return total(sums) == wantSum && total(squares) == wantSquare }
			})
	}
}
