package classify

import (
	"math"
	"slices"
)

// encode writes the number of cells of each column, their classes, and their values.
func (c *cells) encode(e *encoder) {
	sizes := make([]uint32, len(c.start)-1)
	for t := range sizes {
		sizes[t] = c.start[t+1] - c.start[t]
	}
	class, value := c.all()
	e.uint32s(sizes)
	e.uint32s(class)
	e.floats(value)
}

func decodeCells(d *decoder, h *header) *cells {
	sizes, class, value := d.uint32s(), d.uint32s(), d.floats()
	if d.err == nil && (len(sizes) != h.columns || len(class) != len(value) || slices.ContainsFunc(value, infinite)) {
		d.fail("cells of %d columns of %d, %d classes of %d values", len(sizes), h.columns, len(class), len(value))
	}
	if uint64(len(class)) > math.MaxUint32 {
		d.fail("%d cells are too many", len(class))
	}
	if d.err != nil {
		return nil
	}
	x := &cells{start: make([]uint32, len(sizes)+1), class: class, value: value}
	for t, at := range d.starts(sizes, class, len(h.classes)) {
		x.start[t] = uint32(at)
	}
	return x
}
