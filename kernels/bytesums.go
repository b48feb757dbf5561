package kernels

// SumByteSegments is [SumSegments] of a column of bytes, in exact integers.
func SumByteSegments(sums, squares []uint64, values []byte, bounds []uint32) {
	checkSegments("SumByteSegments", len(sums), len(squares), len(values), bounds)
	if len(sums) > 0 {
		sumByteSegments(sums, squares, values, bounds)
	}
}
