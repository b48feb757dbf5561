package kernels

// SumDistances adds up the distances of values from a point and their squares,
//
//	sum = Σ (v - from), squares = Σ (v - from)²
//
// in the shape of [SumSegments].
func SumDistances(values []float64, from float64) (sum, squares float64) {
	var s, q [lanes]float64
	for ; len(values) >= lanes; values = values[lanes:] {
		for l, x := range values[:lanes] {
			d := x - from
			s[l] += d
			q[l] += float64(d * d)
		}
	}
	for l, x := range values {
		d := x - from
		s[l] += d
		q[l] += float64(d * d)
	}
	return foldLanes(&s), foldLanes(&q)
}
