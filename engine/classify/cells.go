package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// cells hold a number for each column and class that occur together in the training
// rows, and for no other: with 100,000 classes they take as much memory as the rows.
// Few classes need no dense table either: 20 Newsgroups has 298,000 cells where all
// terms times all classes were 2.6 million, and their logarithms alone would take
// ten times as long as training does.
type cells struct {
	start []uint32 // columns+1: the first cell of each column, whose classes ascend

	// Cells of any values, unless one of the lists below is there:
	class []uint32
	value []float64

	// Cells of few values, a sixth or a third as large: class<<codeBits + place in the
	// table.
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

// all gives the classes and values of all cells, column by column.
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

// startsOf turns the numbers of cells of each column into the places where the columns
// start, and says how many cells there are.
func startsOf(cells []uint32) (n uint64) {
	for column, count := range cells {
		cells[column] = uint32(n)
		n += uint64(count)
	}
	return n
}

// endsToStarts is for places that were moved on to the end of their column, which is the
// start of the next.
func endsToStarts(place []uint32) {
	copy(place[1:], place)
	place[0] = 0
}

// A summing says what cells are made of.
type summing struct {
	// add adds a row to the sums of its class, see [addValues].
	add func(sums []float64, touched []uint32, row int) []uint32
	// finish turns the sums of a class into the values of its cells, columns in the
	// order in which its rows first have them.
	finish func(class int, columns []uint32, sums []float64)
}

// newCells sums up the rows of each class, a row with several labels in each.
func newCells(ctx context.Context, m *Matrix, threads int, s summing) (*cells, error) {
	byClass := m.byClass()
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
		return nil, err
	}
	return transposed(ctx, found, m.Columns)
}

// chunks cuts the classes into parts of about equal cost.
func (m *Matrix) chunks(byClass grouping) []pool.Range {
	costs, total := make([]int64, len(m.Classes)), int64(0)
	for class := range costs {
		for _, row := range byClass.rows(class) {
			costs[class] += int64(m.Start[row+1] - m.Start[row])
		}
		total += costs[class]
	}
	return pool.Split(len(costs), max(total/chunksOfCells, 1), 1, func(class int) int64 { return costs[class] + 1 })
}

// chunksOfCells is in how many parts of about equal cost the classes are cut.
const chunksOfCells = 32

// foundCells are the cells of consecutive classes, class by class.
type foundCells struct {
	first   int   // class
	ends    []int // of each class, in columns
	columns []uint32
	values  []float64
}

// A summer is what a worker has: the sums of a class by column, and the columns that
// have one.
type summer struct {
	sums    []float64
	touched []uint32
}

func (w *summer) sum(f *foundCells, byClass grouping, classes pool.Range, s summing) {
	f.first = classes.From
	for class := classes.From; class < classes.To; class++ {
		w.touched = w.touched[:0]
		for _, row := range byClass.rows(class) {
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

// transposed puts the cells in the order of their columns.
func transposed(ctx context.Context, found []foundCells, columns int) (*cells, error) {
	x := &cells{start: make([]uint32, columns+1)}
	for i := range found {
		for _, column := range found[i].columns {
			x.start[column]++
		}
	}
	n := startsOf(x.start)
	if n > math.MaxUint32 {
		return nil, fmt.Errorf("%w: %d pairs of a column and a class are too many", ErrBadRows, n)
	}
	x.class, x.value = make([]uint32, n), make([]float64, n)
	for i := range found {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found[i].place(x)
	}
	endsToStarts(x.start)
	return x, nil
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

// A grouping lists the rows of each class, ascending.
type grouping struct {
	start []int
	row   []uint32
}

func (g grouping) rows(class int) []uint32 { return g.row[g.start[class]:g.start[class+1]] }

func (m *Matrix) byClass() grouping {
	g := grouping{make([]int, len(m.Classes)+1), make([]uint32, m.LabelStart[m.Rows()]-m.LabelStart[0])}
	for row := range m.Rows() {
		for _, class := range m.Labels(row) {
			g.start[class+1]++
		}
	}
	for class := range m.Classes {
		g.start[class+1] += g.start[class]
	}
	next := slices.Clone(g.start)
	for row := range m.Rows() {
		for _, class := range m.Labels(row) {
			g.row[next[class]] = uint32(row)
			next[class]++
		}
	}
	return g
}
