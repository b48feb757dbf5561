package kernels

import "math"

func planeMaximaGeneric(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	for i := range dst {
		sum := uint32(0)
		for p := first; p < planes; p++ {
			sum += uint32(counts[p*stride+i])
		}
		largest, expected := math.Inf(-1), float64(int32(sum))
		for p, class := range table {
			d := float64(n*float64(counts[p*stride+i])) - float64(expected*class[0])
			v := float64(d * class[1])
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
		df[i], dst[i] = sum, largest+0
	}
}
