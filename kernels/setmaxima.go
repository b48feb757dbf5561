package kernels

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
