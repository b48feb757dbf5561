package kernels

// AboveFloors sets each element of dst to the sum of those of floors and over with its place. dst
// must have as many elements as each.
func AboveFloors(dst []float64, floors []uint32, over []byte) {
	if len(floors) != len(dst) || len(over) != len(dst) {
		panic("kernels: AboveFloors: slices of different lengths")
	}
	if len(dst) > 0 {
		aboveFloors(dst, floors, over)
	}
}
