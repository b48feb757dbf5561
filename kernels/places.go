package kernels

// Occupied lists the places of the elements that are not 0, ascending, in dst,
// and returns their number. dst must have len(counts) elements; those behind the
// places listed may be overwritten.
func Occupied(dst, counts []uint32) int {
	if len(dst) < len(counts) {
		panic("kernels: Occupied: the destination is too short")
	}
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

// AtLeast lists the places of the values >= threshold, ascending, in dst, and
// returns their number. NaN is never listed. dst must have len(values) elements;
// those behind the places listed may be overwritten.
func AtLeast(dst []uint32, values []float64, threshold float64) int {
	if len(dst) < len(values) {
		panic("kernels: AtLeast: the destination is too short")
	}
	if len(values) == 0 {
		return 0
	}
	return atLeast(dst, values, threshold)
}

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
