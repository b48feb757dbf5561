package kernels

// This file has plain loops over the lists of an index without cells.

// CountEnds sets counts to the lengths of runs from their ends, and clears the ends.
func CountEnds(counts, ends []uint32) {
	counts = counts[:len(ends)]
	last := uint32(0)
	for i, end := range ends {
		top := max(last, end)
		counts[i] = top - last
		last = top
		ends[i] = 0
	}
}

// SumSegments sets sums and squares to those of the segments [bounds[i], bounds[i+1]) of a
// column, in the shape of [Lanes].
func SumSegments(sums, squares []float64, values []float32, bounds []uint32) {
	for i := range sums {
		sums[i], squares[i] = sumDistances(values[bounds[i]:max(bounds[i], bounds[i+1])], 0)
	}
}

// SumByteSegments is [SumSegments] of a column of bytes, in exact integers.
func SumByteSegments(sums, squares []uint64, values []byte, bounds []uint32) {
	for i := range sums {
		var s, q uint64
		for _, x := range values[bounds[i]:max(bounds[i], bounds[i+1])] {
			s += uint64(x)
			q += uint64(x) * uint64(x)
		}
		sums[i], squares[i] = s, q
	}
}
