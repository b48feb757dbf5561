package kernels

import (
	"math"
	"math/bits"
)

// SetClasses is the number of classes that a set has bits for. Kernels over sets take tables of
// so many numbers by class, whatever the number of classes.
const SetClasses = 64

// fitSets reports whether so many sets of so many classes may be there with columns of these
// lengths by class.
func fitSets(classes int, columns ...[]float64) bool {
	for _, c := range columns {
		if len(c) != SetClasses {
			return false
		}
	}
	return uint(classes) <= SetClasses
}

// beyondClasses returns the set of the classes that are none of so many.
func beyondClasses(classes int) uint64 { return ^uint64(0) << classes }

// HasSets reports whether the kernels over sets have a form on the path taken that
// is faster than those over segments. Their pure Go forms take more time.
func HasSets() bool { return hasSets() }

// SetMaxima sets dst[i] to the largest weighted deviation of the classes of term i, those that do
// not have the term too: d = n·a - of[i]·size for a class of this size with a documents of the
// term; form says what is made of d and the weight, as in [DeviationMaxima]. The classes of term
// i are the bits of sets[i], from the lowest up, and its cells as many elements of a. sizes and
// weights have those of the classes, of which there are so many. A cell of 255 does not count,
// nor does its class; without a class the result is -Inf. Products are rounded before they are
// subtracted. No number may be NaN or infinite; there is no -0 among the results.
func SetMaxima(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, classes int, n float64, form Deviation) {
	if len(sets) != len(dst) || len(of) != len(dst) || !fitSets(classes, sizes, weights) || form > Signed {
		panic("kernels: SetMaxima: slices of different lengths, too many classes, or an unknown form")
	}
	if len(dst) > 0 && !setMaxima(dst, sets, a, of, sizes, weights, n, beyondClasses(classes), form) {
		panic("kernels: SetMaxima: a class is out of range, or the sets do not cover the cells")
	}
}

// setMaximaGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setMaximaGeneric(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, n float64, beyond uint64, form Deviation) bool {
	classes := bits.OnesCount64(^beyond)
	for i, set := range sets {
		if bits.OnesCount64(set) > len(a) || set&beyond != 0 {
			return false
		}
		largest, expected := math.Inf(-1), float64(of[i])
		for c, size := range sizes[:classes] {
			x := byte(0)
			if set>>c&1 == 1 {
				x, a = a[0], a[1:]
			}
			if x == math.MaxUint8 {
				continue
			}
			d := float64(n*float64(x)) - float64(expected*size)
			v := float64(d * weights[c])
			switch form {
			case Squared:
				v = float64(v * d)
			case Absolute:
				v = math.Abs(v)
			}
			if v > largest { // not max, which looks for NaN and -0
				largest = v
			}
		}
		dst[i] = largest + 0
	}
	return len(a) == 0
}

// SetSums sets dst[i] to the sums of the two numbers that table has for the cells of term i, and
// met[i] to the sum of the cells. Terms and cells are those of [SetMaxima], table has a
// row of [SetClasses] elements for each byte, the first one of zeros. The sums must be exact in any
// order: the order is not defined.
func SetSums(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, classes int) {
	if len(sets) != len(dst) || len(met) != len(dst) || !fitSets(classes) || len(table) != 256*SetClasses {
		panic("kernels: SetSums: slices of different lengths, or too many classes")
	}
	if len(dst) > 0 && !setSums(dst, met, sets, a, table, beyondClasses(classes)) {
		panic("kernels: SetSums: a class is out of range, or the sets do not cover the cells")
	}
}

// setSumsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setSumsGeneric(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool {
	for i := range dst {
		set := sets[i]
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		first, second, docs := 0.0, 0.0, uint64(0)
		for _, x := range a[:length] {
			place := int(x)*SetClasses + bits.TrailingZeros64(set)
			set &= set - 1
			first, second, docs = first+table[place][0], second+table[place][1], docs+uint64(x)
		}
		dst[i], met[i], a = [2]float64{first, second}, docs, a[length:]
	}
	return len(a) == 0
}

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
