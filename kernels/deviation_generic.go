package kernels

import "math"

func maxDeviationGeneric(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute, square float64) {
	signed, absolute, square = math.Inf(-1), math.Inf(-1), math.Inf(-1)
	sizes, weights = sizes[:len(counts)], weights[:len(counts)]
	for i, n := range counts {
		d := float64(total*float64(n)) - float64(occurrences*sizes[i])
		v := float64(d * weights[i])
		if v > signed {
			signed = v
		}
		if a := math.Abs(v); a > absolute {
			absolute = a
		}
		if q := float64(d * v); q > square {
			square = q
		}
	}
	return signed + 0, absolute, square + 0 // -0 and 0 do not tell which of them came first
}
