package kernels

// segmentMaximaGeneric returns false if start does not ascend.
func segmentMaximaGeneric(dst, values []int64, start []int, least int64) bool {
	for i := range dst {
		n := start[i+1] - start[i]
		if uint(n) > uint(len(values)) {
			return false
		}
		segment, largest := values[:n], least
		if n > 0 && n <= 4 {
			// The end of a loop over so few elements cannot be predicted. These take the
			// last of them again instead.
			last := n - 1
			largest = max(largest, segment[0], segment[min(1, last)], segment[min(2, last)], segment[last])
		} else {
			for _, v := range segment {
				largest = max(largest, v)
			}
		}
		dst[i], values = largest, values[n:]
	}
	return true
}
