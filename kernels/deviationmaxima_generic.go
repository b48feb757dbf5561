package kernels

import "math"

// deviationMaximaGeneric returns false if a class is out of range, or start does not ascend.
func deviationMaximaGeneric(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool {
	for i := range dst {
		length := start[i+1] - start[i]
		if uint(length) > uint(len(classes)) {
			return false
		}
		largest, expected := math.Inf(-1), of[i]
		for j, c := range classes[:length] {
			if uint(c) >= uint(len(table)) {
				return false
			}
			size, weight := table[c][0], table[c][1]
			d := float64(n*a[j]) - float64(expected*size)
			v := float64(d * weight)
			switch form {
			case Squared:
				v = float64(v * d)
			case Absolute:
				v = math.Abs(v)
			}
			if v > largest { // not max, which looks for NaN and -0
				largest = v
			}
		}
		dst[i], classes, a = largest+0, classes[length:], a[length:]
	}
	return len(classes) == 0
}
