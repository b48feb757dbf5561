package matrix

import "slices"

// repeats finds numbers that stand twice in a line which is not in order, without sorting it.
type repeats struct {
	line uint32   // the number of the line
	last []uint32 // by number, the last line that has it
}

// in reports whether a number stands twice in a line. All are below width.
func (r *repeats) in(line []uint32, width int) bool {
	r.line++
	if r.line == 0 || len(r.last) < width {
		r.last = slices.Grow(r.last[:0], width)[:width]
		clear(r.last)
		r.line = 1
	}
	for _, at := range line {
		if r.last[at] == r.line {
			return true
		}
		r.last[at] = r.line
	}
	return false
}
