package kernels

// SumRatios sets dst[i] to v/divisor·factor, where v is the number of two parts sums[i] after high and
// low are added to them: (sums[i][0]+high) + (sums[i][1]+low). It reports whether each v is least at
// the least, which NaN is not, and each met[i] is all.
func SumRatios(dst []float64, sums [][2]float64, met []uint64, all uint64, high, low, least, divisor, factor float64) bool {
	if len(sums) != len(dst) || len(met) != len(dst) {
		panic("kernels: SumRatios: slices of different lengths")
	}
	return len(dst) == 0 || sumRatios(dst, sums, met, all, high, low, least, divisor, factor)
}
