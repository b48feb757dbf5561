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

// tableSumsGeneric returns false if a class or a count is out of range, or start does not
// ascend.
func tableSumsGeneric(dst [][2]float64, met []float64, start []int, classes []uint32, a []float64, table [][2]float64, log uint64) bool {
	for i := range dst {
		length := start[i+1] - start[i]
		if uint(length) > uint(len(classes)) {
			return false
		}
		first, second, counts := dst[i][0], dst[i][1], 0.0
		for j, c := range classes[:length] {
			count := a[j]
			if place := uint64(c)<<log + uint64(int64(count)); count >= 0 && count < float64(uint64(1)<<log) && place < uint64(len(table)) {
				first += table[place][0]
				second += table[place][1]
				counts += count
				continue
			}
			return false
		}
		dst[i], met[i], classes, a = [2]float64{first, second}, counts, classes[length:], a[length:]
	}
	return len(classes) == 0
}
