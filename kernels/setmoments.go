package kernels

import (
	"math"
	"math/bits"
)

// SetMoments sets largest[i] to the largest |n·s - of[i]·size|·root over all classes, those without
// term i too, squares[i] to the sum of s·s·inverse over its cells, as [SetSquares] adds it up, and
// totals[i] to the sum of q. Terms are those of [SetMaxima]; the numbers of a cell are a, s = a + sums and
// q = s + squares, a byte of each. sizes, inverses and roots have those of the classes, of which there are so
// many, and zeros behind them. Products are rounded before they are subtracted.
func SetMoments(largest, squares, totals []float64, sets []uint64, a, sums, more []byte, of, sizes, inverses, roots []float64, classes int, n float64) {
	if len(sets) != len(largest) || len(squares) != len(largest) || len(totals) != len(largest) || len(of) != len(largest) ||
		len(sums) != len(a) || len(more) != len(a) || !fitSets(classes, sizes, inverses, roots) {
		panic("kernels: SetMoments: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && !setMoments(largest, squares, totals, sets, a, sums, more, of, sizes, inverses, roots, n, beyondClasses(classes)) {
		panic("kernels: SetMoments: a class is out of range, or the sets do not cover the cells")
	}
}

// SetSquares sets squares[i] to the sum of s·s·inverse over the cells of term i, and totals[i] to
// that of s. Terms and cells are those of [SetMoments]. The sum of squares has eight lanes, of which
// lane c mod 8 gets the products of class c in the order of classes; see [Lanes].
func SetSquares(squares, totals []float64, sets []uint64, a, sums []byte, inverses []float64, classes int) {
	if len(sets) != len(squares) || len(totals) != len(squares) || len(sums) != len(a) || !fitSets(classes, inverses) {
		panic("kernels: SetSquares: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && !setSquares(squares, totals, sets, a, sums, inverses, beyondClasses(classes)) {
		panic("kernels: SetSquares: a class is out of range, or the sets do not cover the cells")
	}
}

// setMomentsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setMomentsGeneric(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool {
	if !setSquares(squares, totals, sets, a, s, inverses, beyond) {
		return false
	}
	classes := bits.OnesCount64(^beyond)
	for i, set := range sets {
		most, expected := 0.0, of[i]
		for c, size := range sizes[:classes] {
			tokens := 0.0
			if set>>c&1 == 1 {
				tokens = float64(a[0]) + float64(s[0])
				totals[i] += float64(q[0])
				a, s, q = a[1:], s[1:], q[1:]
			}
			d := float64(n*tokens) - float64(expected*size)
			most = max(most, math.Abs(float64(d*roots[c])))
		}
		largest[i] = most
	}
	return true
}

// setSquares returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setSquares(squares, totals []float64, sets []uint64, a, s []byte, inverses []float64, beyond uint64) bool {
	for i, set := range sets {
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		total, sum := 0.0, Lanes{}
		for j, x := range a[:length] {
			class := bits.TrailingZeros64(set)
			set &= set - 1
			tokens := float64(x) + float64(s[j])
			total += tokens
			sum.Add(class, float64(float64(tokens*tokens)*inverses[class]))
		}
		squares[i], totals[i] = sum.Sum(), total
		a, s = a[length:], s[length:]
	}
	return len(a) == 0
}
