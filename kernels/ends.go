package kernels

// CountEnds turns the ends of runs into their lengths and clears the ends. A
// list that is sorted by class has one run a class; its end, the number of
// elements up to the last of the class, is stored by a plain loop that needs no
// load, and classes without elements keep 0:
//
//	counts[i] = max(ends[0..i]) - max(ends[0..i-1], 0)
//	ends[i] = 0
//
// counts must have len(ends) elements; it must not overlap ends.
func CountEnds(counts, ends []uint32) {
	if len(counts) != len(ends) {
		panic("kernels: CountEnds: the lengths differ")
	}
	if len(ends) > 0 {
		countEnds(counts, ends)
	}
}
