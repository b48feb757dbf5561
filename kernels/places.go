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
