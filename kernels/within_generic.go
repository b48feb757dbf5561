package kernels

// withinGeneric returns false if a class is out of range.
func withinGeneric(dst []float64, classes []uint32, s, q, sizes, inverses []float64) bool {
	s, q, dst, inverses = s[:len(classes)], q[:len(classes)], dst[:len(classes)], inverses[:len(sizes)]
	for i, c := range classes {
		if uint(c) >= uint(len(sizes)) {
			return false
		}
		dst[i] = (float64(sizes[c]*q[i]) - float64(s[i]*s[i])) * inverses[c]
	}
	return true
}
