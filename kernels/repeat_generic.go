package kernels

// repeatGeneric returns false if start does not ascend.
func repeatGeneric(dst, values []float64, start []int) bool {
	for i, v := range values {
		n := start[i+1] - start[i]
		if uint(n) > uint(len(dst)) {
			return false
		}
		segment := dst[:n]
		for j := range segment {
			segment[j] = v
		}
		dst = dst[n:]
	}
	return true
}
