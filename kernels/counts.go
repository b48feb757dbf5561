package kernels

// AddCounts adds values to the sums of their places and says whether they are counts of
// ascending places: each place above the one before and below len(sums), each value
// whole and from 0 to largest. At the first that is not it stops; some of the others may
// have been added by then. index must have len(values) elements, and largest is at most
// 1<<24.
func AddCounts(sums, index []uint32, values []float32, largest uint32) bool {
	if len(index) != len(values) || largest > 1<<24 || uint64(len(sums)) > 1<<32 {
		panic("kernels: AddCounts: the lengths do not fit, or the largest is above 1<<24")
	}
	if len(values) == 0 || len(sums) == 0 {
		return len(values) == 0
	}
	return addCounts(sums, index, values, largest)
}

// addCountsGeneric has branches for what never happens: gathering the bits of what is
// wrong takes half as long again.
func addCountsGeneric(sums, index []uint32, values []float32, largest uint32) bool {
	values = values[:len(index)]
	next := uint64(0)
	for i, place := range index {
		v := values[i]
		n := int32(v)
		if uint64(place) < next || uint64(place) >= uint64(len(sums)) || float32(n) != v || uint32(n) > largest {
			return false
		}
		sums[place] += uint32(n)
		next = uint64(place) + 1
	}
	return true
}
