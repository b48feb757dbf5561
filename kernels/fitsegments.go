package kernels

import "math"

// fitSegments reports whether start has the ends of so many segments that cover so many cells.
func fitSegments(segments int, start []int, cells int) bool {
	return len(start) == segments+1 && start[segments]-start[0] == cells
}

// fitTable reports whether a table of so many classes can be looked up for so many cells: a
// class is doubled as a 32-bit number, and the last one is n-1.
func fitTable(classes, cells int) bool {
	return cells == 0 || classes > 0 && classes <= math.MaxInt32
}
