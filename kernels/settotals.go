package kernels

// SetTotals adds the numbers a + s of the cells of each class to totals, modulo 2^32. Terms and cells are
// those of [SetMoments]; totals has the sums of the classes, of which there are so many.
func SetTotals(totals *[SetClasses]uint32, sets []uint64, a, s []byte, classes int) {
	if len(s) != len(a) || !fitSets(classes) {
		panic("kernels: SetTotals: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && !setTotals(totals, sets, a, s, beyondClasses(classes)) {
		panic("kernels: SetTotals: a class is out of range, or the sets do not cover the cells")
	}
}
