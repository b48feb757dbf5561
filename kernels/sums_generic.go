package kernels

func sumSegmentsGeneric(sums, squares []float64, values []float32, bounds []uint32) {
	for i := range sums {
		sums[i], squares[i] = sumSegment(values, bounds[i], bounds[i+1])
	}
}

func sumSegment(values []float32, from, to uint32) (sum, square float64) {
	if from >= to {
		return 0, 0
	}
	v := values[from:to]
	var s, q [lanes]float64
	for ; len(v) >= lanes; v = v[lanes:] {
		for l, x := range v[:lanes] {
			s[l] += float64(x)
			q[l] += float64(float64(x) * float64(x))
		}
	}
	for l, x := range v {
		s[l] += float64(x)
		q[l] += float64(float64(x) * float64(x))
	}
	return foldLanes(&s), foldLanes(&q)
}

func foldLanes(s *[lanes]float64) float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}
