package kernels

// MostByteCells is the number of cells that a term has at most if its classes are bytes.
const MostByteCells = 256

// SetClasses is the number of classes that a set has bits for.
const SetClasses = 64

// WrongCells is the sum that [CheckCells] gives of cells that are impossible.
const WrongCells = ^uint64(0)

// CheckCells looks at the cells of terms, whose classes and counts are bytes. The cells of term i
// are the elements [start[i]-start[0], start[i+1]-start[0]) of the columns. CheckCells sets sets[i]
// to their classes as the bits of a word, as far as they are below [SetClasses], and sums[i] to the
// sum of their elements of a, and 2^16 times that of s. Where a class is not above the one before,
// or not below the number of classes, or where an element of a is 0, it sets sums[i] to WrongCells,
// and sets[i] to anything. There are 1 to 256 classes.
func CheckCells(sets, sums []uint64, classes, a, s []byte, start []int, numClasses int) {
	n := len(sets)
	if len(sums) != n || len(start) != n+1 || len(a) != len(classes) || len(s) != len(classes) || start[n]-start[0] != len(classes) ||
		numClasses < 1 || numClasses > MostByteCells {
		panic("kernels: CheckCells: slices of different lengths, or a number of classes out of range")
	}
	if n > 0 && !checkCells(sets, sums, classes, a, s, start, uint8(numClasses-1)) {
		panic("kernels: CheckCells: the places of the cells do not ascend")
	}
}

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
