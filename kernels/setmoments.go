package kernels

// SetMoments sets largest[i] to the largest |n·s - of[i]·size|·root of the cells of term i, -Inf if
// it has none, and within[i] to the sum of (size·q - s²)·inverse over them, as [WithinSums] adds
// it up. Terms are those of [SetMaxima]; the numbers of a cell are a, s = a + sums and
// q = s + squares, a byte of each. classes has size, inverse and root of each class, and 0.
func SetMoments(largest, within []float64, sets []uint64, a, sums, squares []byte, of []float64, classes [][4]float64, n float64) {
	if len(sets) != len(largest) || len(within) != len(largest) || len(of) != len(largest) || len(sums) != len(a) || len(squares) != len(a) || !fitSets(len(classes)) {
		panic("kernels: SetMoments: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && (len(classes) == 0 || !setMoments(largest, within, sets, a, sums, squares, of, classes, n, beyondClasses(len(classes)))) {
		panic("kernels: SetMoments: a class is out of range, or the sets do not cover the cells")
	}
}
