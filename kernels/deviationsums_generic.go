package kernels

// deviationSumsGeneric returns false if a class is out of range, or start does not ascend.
func deviationSumsGeneric(dst, met []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64) bool {
	for i := range dst {
		length := start[i+1] - start[i]
		if uint(length) > uint(len(classes)) {
			return false
		}
		sizes, expected := 0.0, of[i]
		var sum [lanes]float64
		for j, c := range classes[:length] {
			if uint(c) >= uint(len(table)) {
				return false
			}
			size, weight := table[c][0], table[c][1]
			d := float64(n*a[j]) - float64(expected*size)
			sum[j%lanes] += float64(float64(d*d) * weight)
			sizes += size
		}
		dst[i], met[i], classes, a = foldLanes(&sum), sizes, classes[length:], a[length:]
	}
	return len(classes) == 0
}
