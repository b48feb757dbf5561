package kernels

// DeviationSums sets dst[i] to the sum of (d·d)·weight over the cells of segment i, in eight
// lanes, and met[i] to the sum of the sizes of their classes: d = n·a[j] - of[i]·size of the
// class of cell j, whose size and weight are the element classes[j] of table. Products are
// rounded before they are subtracted. Sizes are whole numbers whose sums are below 2^53.
// Segments are as those of [RowMaxima]. No class may be beyond table.
func DeviationSums(dst, met []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64) {
	if !fitSegments(len(dst), start, len(classes)) || len(a) != len(classes) || len(of) != len(dst) || len(met) != len(dst) {
		panic("kernels: DeviationSums: slices of different lengths")
	}
	if len(dst) > 0 && (!fitTable(len(table), len(classes)) || !deviationSums(dst, met, start, classes, a, of, table, n)) {
		panic("kernels: DeviationSums: a class is out of range, or the segments do not ascend")
	}
}
