package kernels

// SetSpreads sets dst[i] to how far the means of the classes are apart for term i, as [Spread] makes
// it of the sums that [DeviationSums] gives for its cells: a + sums, a byte of each, and their
// total. Terms are those of [SetMaxima]. classes has the size of each class and its
// inverse. Sizes are whole numbers whose sums are below 2^53.
func SetSpreads(dst []float64, sets []uint64, a, sums []byte, classes [][2]float64, n float64) {
	if len(sets) != len(dst) || len(sums) != len(a) || !fitSets(len(classes)) {
		panic("kernels: SetSpreads: slices of different lengths, or too many classes")
	}
	if len(sets) > 0 && (len(classes) == 0 || !setSpreads(dst, sets, a, sums, classes, n, float64(n*n), beyondClasses(len(classes)))) {
		panic("kernels: SetSpreads: a class is out of range, or the sets do not cover the cells")
	}
}

// Spread returns Σ (x/size - total/n)²·size / n over classes with n documents in all, of which the
// sizes that were met add up to met: sum is Σ (n·x - total·size)²/size over those, and x is 0 for
// the others. square is n².
func Spread(sum, met, total, n, square float64) float64 {
	mean := total / n
	return (float64((n-met)*float64(mean*mean)) + sum/square) / n
}
