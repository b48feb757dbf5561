package kernels

import "math"

func maxDeviationsGeneric(dst []float64, of Deviation, counts []uint32, stride int, sizes, weights []float64, total float64, occurrences []float64) {
	weights = weights[:len(sizes)]
	for i, n := range occurrences {
		row := counts[i*stride:][:len(sizes)]
		largest := math.Inf(-1)
		switch of {
		case Signed:
			for c, count := range row {
				v := float64((float64(total*float64(count)) - float64(n*sizes[c])) * weights[c])
				if v > largest {
					largest = v
				}
			}
		case Absolute:
			for c, count := range row {
				v := math.Abs(float64((float64(total*float64(count)) - float64(n*sizes[c])) * weights[c]))
				if v > largest {
					largest = v
				}
			}
		case Square:
			for c, count := range row {
				d := float64(total*float64(count)) - float64(n*sizes[c])
				v := float64(d * float64(d*weights[c]))
				if v > largest {
					largest = v
				}
			}
		}
		dst[i] = largest + 0 // -0 and 0 do not tell which of them came first
	}
}
