package kernels

// tableSumsGeneric returns false if a class or a count is out of range, or start does not
// ascend.
func tableSumsGeneric(dst [][2]float64, met []float64, start []int, classes []uint32, a []float64, table [][2]float64, log uint64) bool {
	for i := range dst {
		length := start[i+1] - start[i]
		if uint(length) > uint(len(classes)) {
			return false
		}
		first, second, counts := dst[i][0], dst[i][1], 0.0
		for j, c := range classes[:length] {
			count := a[j]
			if place := uint64(c)<<log + uint64(int64(count)); count >= 0 && count < float64(uint64(1)<<log) && place < uint64(len(table)) {
				first += table[place][0]
				second += table[place][1]
				counts += count
				continue
			}
			return false
		}
		dst[i], met[i], classes, a = [2]float64{first, second}, counts, classes[length:], a[length:]
	}
	return len(classes) == 0
}
