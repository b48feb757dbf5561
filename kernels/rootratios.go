package kernels

// RootRatios sets dst[i] to x[i] / (factor·√squares[i]), by a product that is rounded before it
// divides, where x[i] is above 0, and to x[i], which may be NaN, elsewhere. x may be dst.
func RootRatios(dst, x, squares []float64, factor float64) {
	if len(x) != len(dst) || len(squares) != len(dst) {
		panic("kernels: RootRatios: slices of different lengths")
	}
	if len(dst) > 0 {
		rootRatios(dst, x, squares, factor)
	}
}
