package kernels

import "math"

// PlaneMaxima sets df[i] to the sum of the counts of column i, and dst[i] to its largest weighted
// deviation d = n·a - df[i]·size, where a is the count of a plane; form says what is made of d and
// the weight, as in [DeviationMaxima]. The count of column i in plane p is counts[p·stride+i]. The
// sum is that of the planes from first on, of which there are so many in all; deviations are
// those of the first planes, whose sizes and weights are the elements of table. Sums must be
// below 2^31. Products are rounded before they are subtracted. No number may be NaN or infinite;
// there is no -0 among the results, and -Inf if table is empty.
func PlaneMaxima(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	if len(df) != len(dst) || form > Signed {
		panic("kernels: PlaneMaxima: slices of different lengths, or an unknown form")
	}
	if !fitPlanes(len(dst), len(counts), stride, planes) || first < 0 || first > planes || len(table) > planes {
		panic("kernels: PlaneMaxima: the planes are not in the counts")
	}
	if len(dst) > 0 {
		planeMaxima(dst, df, counts, stride, first, planes, table, n, form)
	}
}

// fitPlanes reports whether so many planes of columns, each so many elements behind the one
// before, are within a length.
func fitPlanes(columns, length, stride, planes int) bool {
	return planes >= 0 && stride >= columns && columns <= length && (planes < 2 || planes-1 <= (length-columns)/max(stride, 1))
}

// HasPlanes reports whether [PlaneMaxima] has a form on the path taken that is faster than
// [DeviationMaxima] of the cells that are not 0, if these are not very few. Its pure Go form is not.
func HasPlanes() bool { return hasPlanes() }

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
