package kernels

// Occupied lists the places of the elements that are not 0, ascending, in dst,
// and returns their number. dst must have len(counts) elements; those behind the
// places listed may be overwritten.
func Occupied(dst, counts []uint32) int {
	if len(dst) < len(counts) {
		panic("kernels: Occupied: the destination is too short")
	}
	if len(counts) == 0 {
		return 0
	}
	return occupied(dst, counts)
}
