package kernels

// MaxDeviation looks, over the classes of a term, at the deviation from
// independence
//
//	d = total·counts[i] - occurrences·sizes[i]
//
// and returns the largest v = d·weights[i], the largest |v|, and the largest d·v,
// each product rounded once; -Inf where there are no classes. With documents for
// counts d is AD-BC, and by the choice of the weights the results are the maxima of
// NGL and GSS, of balanced accuracy, and of chi-square.
//
// The caller sees to it that both products stay below 2^53: d is exact then, and
// no fused multiplication can change it. The three slices have one element a
// class.
func MaxDeviation(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute, square float64) {
	if len(sizes) != len(counts) || len(weights) != len(counts) {
		panic("kernels: MaxDeviation: the lengths differ")
	}
	return maxDeviation(counts, sizes, weights, total, occurrences)
}
