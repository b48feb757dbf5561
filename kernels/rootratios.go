package kernels

// RootRatios divides each dst[i] above 0 by factor·√squares[i], a product that is rounded before it
// divides. It leaves the others, NaN among them, as they are.
func RootRatios(dst, squares []float64, factor float64) {
	if len(squares) != len(dst) {
		panic("kernels: RootRatios: slices of different lengths")
	}
	if len(dst) > 0 {
		rootRatios(dst, squares, factor)
	}
}
