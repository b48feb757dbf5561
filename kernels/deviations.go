package kernels

import "math"

// A Deviation says what [DeviationMaxima] makes of n·a - of·size.
type Deviation uint8

// The forms of a deviation d.
const (
	Squared  Deviation = iota // d·(d·weight)
	Absolute                  // |d·weight|
	Signed                    // d·weight
)

// DeviationMaxima sets dst[i] to the largest weighted deviation of the cells of segment i, and
// to -Inf if it has none: d = n·a[j] - of[i]·size of the class of cell j, whose size and weight
// are the element classes[j] of table; form says what is made of d and the weight. Products are
// rounded before they are subtracted. No number may be NaN or infinite; there is no -0 among the
// results. Segment i has the cells [start[i]-start[0], start[i+1]-start[0]): start has one element
// more than there are segments, ascends, and its last segment ends with the cells. No class may be beyond table.
func DeviationMaxima(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) {
	if !fitSegments(len(dst), start, len(classes)) || len(a) != len(classes) || len(of) != len(dst) || form > Signed {
		panic("kernels: DeviationMaxima: slices of different lengths, or an unknown form")
	}
	if len(dst) > 0 && (!fitTable(len(table), len(classes)) || !deviationMaxima(dst, start, classes, a, of, table, n, form)) {
		panic("kernels: DeviationMaxima: a class is out of range, or the segments do not ascend")
	}
}

// fitSegments reports whether start has the ends of so many segments that cover so many cells.
func fitSegments(segments int, start []int, cells int) bool {
	return len(start) == segments+1 && start[segments]-start[0] == cells
}

// fitTable reports whether a table of so many classes can be looked up for so many cells: a
// class is doubled as a 32-bit number, and the last one is n-1.
func fitTable(classes, cells int) bool {
	return cells == 0 || classes > 0 && classes <= math.MaxInt32
}

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
