package kernels

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
