package kernels

import "math"

func maxDeviationGeneric(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute float64) {
	signed, absolute = math.Inf(-1), math.Inf(-1)
	sizes, weights = sizes[:len(counts)], weights[:len(counts)]
	for i, n := range counts {
		d := float64(total*float64(n)) - float64(occurrences*sizes[i])
		v := float64(d * weights[i])
		if v > signed {
			signed = v
		}
		if v = math.Abs(v); v > absolute {
			absolute = v
		}
	}
	return signed, absolute
}
