package kernels

func occupiedGeneric(dst, counts []uint32) int {
	dst = dst[:len(counts)]
	n := 0
	for i, c := range counts {
		dst[n] = uint32(i) // kept only if n moves on: no branch to predict
		if c != 0 {
			n++
		}
	}
	return n
}
