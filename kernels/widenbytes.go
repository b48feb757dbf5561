package kernels

// WidenBytes sets each element of dst to that of values with its place. dst must have as many
// elements.
func WidenBytes(dst []uint32, values []byte) {
	if len(dst) != len(values) {
		panic("kernels: WidenBytes: slices of different lengths")
	}
	if len(dst) > 0 {
		widenBytes(dst, values)
	}
}
