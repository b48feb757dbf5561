package kernels

func sumByteSegmentsGeneric(sums, squares []uint64, values []byte, bounds []uint32) {
	for i := range sums {
		sums[i], squares[i] = 0, 0
		if bounds[i] >= bounds[i+1] {
			continue
		}
		var s, q uint64
		for _, x := range values[bounds[i]:bounds[i+1]] {
			s += uint64(x)
			q += uint64(x) * uint64(x)
		}
		sums[i], squares[i] = s, q
	}
}
