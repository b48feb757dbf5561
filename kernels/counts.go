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
