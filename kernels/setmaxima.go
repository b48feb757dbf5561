package kernels

import (
	"math"
	"math/bits"
)

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
