package kernels

// RowSums is [RowMaxima] for the sums of the rows of a segment, added to 0 one after the other.
func RowSums(dst, table []float64, places []uint32, start []int, log int) {
	if !fitRowSegments(len(dst), len(table), start, len(places), log) {
		panic("kernels: RowSums: the segments do not cover the places, or rows are not whole")
	}
	if len(start) > 1 && !rowSums(dst, table, places, start, uint64(log)) {
		panic("kernels: RowSums: a place is out of range, or the segments do not ascend")
	}
}
