package kernels

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
