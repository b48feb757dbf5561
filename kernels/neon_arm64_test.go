//go:build !purego

package kernels

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tests of this file compare the NEON forms with the generic ones at every
// length, on slices that begin or end at a fence.

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

// neonBounds cuts n elements: into one segment, into many short ones, into
// ones of any length, and into a few that do not ascend.
func neonBounds(r *rand.Rand, n int) [][]uint32 {
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

var neonFloats = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffcp-127,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.Float32frombits(0x7F800001), math.Float32frombits(0xFFC12345),
}

func neonSame(a, b []float64) bool { return slices.EqualFunc(a, b, same) }

func TestNEONSumSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ground := newGround[float32](t, neonMost, 1e30)
	for _, n := range neonLengths() {
		for _, at := range somePlaces {
			values := ground.take(n, at)
			odd := r.IntN(8)
			for i := range values {
				values[i] = float32(r.NormFloat64() * math.Exp(r.Float64()*20))
				switch {
				case odd == 0 && r.IntN(16) == 0:
					values[i] = neonFloats[r.IntN(len(neonFloats))]
				case odd == 1:
					values[i] = neonFloats[r.IntN(10)]
				}
			}
			for _, bounds := range neonBounds(r, n) {
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
				if !neonSame(sums, wantSums) || !neonSame(squares, wantSquares) {
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
	ground := newGround[byte](t, neonMost, 0xFF)
	for _, n := range neonLengths() {
		for _, at := range somePlaces {
			values := ground.take(n, at)
			for i := range values {
				values[i] = byte(r.Uint32())
			}
			for _, bounds := range neonBounds(r, n) {
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

func TestNEONClassify(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	allSrc, allLower := newGround[byte](t, neonMost, 'A'), newGround[byte](t, neonMost, 0xEE)
	allMasks := newGround[uint64](t, neonMost/BlockBytes+1, 0xABCD)
	for _, n := range neonLengths() {
		blocks := (n + BlockBytes - 1) / BlockBytes
		for _, class := range []Class{Letters, WordBytes} {
			for high := range 3 {
				for _, at := range somePlaces {
					src, lower, masks := allSrc.take(n, at), allLower.take(n, at), allMasks.take(blocks, at)
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
					gotHigh := classifyNEON(src, lower, masks, class)
					if gotHigh != wantHigh || !bytes.Equal(lower, wantLower) || !slices.Equal(masks, wantMasks) {
						t.Fatalf("%d bytes, class %d: %q %x %v, want %q %x %v", n, class, lower, masks, gotHigh, wantLower, wantMasks, wantHigh)
					}
					allLower.check(t)
					allMasks.check(t)
				}
			}
		}
	}
}
