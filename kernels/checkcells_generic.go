package kernels

// checkCellsGeneric returns false where the places of the cells do not ascend, or lie behind the
// last. last is the number of the last class.
func checkCellsGeneric(sets, sums []uint64, classes, a, s []byte, start []int, last uint8) bool {
	sums, start = sums[:len(sets)], start[:len(sets)+1]
	at := 0
	for i := range sets {
		end := start[i+1] - start[0]
		if end < at || end > len(classes) {
			return false
		}
		sets[i], sums[i] = checkTerm(classes[at:end], a[at:end], s[at:end], uint32(last))
		at = end
	}
	return true
}

// checkTerm is checkCellsGeneric for the cells of one term. What is wrong sets the sign of a mask.
func checkTerm(classes, a, s []byte, last uint32) (set, sum uint64) {
	if len(classes) > MostByteCells {
		return 0, WrongCells
	}
	a, s = a[:len(classes)], s[:len(classes)]
	wrong, next := uint32(0), uint32(0)
	for i, class := range classes {
		docs := uint32(a[i])
		wrong |= (uint32(class) - next) | (last - uint32(class)) | (docs - 1)
		next = uint32(class) + 1
		set |= 1 << class
		sum += uint64(docs | uint32(s[i])<<16)
	}
	if int32(wrong) < 0 {
		return set, WrongCells
	}
	return set, sum
}
