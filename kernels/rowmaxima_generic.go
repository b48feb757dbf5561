package kernels

// rowMaximaGeneric returns false if a place is out of range, or start does not ascend. It takes
// four numbers of a row at once, which stay in registers.
func rowMaximaGeneric(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool {
	for l := 0; l < 1<<log; l += quadLanes {
		if !quadMaxima(dst[l:], table[l:], places, start, least, log) {
			return false
		}
	}
	return true
}

// quadLanes is the number of numbers that the generic forms take at once.
const quadLanes = 4

// quadMaxima is rowMaximaGeneric for the first four numbers of each row.
func quadMaxima(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool {
	for i := range len(start) - 1 {
		n := start[i+1] - start[i]
		if uint(n) > uint(len(places)) {
			return false
		}
		m0, m1, m2, m3 := least, least, least, least
		for _, p := range places[:n] {
			at := uint64(p) << log
			if at+RowPadding >= uint64(len(table)) {
				return false
			}
			row := (*[quadLanes]int64)(table[at:])
			m0, m1, m2, m3 = max(m0, row[0]), max(m1, row[1]), max(m2, row[2]), max(m3, row[3])
		}
		*(*[quadLanes]int64)(dst[i<<log:]) = [quadLanes]int64{m0, m1, m2, m3}
		places = places[n:]
	}
	return true
}
