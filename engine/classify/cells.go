package classify

import (
	"math"
	"slices"
)

// cells has a number for each column and class that occur together in the training rows,
// and for no other: with 100,000 classes it takes as much memory as the rows. A dense table
// would not pay with few classes either: 20 Newsgroups has 298,000 cells of 2.6 million
// pairs, whose logarithms alone would take ten times as long as training does.
type cells struct {
	start []uint32 // columns+1: the first cell of each column, whose classes ascend

	// Cells of any values; nil if small or packed is set:
	class []uint32
	value []float64

	// Cells of few distinct values, a sixth or a third as large: class<<codeBits + index
	// in table.
	small    []uint16
	packed   []uint32
	codeBits int
	table    []float64
}

// add adds x times the cells of a column to the scores of their classes.
func (c *cells) add(scores []float64, column uint32, x float64) {
	from, to := c.start[column], c.start[column+1]
	switch {
	case c.small != nil:
		addPacked(scores, c.small[from:to], c.codeBits, c.table, x)
	case c.packed != nil:
		addPacked(scores, c.packed[from:to], c.codeBits, c.table, x)
	default:
		value := c.value[from:to]
		for i, class := range c.class[from:to] {
			scores[class] += float64(x * value[i])
		}
	}
}

func addPacked[T uint16 | uint32](scores []float64, cells []T, codeBits int, table []float64, x float64) {
	code := T(1)<<codeBits - 1
	for _, cell := range cells {
		scores[cell>>codeBits] += float64(x * table[cell&code])
	}
}

// all returns the classes and values of all cells, column by column.
func (c *cells) all() (class []uint32, value []float64) {
	switch {
	case c.small != nil:
		return unpacked(c.small, c.codeBits, c.table)
	case c.packed != nil:
		return unpacked(c.packed, c.codeBits, c.table)
	}
	return c.class, c.value
}

func unpacked[T uint16 | uint32](cells []T, codeBits int, table []float64) (class []uint32, value []float64) {
	class, value = make([]uint32, len(cells)), make([]float64, len(cells))
	for i, cell := range cells {
		class[i], value[i] = uint32(cell>>codeBits), table[cell&(1<<codeBits-1)]
	}
	return class, value
}

// startsOf replaces the number of cells of each column by the place of its first cell, and
// returns the number of all cells.
func startsOf(cells []uint32) (n uint64) {
	for column, count := range cells {
		cells[column] = uint32(n)
		n += uint64(count)
	}
	return n
}

// endsToStarts replaces the end of each column, to which filling has moved its place, by its
// start, which is the end of the column before.
func endsToStarts(place []uint32) {
	copy(place[1:], place)
	place[0] = 0
}

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
