package kernels

// A Deviation says which maximum [MaxDeviations] looks for.
type Deviation uint8

const (
	Signed   Deviation = iota // v
	Absolute                  // |v|
	Square                    // d·v
)

// MaxDeviations looks, over the classes of each of several terms, at the
// deviation from independence
//
//	d = total·count - occurrences·size
//
// and stores, for each term, the largest v = d·weight, |v| or d·v, each product
// rounded once; -Inf where there are no classes. With documents for counts d is
// AD-BC, and by the choice of the weights the results are the maxima of NGL and
// GSS, of balanced accuracy, and of chi-square.
//
// Term i has occurrences[i] in all, and its counts in a row that begins at
// counts[i*stride]; sizes and weights have one element a class. The caller sees
// to it that both products stay below 2^53: d is exact then, and a fused
// multiplication does not change it.
func MaxDeviations(dst []float64, of Deviation, counts []uint32, stride int, sizes, weights []float64, total float64, occurrences []float64) {
	terms, classes := len(occurrences), len(sizes)
	if terms == 0 {
		return
	}
	if len(dst) < terms || stride < classes || len(weights) < classes || len(counts) < (terms-1)*stride+classes {
		panic("kernels: MaxDeviations: a slice is too short")
	}
	maxDeviations(dst, of, counts, stride, sizes, weights, total, occurrences)
}
