package kernels

import "math/bits"

// SetSums sets dst[i] to the sums of the two numbers that table has for the cells of term i, and
// met[i] to the sum of the cells. Terms and cells are those of [SetMaxima], table has a
// row of [SetClasses] elements for each byte, the first one of zeros. The sums must be exact in any
// order: the order is not defined.
func SetSums(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, classes int) {
	if len(sets) != len(dst) || len(met) != len(dst) || !fitSets(classes) || len(table) != 256*SetClasses {
		panic("kernels: SetSums: slices of different lengths, or too many classes")
	}
	if len(dst) > 0 && !setSums(dst, met, sets, a, table, beyondClasses(classes)) {
		panic("kernels: SetSums: a class is out of range, or the sets do not cover the cells")
	}
}

// setSumsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setSumsGeneric(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool {
	for i := range dst {
		set := sets[i]
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		first, second, docs := 0.0, 0.0, uint64(0)
		for _, x := range a[:length] {
			place := int(x)*SetClasses + bits.TrailingZeros64(set)
			set &= set - 1
			first, second, docs = first+table[place][0], second+table[place][1], docs+uint64(x)
		}
		dst[i], met[i], a = [2]float64{first, second}, docs, a[length:]
	}
	return len(a) == 0
}
