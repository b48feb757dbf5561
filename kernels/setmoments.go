package kernels

// SetMoments sets largest[i] to the largest |n·s - of[i]·size|·root over all classes, those without
// term i too, squares[i] to the sum of s·s·inverse over its cells, as [SetSquares] adds it up, and
// totals[i] to the sum of q. Terms are those of [SetMaxima]; the numbers of a cell are a, s = a + sums and
// q = s + squares, a byte of each. sizes, inverses and roots have those of the classes, of which there are so
// many, and zeros behind them. Products are rounded before they are subtracted.
func SetMoments(largest, squares, totals []float64, sets []uint64, a, sums, more []byte, of, sizes, inverses, roots []float64, classes int, n float64) {
	if len(sets) != len(largest) || len(squares) != len(largest) || len(totals) != len(largest) || len(of) != len(largest) ||
		len(sums) != len(a) || len(more) != len(a) || !fitSets(classes, sizes, inverses, roots) {
		panic("kernels: SetMoments: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && !setMoments(largest, squares, totals, sets, a, sums, more, of, sizes, inverses, roots, n, beyondClasses(classes)) {
		panic("kernels: SetMoments: a class is out of range, or the sets do not cover the cells")
	}
}

// SetSquares sets squares[i] to the sum of s·s·inverse over the cells of term i, and totals[i] to
// that of s. Terms and cells are those of [SetMoments]. The sum of squares has eight lanes, of which
// lane c mod 8 gets the products of class c in the order of classes; see [Lanes].
func SetSquares(squares, totals []float64, sets []uint64, a, sums []byte, inverses []float64, classes int) {
	if len(sets) != len(squares) || len(totals) != len(squares) || len(sums) != len(a) || !fitSets(classes, inverses) {
		panic("kernels: SetSquares: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && !setSquares(squares, totals, sets, a, sums, inverses, beyondClasses(classes)) {
		panic("kernels: SetSquares: a class is out of range, or the sets do not cover the cells")
	}
}
