package kernels

// A Deviation says what [Deviations] computes of n·a - of·size.
type Deviation uint8

// The forms of a deviation d.
const (
	Squared  Deviation = iota // d·(d·weight)
	Absolute                  // |d·weight|
	Signed                    // d·weight
)

// Deviations sets dst to the keys of the weighted deviations of cells: d = n·a[i] - of[i]·size
// of the class of cell i, whose size and weight are the elements classes[i] of sizes and
// weights. Products are rounded before they are subtracted. The key of a number is its bits
// if it is not negative; else, of its bits, all but the sign are turned round. Keys are
// ordered as the numbers are. All slices of cells have the same length. No class may be
// beyond sizes and weights.
func Deviations(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) {
	if len(a) != len(classes) || len(of) != len(classes) || len(dst) != len(classes) || len(sizes) != len(weights) || form > Signed {
		panic("kernels: Deviations: slices of different lengths, or an unknown form")
	}
	if len(classes) > 0 && (!fitTables(len(sizes)) || !deviations(dst, classes, a, of, sizes, weights, n, form)) {
		panic("kernels: Deviations: a class is out of range")
	}
}
