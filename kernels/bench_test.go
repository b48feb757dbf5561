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
// the loop body, the bytes it reads (0 = not those of all its arguments), and
// whether its answer was right; the body runs once before the clock starts.
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

func BenchmarkClassify(b *testing.B) {
	text := bytes.Repeat([]byte("The quick brown fox, 42 of them; "), 1000)
	for _, class := range []Class{Letters, WordBytes} {
		for _, n := range []int{40, 1000, 32 << 10} {
			benchEach(b, fmt.Sprintf("class-%d,bytes-%d", class, n), classifiers, func(classify classifier) (func(), int, func() bool) {
				src, lower, masks := apart[byte](n), apart[byte](n), apart[uint64]((n+BlockBytes-1)/BlockBytes)
				copy(src, text)
				var high bool
				return func() { high = classify(src, lower, masks, class) }, n, func() bool {
					wantLower, wantMasks, wantHigh := classifyOneByOne(src, class)
					return bytes.Equal(lower, wantLower) && slices.Equal(masks, wantMasks) && high == wantHigh
				}
			})
		}
	}
}

// tileStarts cut a thousand cells into terms of so many on average.
func tileStarts(average int) []int {
	starts := make([]int, 0, 1024)
	for _, at := range someSegments(1024, average) {
		starts = append(starts, int(at))
	}
	return starts
}

// rowSegments makes a thousand places of terms, so many on average, in a thousand rows of eight.
func rowSegments[T int64 | float64](average int) (start []int, places []uint32, table []T) {
	r := rand.New(rand.NewPCG(9, 10))
	start, places, table = tileStarts(average), apart[uint32](1024), apart[T](8*1024+RowPadding)
	for i := range places {
		places[i] = uint32(r.IntN(1024))
	}
	for i := range table {
		table[i] = T(r.IntN(1 << 20))
	}
	return start, places, table
}

func BenchmarkRowMaxima(b *testing.B) {
	for _, average := range []int{2, 50} {
		benchEach(b, fmt.Sprintf("cells-%d", average), func(p implementation) maximizer { return p.rowMaxima },
			func(maxima maximizer) (func(), int, func() bool) {
				start, places, table := rowSegments[int64](average)
				n := 8 * (len(start) - 1)
				dst, want := apart[int64](n+RowPadding), make([]int64, n+RowPadding)
				rowMaximaGeneric(want, table, places, start, -1, 3)
				return func() { maxima(dst, table, places, start, -1, 3) }, 0, func() bool { return slices.Equal(dst[:n], want[:n]) }
			})
	}
}

// classSegments makes a thousand cells of terms in some of 50 classes, so many on average.
func classSegments(average int) (start []int, class []uint32, a, b, of []float64, table [][2]float64) {
	r := rand.New(rand.NewPCG(11, 12))
	start = tileStarts(average)
	class, a, b = apart[uint32](1024), apart[float64](1024), apart[float64](1024)
	of, table = apart[float64](len(start)-1), apart[[2]float64](50)
	for i := range class {
		class[i], a[i], b[i] = uint32(r.IntN(len(table))), float64(r.IntN(30)), float64(r.IntN(1000))
	}
	for i := range of {
		of[i] = float64(r.IntN(1000))
	}
	for c := range table {
		table[c] = [2]float64{float64(50 + r.IntN(100)), r.Float64()}
	}
	return start, class, a, b, of, table
}

func BenchmarkDeviationMaxima(b *testing.B) {
	for _, average := range []int{2, 50} {
		benchEach(b, fmt.Sprintf("cells-%d", average), func(p implementation) deviator { return p.deviationMaxima },
			func(maxima deviator) (func(), int, func() bool) {
				start, classes, a, _, of, table := classSegments(average)
				dst, want := apart[float64](len(of)), make([]float64, len(of))
				deviationMaximaGeneric(want, start, classes, a, of, table, 5000, Squared)
				return func() { maxima(dst, start, classes, a, of, table, 5000, Squared) }, 0, func() bool { return slices.Equal(dst, want) }
			})
	}
}

func BenchmarkTableSums(b *testing.B) {
	for _, average := range []int{2, 50} {
		benchEach(b, fmt.Sprintf("cells-%d", average), func(p implementation) looker { return p.tableSums },
			func(sums looker) (func(), int, func() bool) {
				start, classes, a, _, of, _ := classSegments(average)
				table := make([][2]float64, 50<<6)
				for i := range table {
					table[i] = [2]float64{float64(i % 64), float64(i % 64)}
				}
				dst, met := apart[[2]float64](len(of)), apart[float64](len(of))
				return func() { clear(dst); sums(dst, met, start, classes, a, table, 6) }, 0, func() bool {
					for i, v := range dst {
						if v != [2]float64{met[i], met[i]} {
							return false
						}
					}
					return true
				}
			})
	}
}

// setTerms makes 4,096 terms, so that branches cannot be learnt, in so many of 50 classes on
// average.
func setTerms(average int) *setCells {
	const terms, classes = 4096, 50
	r := rand.New(rand.NewPCG(13, 14))
	c := &setCells{classes: classes, sets: make([]uint64, terms), met: make([]uint64, terms), of: make([]uint32, terms), float: make([]float64, terms)}
	for i := range c.sets {
		c.of[i], c.float[i] = uint32(30-i/200), float64(r.IntN(100))
		for class := range classes {
			if r.IntN(classes) < average {
				c.sets[i] |= 1 << class
				c.a = append(c.a, byte(1+r.IntN(10)))
			}
		}
	}
	c.s, c.q = make([]byte, len(c.a)), make([]byte, len(c.a))
	c.dst, c.squares, c.pairs = make([]float64, terms), make([]float64, terms), make([][2]float64, terms)
	c.sizes, c.weights = make([]float64, SetClasses), make([]float64, SetClasses)
	c.roots, c.totals = make([]float64, SetClasses), make([]float64, terms)
	for i := range classes {
		c.sizes[i], c.weights[i], c.roots[i] = float64(50+r.IntN(100)), r.Float64(), r.Float64()
	}
	c.table, c.pairTable = make([]float64, 64*SetClasses), make([][2]float64, 256*SetClasses)
	for i := range c.table {
		c.table[i] = float64(i)
	}
	for i := SetClasses; i < len(c.pairTable); i++ {
		c.pairTable[i] = [2]float64{float64(i), float64(i)}
	}
	return c
}

// benchSets measures a kernel over sets on terms of few and of many cells.
func benchSets(b *testing.B, has func(p implementation) bool, run func(p implementation, c *setCells) bool, of func(c *setCells) any) {
	for _, average := range []int{2, 4, 15, 30} {
		want := setTerms(average)
		run(implementations[0], want)
		benchEach(b, fmt.Sprintf("cells-%d", average), func(p implementation) func(c *setCells) bool {
			if !has(p) {
				return nil
			}
			return func(c *setCells) bool { return run(p, c) }
		}, func(f func(c *setCells) bool) (func(), int, func() bool) {
			c := setTerms(average)
			return func() { f(c) }, 0, func() bool { return reflect.DeepEqual(of(c), of(want)) }
		})
	}
}

func BenchmarkSetMaxima(b *testing.B) {
	benchSets(b, func(p implementation) bool { return p.setMaxima != nil }, func(p implementation, c *setCells) bool {
		return p.setMaxima(c.dst, c.sets, c.a, c.of, c.sizes, c.weights, 5000, beyondClasses(c.classes), Squared)
	}, func(c *setCells) any { return c.dst })
}

func BenchmarkSetSums(b *testing.B) {
	benchSets(b, func(p implementation) bool { return p.setSums != nil }, func(p implementation, c *setCells) bool {
		return p.setSums(c.pairs, c.met, c.sets, c.a, c.pairTable, beyondClasses(c.classes))
	}, func(c *setCells) any { return c.pairs })
}

func BenchmarkSetMoments(b *testing.B) {
	benchSets(b, func(p implementation) bool { return p.setMoments != nil }, func(p implementation, c *setCells) bool {
		return p.setMoments(c.dst, c.squares, c.totals, c.sets, c.a, c.s, c.q, c.float, c.sizes, c.weights, c.roots, 5000, beyondClasses(c.classes))
	}, func(c *setCells) any { return c.squares })
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

func BenchmarkSharedBits(b *testing.B) {
	const sets = 20
	for _, words := range []int{16, 177} {
		benchEach(b, fmt.Sprintf("sets-%d,words-%d", sets, words), func(p implementation) sharer { return p.sharedBits }, func(shared sharer) (func(), int, func() bool) {
			dst, all, set := apart[uint32](sets), apart[uint64](sets*words), apart[uint64](words)
			for i := range all {
				all[i], set[i%words] = 0xFF, 0xF0F
			}
			return func() { shared(dst, all, set) }, 8 * len(all), func() bool { return int(dst[0]) == 4*words && dst[sets-1] == dst[0] }
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

// Sum has one form.
func BenchmarkSum(b *testing.B) {
	for _, n := range []int{20, 8192} {
		b.Run(fmt.Sprintf("impl=%s/case=values-%d", Generic, n), func(b *testing.B) {
			values := apart[float64](n)
			for i := range values {
				values[i] = float64(i%7) / 4
			}
			wantSum, wantSquare := sumInLanes(values)
			if sum, square := Sum(values); sum != wantSum || square != wantSquare {
				b.Fatal("the answer is wrong")
			}
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				Sum(values)
			}
		})
	}
}

func BenchmarkAddCounts(b *testing.B) {
	type function = func(sums, index []uint32, values []float32, largest uint32) bool
	for _, n := range []int{8, 158, 1000} {
		benchEach(b, fmt.Sprintf("elements-%d", n), func(p implementation) function { return p.addCounts },
			func(add function) (func(), int, func() bool) {
				r := rand.New(rand.NewPCG(5, 6))
				sums, index, values := apart[uint32](3*n), apart[uint32](n), apart[float32](n)
				for i := range index {
					index[i], values[i] = uint32(3*i), float32(1+r.IntN(5))
				}
				good := false
				return func() { good = add(sums, index, values, 1<<24) }, 8 * n, func() bool { return good && sums[0]%uint32(values[0]) == 0 }
			})
	}
}
