//go:build linux && !purego

package kernels

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// The tests of this file compare the NEON forms with the generic ones on slices
// that end, or begin, where a page begins that cannot be touched.

// fenced gives room for n elements between two such pages; atEnd says which of
// the two it touches. An element is at most 8 bytes.
func fenced[T any](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	page := syscall.Getpagesize()
	size := n * int(unsafe.Sizeof(*new(T)))
	pages := (size + page - 1) / page * page
	room, err := syscall.Mmap(-1, 0, pages+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(room); err != nil {
			t.Error(err)
		}
	})
	for _, fence := range [][]byte{room[:page], room[page+pages:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	at := page
	if atEnd {
		at += pages - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&room[at])), n)
}

// places are the fenced rooms at both ends; take and takeLast give the n elements
// at the fence.
func places[T any](t *testing.T, n int) (first, last func(int) []T) {
	head, tail := fenced[T](t, n, false), fenced[T](t, n, true)
	return func(k int) []T { return head[:k:k] }, func(k int) []T { return tail[n-k:] }
}

const neonMost = 1025

// neonLengths are all from 0 to neonMost; a quick run leaves some of the long
// ones out.
func neonLengths() []int {
	var all []int
	for n := 0; n <= neonMost; n++ {
		if n <= 200 || !testing.Short() || n%61 < 2 {
			all = append(all, n)
		}
	}
	return all
}

// segmentBounds cuts n elements: into one segment, into many short ones, into
// ones of any length, and into a few that do not ascend.
func segmentBounds(r *rand.Rand, n int) [][]uint32 {
	short := []uint32{0, 0}
	for last := 0; last < n; {
		last = min(n, last+r.IntN(20))
		short = append(short, uint32(last))
	}
	var wild, random []uint32
	for range 2 + r.IntN(12) {
		wild = append(wild, uint32(r.IntN(n+1)))
	}
	random = slices.Clone(wild)
	slices.Sort(random)
	return [][]uint32{{0, uint32(n)}, short, random, wild, {uint32(n), uint32(n), 0}}
}

var oddFloats = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffcp-127,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.Float32frombits(0x7F800001), math.Float32frombits(0xFFC12345),
}

func sameFloats(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	})
}

func TestNEONSumSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	first, last := places[float32](t, neonMost)
	for _, n := range neonLengths() {
		for _, values := range [][]float32{first(n), last(n)} {
			odd := r.IntN(8)
			for i := range values {
				values[i] = float32(r.NormFloat64() * math.Exp(r.Float64()*20))
				switch {
				case odd == 0 && r.IntN(16) == 0:
					values[i] = oddFloats[r.IntN(len(oddFloats))]
				case odd == 1:
					values[i] = oddFloats[r.IntN(10)]
				}
			}
			for _, bounds := range segmentBounds(r, n) {
				k := len(bounds) - 1
				sums, squares := make([]float64, k+1), make([]float64, k+1)
				wantSums, wantSquares := make([]float64, k+1), make([]float64, k+1)
				for _, s := range [][]float64{sums, squares, wantSums, wantSquares} {
					for i := range s {
						s[i] = 0.5
					}
				}
				sumSegmentsNEON(sums[:k], squares[:k], values, bounds)
				sumSegmentsGeneric(wantSums[:k], wantSquares[:k], values, bounds)
				if !sameFloats(sums, wantSums) || !sameFloats(squares, wantSquares) {
					t.Fatalf("%d values, bounds %v:\n%v %v, want\n%v %v", n, bounds, sums, squares, wantSums, wantSquares)
				}
			}
		}
	}
}

func TestNEONSumByteSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	check := func(values []byte, bounds []uint32) {
		t.Helper()
		k := len(bounds) - 1
		sums, squares := slices.Repeat([]uint64{3}, k+1), slices.Repeat([]uint64{4}, k+1)
		wantSums, wantSquares := slices.Clone(sums), slices.Clone(squares)
		sumByteSegmentsNEON(sums[:k], squares[:k], values, bounds)
		sumByteSegmentsGeneric(wantSums[:k], wantSquares[:k], values, bounds)
		if !slices.Equal(sums, wantSums) || !slices.Equal(squares, wantSquares) {
			t.Fatalf("%d bytes, bounds %v:\n%v %v, want\n%v %v", len(values), bounds, sums, squares, wantSums, wantSquares)
		}
	}
	first, last := places[byte](t, neonMost)
	for _, n := range neonLengths() {
		for _, values := range [][]byte{first(n), last(n)} {
			for i := range values {
				values[i] = byte(r.Uint32())
			}
			for _, bounds := range segmentBounds(r, n) {
				check(values, bounds)
			}
		}
	}
	// The lanes that are widened in between must not overflow.
	const run = 16 * 16384
	large := bytes.Repeat([]byte{0xFF}, 4*run+100)
	for _, n := range []uint32{run - 1, run, run + 1, run + 15, run + 16, 2*run - 3, 2 * run, 4*run + 17} {
		check(large, []uint32{0, n})
		check(large, []uint32{5, 5 + n, 5 + n, uint32(len(large))})
	}
}

func TestNEONCountBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	check := func(bitmap []byte, bounds []uint32) {
		t.Helper()
		k := len(bounds) - 1
		counts := slices.Repeat([]uint32{7}, k+1)
		want := slices.Clone(counts)
		countBitmapNEON(counts[:k], bitmap, bounds)
		countBitmapGeneric(want[:k], bitmap, bounds)
		if !slices.Equal(counts, want) {
			t.Fatalf("bounds %v: %v, want %v", bounds, counts, want)
		}
	}
	first, last := places[byte](t, BitmapBytes)
	for _, bitmap := range [][]byte{first(BitmapBytes), last(BitmapBytes)} {
		for round := range rounds {
			for i := range bitmap {
				switch round % 3 {
				case 0:
					bitmap[i] = byte(r.Uint32())
				case 1:
					bitmap[i] = 0xFF
				case 2:
					bitmap[i] = 1 << r.IntN(30)
				}
			}
			bounds := []uint32{uint32(r.IntN(300))}
			step := 1 + r.IntN(1<<r.IntN(16))
			for len(bounds) < 4000 && bounds[len(bounds)-1] < containerBits {
				bounds = append(bounds, min(containerBits, bounds[len(bounds)-1]+uint32(r.IntN(step+1))))
			}
			if len(bounds) > 1 {
				check(bitmap, bounds)
			}
			check(bitmap, []uint32{0, containerBits})
			check(bitmap, []uint32{0, 0, containerBits, containerBits})
		}
		// Every length of a range that begins and ends at the fences.
		for n := uint32(0); n <= 1500; n++ {
			check(bitmap, []uint32{0, n})
			check(bitmap, []uint32{n % 130, n % 130, n})
			check(bitmap, []uint32{containerBits - n, containerBits})
		}
	}
}

func TestNEONClassify(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	firstSrc, lastSrc := places[byte](t, neonMost)
	firstLower, lastLower := places[byte](t, neonMost)
	firstMasks, lastMasks := places[uint64](t, neonMost/BlockBytes+1)
	for _, n := range neonLengths() {
		blocks := (n + BlockBytes - 1) / BlockBytes
		for _, class := range []Class{Letters, WordBytes} {
			for high := range 3 {
				for place := range 2 {
					src, lower, masks := firstSrc(n), firstLower(n), firstMasks(blocks)
					if place == 1 {
						src, lower, masks = lastSrc(n), lastLower(n), lastMasks(blocks)
					}
					for i := range src {
						src[i] = byte(r.Uint32()) & 0x7F
						if high == 1 && r.IntN(8) == 0 {
							src[i] |= 0x80
						}
					}
					if high == 2 && n > 0 {
						src[r.IntN(n)] |= 0x80 // alone, it must not be missed
					}
					wantLower, wantMasks := make([]byte, n), make([]uint64, blocks)
					wantHigh := classifyGeneric(src, wantLower, wantMasks, class)
					var gotHigh bool
					if useNEON {
						gotHigh = n > 0 && classify(src, lower, masks, class)
					}
					if useNEON && (gotHigh != wantHigh || !bytes.Equal(lower, wantLower) || !slices.Equal(masks, wantMasks)) {
						t.Fatalf("%d bytes, class %d: %q %x %v, want %q %x %v", n, class, lower, masks, gotHigh, wantLower, wantMasks, wantHigh)
					}
				}
			}
		}
	}
}

func BenchmarkNEON(b *testing.B) {
	r := rand.New(rand.NewPCG(15, 16))
	values := make([]float32, 1<<14)
	for i := range values {
		values[i] = r.Float32()
	}
	bounds := []uint32{0}
	for bounds[len(bounds)-1] < 1<<14 {
		bounds = append(bounds, min(1<<14, bounds[len(bounds)-1]+uint32(r.IntN(100))))
	}
	k := len(bounds) - 1
	sums, squares := make([]float64, k), make([]float64, k)
	for name, sum := range map[string]func([]float64, []float64, []float32, []uint32){"neon": sumSegmentsNEON, "generic": sumSegmentsGeneric} {
		b.Run(fmt.Sprintf("kernel=sum/impl=%s", name), func(b *testing.B) {
			for b.Loop() {
				sum(sums, squares, values, bounds)
			}
		})
	}
}
