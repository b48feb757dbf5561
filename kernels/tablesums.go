package kernels

// TableSums adds to dst[i] the numbers that table has for the cells of segment i, one after the
// other, and sets met[i] to the sum of their counts a, which are whole numbers. The numbers of a
// class with a count are the element class<<log + count of table, 0 of count 0. Segments are as
// those of [RowMaxima]. No class may be beyond table, and no count above 1<<log - 1.
func TableSums(dst [][2]float64, met []float64, start []int, classes []uint32, a []float64, table [][2]float64, log int) {
	if !fitSegments(len(dst), start, len(classes)) || len(a) != len(classes) || len(met) != len(dst) || uint(log) > 30 || len(table)&(1<<log-1) != 0 {
		panic("kernels: TableSums: slices of different lengths")
	}
	if len(dst) > 0 && (!fitTable(len(table), len(classes)) || !tableSums(dst, met, start, classes, a, table, uint64(log))) {
		panic("kernels: TableSums: a class or a count is out of range, or the segments do not ascend")
	}
}
