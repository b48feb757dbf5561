package kernels

func atLeastGeneric(dst []uint32, values []float64, threshold float64) int {
	dst = dst[:len(values)]
	n := 0
	for i, v := range values {
		if v >= threshold {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}
