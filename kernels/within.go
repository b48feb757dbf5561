package kernels

// Within sets dst to the sums of squares within the classes of cells: (n·q[i] - s[i]²)/n for
// the class of cell i, whose n and 1/n are the elements classes[i] of sizes and inverses.
// Products are rounded before they are subtracted. All slices of cells have the same length.
// No class may be beyond sizes and inverses.
func Within(dst []float64, classes []uint32, s, q, sizes, inverses []float64) {
	if len(s) != len(classes) || len(q) != len(classes) || len(dst) != len(classes) || len(sizes) != len(inverses) {
		panic("kernels: Within: slices of different lengths")
	}
	if len(classes) > 0 && (!fitTables(len(sizes)) || !within(dst, classes, s, q, sizes, inverses)) {
		panic("kernels: Within: a class is out of range")
	}
}
