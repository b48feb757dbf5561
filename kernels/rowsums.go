package kernels

// RowSums is [RowMaxima] for the sums of the rows of a segment, added to 0 one after the other.
func RowSums(dst, table []float64, places []uint32, start []int, log int) {
	if !fitRowSegments(len(dst), len(table), start, len(places), log) {
		panic("kernels: RowSums: the segments do not cover the places, or rows are not whole")
	}
	if !rowSums(dst, table, places, start, uint64(log)) {
		panic("kernels: RowSums: a place is out of range, or the segments do not ascend")
	}
}

// rowSums returns false if a place is out of range, or start does not ascend. It takes four
// numbers of a row at once, which stay in registers.
func rowSums(dst, table []float64, places []uint32, start []int, log uint64) bool {
	for l := 0; l < 1<<log; l += quadLanes {
		if !quadSums(dst[l:], table[l:], places, start, log) {
			return false
		}
	}
	return true
}

// quadSums is rowSums for the first four numbers of each row.
func quadSums(dst, table []float64, places []uint32, start []int, log uint64) bool {
	for i := range len(start) - 1 {
		n := start[i+1] - start[i]
		if uint(n) > uint(len(places)) {
			return false
		}
		s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
		for _, p := range places[:n] {
			at := uint64(p) << log
			if at+RowPadding >= uint64(len(table)) {
				return false
			}
			row := (*[quadLanes]float64)(table[at:])
			s0, s1, s2, s3 = s0+row[0], s1+row[1], s2+row[2], s3+row[3]
		}
		*(*[quadLanes]float64)(dst[i<<log:]) = [quadLanes]float64{s0, s1, s2, s3}
		places = places[n:]
	}
	return true
}
