package kernels

import "math"

// RowPadding is the number of numbers that dst and the table of [RowMaxima] and [RowSums] have
// behind their rows: a row is read and written as a vector of eight numbers, however short it is.
// Those of dst are undefined afterwards.
const RowPadding = 7

// RowMaxima computes the largest numbers of rows. table has rows of 1<<log numbers, log at most 3,
// and dst as many for each segment, which become the largest of least and those of the rows
// places[k], k in [start[i]-start[0], start[i+1]-start[0]) for segment i. start has one element
// more than there are segments, ascends, and its last segment ends with places. No place may be
// beyond the rows.
func RowMaxima(dst, table []int64, places []uint32, start []int, least int64, log int) {
	if !fitRowSegments(len(dst), len(table), start, len(places), log) {
		panic("kernels: RowMaxima: the segments do not cover the places, or rows are not whole")
	}
	if len(start) > 1 && !rowMaxima(dst, table, places, start, least, uint64(log)) {
		panic("kernels: RowMaxima: a place is out of range, or the segments do not ascend")
	}
}

// fitRowSegments reports whether dst and a table of these lengths have whole rows and what is
// behind them, dst one for each segment.
func fitRowSegments(dst, table int, start []int, places, log int) bool {
	if uint(log) > 3 || dst < RowPadding || table < RowPadding {
		return false
	}
	segments, rows := (dst-RowPadding)>>log, (table-RowPadding)>>log
	return segments<<log+RowPadding == dst && rows<<log+RowPadding == table && fitSegments(segments, start, places)
}

// rowMaxima returns false if a place is out of range, or start does not ascend. It takes
// four numbers of a row at once, which stay in registers.
func rowMaxima(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool {
	for l := 0; l < 1<<log; l += quadLanes {
		if !quadMaxima(dst[l:], table[l:], places, start, least, log) {
			return false
		}
	}
	return true
}

// quadLanes is the number of numbers that the generic forms take at once.
const quadLanes = 4

// quadMaxima is rowMaxima for the first four numbers of each row.
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

// fitSegments reports whether start has the ends of so many segments that cover so many cells.
func fitSegments(segments int, start []int, cells int) bool {
	return len(start) == segments+1 && start[segments]-start[0] == cells
}

// fitTable reports whether a table of so many classes can be looked up for so many cells: a
// class is doubled as a 32-bit number, and the last one is n-1.
func fitTable(classes, cells int) bool {
	return cells == 0 || classes > 0 && classes <= math.MaxInt32
}
