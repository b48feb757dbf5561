package learn

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// classCells are the cells of one class, in the order in which its rows first have the columns.
type classCells struct {
	columns []uint32
	values  []float64
}

// learn makes the cells of the sums of each class, of its rows times their scales. A row with several
// labels counts in each of them. finish replaces the sums of a class by the values of its cells.
func (x *cells) learn(
	ctx context.Context, m *Matrix, scale func(row int) float64, finish func(class int, c *classCells),
) error {
	rows, found := make([][]int, len(m.Classes)), make([]classCells, len(m.Classes))
	for row := range m.Rows() {
		for _, class := range m.Labels(row) {
			rows[class] = append(rows[class], row)
		}
	}
	sums, touched := make([]float64, m.Columns), []uint32{}
	for class := range found {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		touched = touched[:0]
		for _, row := range rows[class] {
			index, value := m.Row(row)
			by := scale(row)
			for i, column := range index {
				sum := sums[column]
				if sum == 0 {
					touched = append(touched, column)
				}
				sums[column] = sum + float64(float64(value[i])*by)
			}
		}
		c := &found[class]
		for _, column := range touched {
			// A column whose sum came back to 0 on the way is here twice.
			if v := sums[column]; v != 0 {
				c.columns, c.values = append(c.columns, column), append(c.values, v)
				sums[column] = 0
			}
		}
		finish(class, c)
	}
	return x.transpose(ctx, found, m.Columns)
}

// transpose sets the cells to those of the classes, in the order of their columns.
func (x *cells) transpose(ctx context.Context, found []classCells, columns int) error {
	*x = cells{start: make([]uint32, columns+1)}
	total := 0
	for _, c := range found {
		total += len(c.columns)
		for _, column := range c.columns {
			x.start[column]++
		}
	}
	if uint64(total) > math.MaxUint32 {
		return fmt.Errorf("%w: %d pairs of a column and a class are too many", ErrBadRows, total)
	}
	next := uint32(0) // the place of the first cell of a column
	for column, n := range x.start {
		x.start[column] = next
		next += n
	}
	x.class, x.value = make([]uint32, total), make([]float64, total)
	for class, c := range found {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		for i, column := range c.columns {
			at := x.start[column]
			x.class[at], x.value[at] = uint32(class), c.values[i]
			x.start[column] = at + 1
		}
	}
	copy(x.start[1:], x.start) // each had become its end
	x.start[0] = 0
	return nil
}

// centroid scores a class by the cosine of the row and the mean of the class's
// training rows, each scaled to unit length (Han and Karypis 2000); a row with
// several labels counts in each. A class without training rows has the score -Inf,
// one whose rows are all 0 has 0. There is no evidence where every cosine is 0.
type centroid struct {
	header
	empty []uint32 // classes without training rows
	cells cells    // the centroids, scaled to unit length
}

// trainCentroid learns from rows of any weighting.
func trainCentroid(ctx context.Context, m *Matrix) (*centroid, error) {
	if err := m.checkTraining(anyValue); err != nil {
		return nil, err
	}
	x := &centroid{header: headerOf(kindCentroid, m, false)}
	for c, n := range m.sizes() {
		if n == 0 {
			x.empty = append(x.empty, uint32(c))
		}
	}
	scale := func(row int) float64 {
		_, value := m.Row(row)
		return inverse(length(value))
	}
	return x, x.cells.learn(ctx, m, scale, func(_ int, c *classCells) {
		sum := 0.0
		for _, v := range c.values {
			sum += float64(v * v)
		}
		toUnit := inverse(math.Sqrt(sum))
		for i := range c.values {
			c.values[i] *= toUnit
		}
	})
}

func (x *centroid) newScorer() scorer { return x.score }

func (x *centroid) score(index []uint32, value []float32, scores []float64) (evidence bool) {
	clear(scores)
	scale := inverse(length(value))
	for i, column := range index {
		x.cells.add(scores, column, float64(float64(value[i])*scale))
	}
	for _, v := range scores {
		evidence = evidence || v != 0
	}
	for _, c := range x.empty {
		scores[c] = math.Inf(-1)
	}
	return evidence
}

// code codes the classes without training rows and the centroids.
func (x *centroid) code(c *coder) {
	c.uint32s(&x.empty)
	if c.reads && len(x.empty) == 0 {
		x.empty = nil
	}
	if !ascend(x.empty, len(x.classes)) {
		c.fail("classes without rows that are not in order")
	}
	x.cells.code(c, &x.header)
}

// length returns the Euclidean length of a row.
func length(value []float32) float64 {
	sum := 0.0
	for _, v := range value {
		sum += float64(float64(v) * float64(v))
	}
	return math.Sqrt(sum)
}

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}
