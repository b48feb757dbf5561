package kernels

import "math"

func rootRatiosGeneric(dst, x, squares []float64, factor float64) {
	x, squares = x[:len(dst)], squares[:len(dst)]
	for i, v := range x {
		if v > 0 {
			v /= float64(factor * math.Sqrt(squares[i]))
		}
		dst[i] = v
	}
}
