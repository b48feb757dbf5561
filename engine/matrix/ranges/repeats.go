package ranges

import "slices"

// Repeats finds places that stand twice in a line which is not in order: 0.9 ns an element
// of 20 Newsgroups by rows, where sorting a copy of each line took 41 by columns.
type Repeats struct {
	line uint32   // the number of the line
	last []uint32 // by place, the last line that has it
}

// RepeatedIn reports whether a place stands twice in a line. All places are below width.
func RepeatedIn[I column](r *Repeats, index []I, width int) bool {
	r.line++
	if r.line == 0 || len(r.last) < width {
		r.last = slices.Grow(r.last[:0], width)[:width]
		clear(r.last)
		r.line = 1
	}
	for _, at := range index {
		if r.last[at] == r.line {
			return true
		}
		r.last[at] = r.line
	}
	return false
}
