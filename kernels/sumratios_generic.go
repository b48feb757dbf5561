package kernels

func sumRatiosGeneric(dst []float64, sums [][2]float64, met []uint64, all uint64, high, low, least, divisor, factor float64) bool {
	sums, met = sums[:len(dst)], met[:len(dst)]
	right := true
	for i := range dst {
		v := (sums[i][0] + high) + (sums[i][1] + low)
		dst[i] = float64(v/divisor) * factor
		right = right && v >= least && met[i] == all
	}
	return right
}
