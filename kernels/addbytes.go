package kernels

// AddBytes adds each of values to the element of dst with its place. dst must have as many
// elements.
func AddBytes(dst []float64, values []byte) {
	if len(dst) != len(values) {
		panic("kernels: AddBytes: slices of different lengths")
	}
	if len(dst) > 0 {
		addBytes(dst, values)
	}
}
