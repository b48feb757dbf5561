package kernels

// WithinSums sets dst[i] to the sum over the cells of segment i, in eight lanes, of the sums of
// squares within their classes, (n·q[j] - s[j]²)/n for the class of cell j, whose n and 1/n are
// the element classes[j] of table. Products are rounded before they are subtracted. Segments
// are as those of [RowMaxima]. No class may be beyond table.
func WithinSums(dst []float64, start []int, classes []uint32, s, q []float64, table [][2]float64) {
	if !fitSegments(len(dst), start, len(classes)) || len(s) != len(classes) || len(q) != len(classes) {
		panic("kernels: WithinSums: slices of different lengths")
	}
	if len(dst) > 0 && (!fitTable(len(table), len(classes)) || !withinSums(dst, start, classes, s, q, table)) {
		panic("kernels: WithinSums: a class is out of range, or the segments do not ascend")
	}
}
