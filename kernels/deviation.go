package kernels

// MaxDeviation looks, over the classes of a term, at the deviation from
// independence
//
//	d = total·counts[i] - occurrences·sizes[i]
//
// and returns the largest weights[i]·d and the largest weights[i]·|d|, each
// product rounded once, both at least -Inf. With documents for counts this is
// AD-BC, and by the choice of the weights the maximum of chi-square, NGL, GSS
// and balanced accuracy; with tokens it is that of the t-test.
//
// The caller sees to it that both products stay below 2^53: d is exact then, and
// no fused multiplication can change it. The three slices have one element a
// class.
func MaxDeviation(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute float64) {
	if len(sizes) != len(counts) || len(weights) != len(counts) {
		panic("kernels: MaxDeviation: the lengths differ")
	}
	return maxDeviation(counts, sizes, weights, total, occurrences)
}
