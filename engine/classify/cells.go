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

// add adds a multiple of the cells of a column to the scores of their classes.
func (x *cells) add(scores []float64, column uint32, by float64) {
	from, to := x.start[column], x.start[column+1]
	switch {
	case x.small != nil:
		addPacked(scores, x.small[from:to], x.codeBits, x.table, by)
	case x.packed != nil:
		addPacked(scores, x.packed[from:to], x.codeBits, x.table, by)
	default:
		value := x.value[from:to]
		for i, class := range x.class[from:to] {
			scores[class] += float64(by * value[i])
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
func (x *cells) all() (class []uint32, value []float64) {
	switch {
	case x.small != nil:
		return unpacked(x.small, x.codeBits, x.table)
	case x.packed != nil:
		return unpacked(x.packed, x.codeBits, x.table)
	}
	return x.class, x.value
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

// size returns the number of cells of a column.
func (x *cells) size(column uint32) uint32 { return x.start[column+1] - x.start[column] }

// code codes the number of cells of each column, their classes, and their values.
func (x *cells) code(c *coder, h *header) {
	var sizes, class []uint32
	var value []float64
	if !c.reads {
		sizes = make([]uint32, len(x.start)-1)
		for t := range sizes {
			sizes[t] = x.size(uint32(t))
		}
		class, value = x.all()
	}
	c.uint32s(&sizes)
	c.uint32s(&class)
	c.floats(&value)
	switch {
	case !c.hasRead():
		return
	case len(sizes) != h.columns || len(class) != len(value) || slices.ContainsFunc(value, infinite):
		c.fail("cells of %d columns of %d, %d classes of %d values", len(sizes), h.columns, len(class), len(value))
		return
	case uint64(len(class)) > math.MaxUint32:
		c.fail("%d cells are too many", len(class))
		return
	}
	*x = cells{start: make([]uint32, len(sizes)+1), class: class, value: value}
	for t, n := range sizes {
		from := x.start[t]
		if uint64(n) > uint64(len(class))-uint64(from) || !ascend(class[from:from+n], len(h.classes)) {
			c.fail("the classes of column %d are not in order", t)
			return
		}
		x.start[t+1] = from + n
	}
	if rest := len(class) - int(x.start[len(sizes)]); rest > 0 {
		c.fail("%d classes of no column", rest)
	}
}
