package kernels

// AddBytes sets each element of dst to the sum of those of x and values with its place. Both
// must have as many elements. x may be dst.
func AddBytes(dst, x []float64, values []byte) {
	if len(dst) != len(values) || len(x) != len(values) {
		panic("kernels: AddBytes: slices of different lengths")
	}
	if len(dst) > 0 {
		addBytes(dst, x, values)
	}
}
