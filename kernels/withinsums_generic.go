package kernels

// withinSumsGeneric returns false if a class is out of range, or start does not ascend.
func withinSumsGeneric(dst []float64, start []int, classes []uint32, s, q []float64, table [][2]float64) bool {
	for i := range dst {
		length := start[i+1] - start[i]
		if uint(length) > uint(len(classes)) {
			return false
		}
		var sum [lanes]float64
		for j, c := range classes[:length] {
			if uint(c) >= uint(len(table)) {
				return false
			}
			n, inverse := table[c][0], table[c][1]
			sum[j%lanes] += float64((float64(n*q[j]) - float64(s[j]*s[j])) * inverse)
		}
		dst[i], classes, s, q = foldLanes(&sum), classes[length:], s[length:], q[length:]
	}
	return len(classes) == 0
}
