package kernels

// SetTableMaxima sets dst[i] to the largest number that table has for the cells of term i. Terms
// and cells are those of [SetMaxima]. table has a row of [SetClasses] numbers for 0, 1, 2 ...
// documents, at most 256 rows; the number of class 0 with no documents is not above another one
// and stands for a term without cells. There is no NaN or -0. It
// returns false, and dst is undefined, if a cell is beyond the rows, a set has a class beyond the
// classes, or the sets have not one bit for each cell.
func SetTableMaxima(dst []float64, sets []uint64, a []byte, table []float64, classes int) bool {
	if len(sets) != len(dst) || !fitSets(classes) || !fitRows(len(table)) {
		panic("kernels: SetTableMaxima: slices of different lengths, or too many classes")
	}
	if len(dst) == 0 {
		return len(a) == 0
	}
	return setTableMaxima(dst, sets, a, table, beyondClasses(classes))
}
