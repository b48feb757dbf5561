package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// cells has a number for each column and class that occur together in the training rows,
// and for no other: with 100,000 classes it takes as much memory as the rows. A dense table
// would not pay with few classes either: 20 Newsgroups has 298,000 cells of 2.6 million
// pairs, whose logarithms alone would take ten times as long as training does.
type cells struct {
	start []uint32 // columns+1: the first cell of each column, whose classes ascend
	class []uint32
	value []float64
}

// add adds a multiple of the cells of a column to the scores of their classes.
func (x *cells) add(scores []float64, column uint32, by float64) {
	from, to := x.start[column], x.start[column+1]
	value := x.value[from:to]
	for i, class := range x.class[from:to] {
		scores[class] += float64(by * value[i])
	}
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

// code codes the number of cells of each column, their classes, and their values.
func (x *cells) code(c *coder, h *header) {
	var sizes []uint32
	if !c.reads {
		sizes = make([]uint32, len(x.start)-1)
		for t := range sizes {
			sizes[t] = x.start[t+1] - x.start[t]
		}
	}
	c.uint32s(&sizes)
	c.uint32s(&x.class)
	c.floats(&x.value)
	switch {
	case !c.hasRead():
		return
	case len(sizes) != h.columns || len(x.class) != len(x.value) || slices.ContainsFunc(x.value, infinite):
		c.fail("cells of %d columns of %d, %d classes of %d values", len(sizes), h.columns, len(x.class), len(x.value))
		return
	case uint64(len(x.class)) > math.MaxUint32:
		c.fail("%d cells are too many", len(x.class))
		return
	}
	x.start = make([]uint32, len(sizes)+1)
	for t, n := range sizes {
		from := x.start[t]
		if uint64(n) > uint64(len(x.class))-uint64(from) || !ascend(x.class[from:from+n], len(h.classes)) {
			c.fail("the classes of column %d are not in order", t)
			return
		}
		x.start[t+1] = from + n
	}
	if rest := len(x.class) - int(x.start[len(sizes)]); rest > 0 {
		c.fail("%d classes of no column", rest)
	}
}

// A summing defines what [cells.learn] makes of rows.
type summing struct {
	// add adds a row to the sums of its class and appends the columns that are new, see
	// [addValues].
	add func(sums []float64, touched []uint32, row int) []uint32
	// finish replaces the sums of a class by the values of its cells. Columns are in the
	// order in which the rows of the class first have them.
	finish func(class int, columns []uint32, sums []float64)
}

// learn makes the cells of the sums of each class. A row with several labels counts in
// each of them.
func (x *cells) learn(ctx context.Context, m *Matrix, threads int, s summing) error {
	byClass := group(len(m.Classes), m.Rows(), m.Labels)
	chunks := m.chunks(byClass)
	found := make([]foundCells, len(chunks))
	workers := make([]summer, pool.Threads(threads))
	err := pool.Run(ctx, threads, len(chunks), func(worker, chunk int) error {
		w := &workers[worker]
		if w.sums == nil {
			w.sums = make([]float64, m.Columns)
		}
		w.sum(&found[chunk], byClass, chunks[chunk], s)
		return nil
	})
	if err != nil {
		return err
	}
	return x.transpose(ctx, found, m.Columns)
}

// chunks divides the classes into ranges of about equal cost.
func (m *Matrix) chunks(byClass grouping) []pool.Range {
	costs, total := make([]int64, len(m.Classes)), int64(0)
	for class := range costs {
		for _, row := range byClass.of(class) {
			costs[class] += int64(m.Start[row+1] - m.Start[row])
		}
		total += costs[class]
	}
	return pool.Split(len(costs), max(total/chunksOfCells, 1), 1, func(class int) int64 { return costs[class] + 1 })
}

// chunksOfCells is the number of ranges of classes that chunks aims at.
const chunksOfCells = 32

// foundCells are the cells of consecutive classes, class by class.
type foundCells struct {
	first   int   // class
	ends    []int // of each class, in columns
	columns []uint32
	values  []float64
}

// A summer is the memory of a worker: the sums of a class by column, and the columns whose
// sums are not 0.
type summer struct {
	sums    []float64
	touched []uint32
}

func (w *summer) sum(f *foundCells, byClass grouping, classes pool.Range, s summing) {
	f.first = classes.From
	for class := classes.From; class < classes.To; class++ {
		w.touched = w.touched[:0]
		for _, row := range byClass.of(class) {
			w.touched = s.add(w.sums, w.touched, int(row))
		}
		from := len(f.columns)
		f.columns = slices.Grow(f.columns, len(w.touched))
		f.values = slices.Grow(f.values, len(w.touched))
		for _, column := range w.touched {
			// A column whose sum came back to 0 on the way is here twice.
			if v := w.sums[column]; v != 0 {
				f.columns, f.values = append(f.columns, column), append(f.values, v)
				w.sums[column] = 0
			}
		}
		f.ends = append(f.ends, len(f.columns))
		s.finish(class, f.columns[from:], f.values[from:])
	}
}

// addValues adds a row times a scale to the sums and appends the columns whose sums
// were 0 before to touched.
func addValues(sums []float64, touched, index []uint32, value []float32, scale float64) []uint32 {
	n := len(touched)
	touched = slices.Grow(touched, len(index))[:n+len(index)]
	value = value[:len(index)]
	for i, column := range index {
		sum := sums[column]
		touched[n] = column // kept only if it is new: a branch would be mispredicted
		if sum == 0 {
			n++
		}
		sums[column] = sum + float64(float64(value[i])*scale)
	}
	return touched[:n]
}

// addOnes is addValues where every value is 1.
func addOnes(sums []float64, touched, index []uint32) []uint32 {
	n := len(touched)
	touched = slices.Grow(touched, len(index))[:n+len(index)]
	for _, column := range index {
		sum := sums[column]
		touched[n] = column
		if sum == 0 {
			n++
		}
		sums[column] = sum + 1
	}
	return touched[:n]
}

// transpose sets the cells to those found, in the order of their columns.
func (x *cells) transpose(ctx context.Context, found []foundCells, columns int) error {
	*x = cells{start: make([]uint32, columns+1)}
	for i := range found {
		for _, column := range found[i].columns {
			x.start[column]++
		}
	}
	n := startsOf(x.start)
	if n > math.MaxUint32 {
		return fmt.Errorf("%w: %d pairs of a column and a class are too many", ErrBadRows, n)
	}
	x.class, x.value = make([]uint32, n), make([]float64, n)
	for i := range found {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		found[i].place(x)
	}
	endsToStarts(x.start)
	return nil
}

func (f *foundCells) place(x *cells) {
	from := 0
	for i, end := range f.ends {
		class := uint32(f.first + i)
		for j, column := range f.columns[from:end] {
			at := x.start[column]
			x.class[at], x.value[at] = class, f.values[from+j]
			x.start[column] = at + 1
		}
		from = end
	}
}
