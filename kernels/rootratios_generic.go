package kernels

import "math"

func rootRatiosGeneric(dst, squares []float64, factor float64) {
	squares = squares[:len(dst)]
	for i, x := range dst {
		if x > 0 {
			dst[i] = x / float64(factor*math.Sqrt(squares[i]))
		}
	}
}
