package kernels

import "math/bits"

// setTableMaximaGeneric returns false if a set has bits of beyond, a cell is beyond the rows of
// the table, or the sets have more or fewer bits than there are cells.
func setTableMaximaGeneric(dst []float64, sets []uint64, a []byte, table []float64, beyond uint64) bool {
	for i := range dst {
		set := sets[i]
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		largest := table[0]
		for _, x := range a[:length] {
			place := int(x)*SetClasses + bits.TrailingZeros64(set)
			set &= set - 1
			if place >= len(table) {
				return false
			}
			if v := table[place]; v > largest {
				largest = v
			}
		}
		dst[i], a = largest, a[length:]
	}
	return len(a) == 0
}
