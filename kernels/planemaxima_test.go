package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type planner = func(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation)

func planners(p implementation) planner { return p.planeMaxima }

// planeTable returns sizes and weights of classes.
func planeTable(r *rand.Rand, classes int) [][2]float64 {
	table := make([][2]float64, classes)
	for c := range table {
		table[c] = [2]float64{float64(r.IntN(100_000)), r.Float64()}
	}
	return table
}

// planeResults computes what PlaneMaxima must give for column i of 100,000 documents.
func planeResults(counts []uint16, stride, first, planes int, table [][2]float64, form Deviation, i int) (uint32, float64) {
	df := uint32(0)
	for p := first; p < planes; p++ {
		df += uint32(counts[p*stride+i])
	}
	want := math.Inf(-1)
	for p, class := range table {
		want = max(want, weightedDeviation(float64(counts[p*stride+i]), float64(df), class[0], class[1], form))
	}
	return df, want + 0
}

func TestPlaneMaxima(t *testing.T) {
	const n = 100_000 // that of weightedDeviation
	forEach(t, planners, func(t *testing.T, maxima planner) {
		r := rand.New(rand.NewPCG(41, 42))
		allDst, allDF, allCounts := newGround(t, most, math.Inf(1)), newGround[uint32](t, most, 7), newGround[uint16](t, 6*most, 0xFFFF)
		for columns := 8; columns < 80; columns++ {
			for _, at := range somePlaces {
				planes := r.IntN(9)
				first, classes, stride := r.IntN(planes+1), r.IntN(planes+1), columns+r.IntN(3)
				dst, df := allDst.take(columns, somePlaces[r.IntN(len(somePlaces))]), allDF.take(columns, somePlaces[r.IntN(len(somePlaces))])
				counts := allCounts.take(max(planes-1, 0)*stride+columns, at)
				for i := range counts {
					counts[i] = uint16(r.Uint32() >> (16 + r.IntN(16)))
				}
				table, form := planeTable(r, classes), Deviation(r.IntN(3))
				maxima(dst, df, counts, stride, first, planes, table, n, form)
				for i := range dst {
					documents, want := planeResults(counts, stride, first, planes, table, form, i)
					if df[i] != documents || !same(dst[i], want) {
						t.Fatalf("column %d of %d, %d planes from %d, %v, form %d: %d and %v, want %d and %v", i, columns, planes, first, table, form, df[i], dst[i], documents, want)
					}
				}
				allDst.check(t)
				allDF.check(t)
				allCounts.check(t)
			}
		}
	})
}

// There may be fewer columns than a vector has.
func TestPlaneMaximaOfFew(t *testing.T) {
	for columns := range 20 {
		counts := slices.Repeat([]uint16{3, 0, 2, 70, 9}, 12)
		dst, df, table := make([]float64, columns), make([]uint32, columns), [][2]float64{{40, 0.5}, {60, 2}}
		PlaneMaxima(dst, df, counts, 30, 0, 2, table, 100_000, Squared)
		for i := range dst {
			if documents, want := planeResults(counts, 30, 0, 2, table, Squared, i); df[i] != documents || dst[i] != want {
				t.Errorf("column %d of %d: %d and %v, want %d and %v", i, columns, df[i], dst[i], documents, want)
			}
		}
	}
	PlaneMaxima(nil, nil, nil, 0, 0, 0, nil, 1, Signed)
}

// weightedDeviation is the deviation of a cell, whose products are converted, so that no compiler
// fuses them with what follows.
func weightedDeviation(a, of, size, weight float64, form Deviation) float64 {
	x, y := float64(100_000*a), float64(of*size)
	v := x - y
	switch form {
	case Squared:
		return v * float64(v*weight)
	case Absolute:
		return math.Abs(v * weight)
	}
	return v * weight
}
