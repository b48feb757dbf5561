package classify

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A Matrix is documents as sparse rows over the columns of a selection. It must not
// be modified once a learner has it.
type Matrix struct {
	// Columns is the number of columns; they are numbered from 0, the rank in the
	// selection less 1.
	Columns int
	// Classes are the names of the classes in the order of their bytes.
	Classes []string
	// Start has the place of the first element of each row in Index and Value, and
	// the end of the last. The columns of a row ascend and its values are not 0.
	Start []int
	Index []uint32
	Value []float32
	// Labels are the classes of row i, LabelOf[LabelStart[i]:LabelStart[i+1]],
	// ascending; a row may have none or several.
	LabelStart []int
	LabelOf    []uint32
}

// ErrBadRows is returned for rows that do not fit their matrix.
var ErrBadRows = usage.NewError(usage.ErrData, "bad rows")

// newMatrix makes a matrix without rows.
func newMatrix(columns int, classes []string) *Matrix {
	return &Matrix{Columns: columns, Classes: classes, Start: []int{0}, LabelStart: []int{0}}
}

// endRow makes a row of what was appended since the last one.
func (m *Matrix) endRow() {
	m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
}

// Collect reads rows, of which it keeps nothing but numbers.
func Collect(rows iter.Seq2[vectors.Row, error], columns int, classes []string) (*Matrix, error) {
	if rows == nil {
		return nil, usage.Errorf("a nil sequence of rows was given")
	}
	m := newMatrix(columns, classes)
	for r, err := range rows {
		if err == nil {
			err = m.append(r)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Matrix) append(r vectors.Row) error {
	last := uint32(0)
	for i, index := range r.Index {
		if index <= last || int(index) > m.Columns {
			return fmt.Errorf("%w: document %q: index %d is not between %d and %d", ErrBadRows, r.ID, index, last+1, m.Columns)
		}
		last = index
		if v := r.Value[i]; v != 0 {
			m.Index, m.Value = append(m.Index, index-1), append(m.Value, v)
		}
	}
	for _, l := range r.Labels {
		if l < 0 || l >= len(m.Classes) {
			return fmt.Errorf("%w: document %q: class %d of %d", ErrBadRows, r.ID, l, len(m.Classes))
		}
		m.LabelOf = append(m.LabelOf, uint32(l))
	}
	m.endRow()
	return nil
}

// CollectClusters makes a matrix of the cluster vectors of a corpus, with a column for
// each class of the projection, and gives what the projection predicts for each row: the
// class with the largest weight.
func CollectClusters(ctx context.Context, p *projection.Projection, c *corpus.Corpus) (*Matrix, *Predictions, error) {
	if p == nil {
		return nil, nil, usage.Errorf("a nil projection was given")
	}
	m, said := newMatrix(len(p.Classes), p.Classes), &Predictions{Classes: p.Classes, SetStart: []int{0}}
	for v, err := range p.Corpus(ctx, c) {
		if err == nil {
			err = m.append(v.Row)
		}
		if err != nil {
			return nil, nil, err
		}
		said.Best = append(said.Best, uint32(v.Predicted))
		said.Evidence = append(said.Evidence, !v.Guessed)
		said.SetOf = append(said.SetOf, uint32(v.Predicted))
		said.SetStart = append(said.SetStart, len(said.SetOf))
	}
	return m, said, nil
}

// Rows is the number of rows.
func (m *Matrix) Rows() int { return len(m.Start) - 1 }

// Row gives the columns and values of a row. The slices must not be modified.
func (m *Matrix) Row(i int) (index []uint32, value []float32) {
	from, to := m.Start[i], m.Start[i+1]
	return m.Index[from:to:to], m.Value[from:to:to]
}

// Labels gives the classes of a row, ascending. The slice must not be modified.
func (m *Matrix) Labels(i int) []uint32 { return m.LabelOf[m.LabelStart[i]:m.LabelStart[i+1]] }

// A grouping lists rows by a number that they have, such as a class, ascending.
type grouping struct {
	start []int
	row   []uint32
}

func (g grouping) of(number int) []uint32 { return g.row[g.start[number]:g.start[number+1]] }

// group groups rows by numbers below limit, of which a row may have several.
func group(limit, rows int, numbers func(row int) []uint32) grouping {
	g := grouping{start: make([]int, limit+1)}
	for row := range rows {
		for _, n := range numbers(row) {
			g.start[n+1]++
		}
	}
	for n := range limit {
		g.start[n+1] += g.start[n]
	}
	g.row = make([]uint32, g.start[limit])
	next := slices.Clone(g.start)
	for row := range rows {
		for _, n := range numbers(row) {
			g.row[next[n]] = uint32(row)
			next[n]++
		}
	}
	return g
}

// sizes returns the number of rows of every class.
func (m *Matrix) sizes() []float64 {
	sizes := make([]float64, len(m.Classes))
	for _, class := range m.LabelOf {
		sizes[class]++
	}
	return sizes
}

// frequencies returns the number of rows of each column.
func (m *Matrix) frequencies() []uint32 {
	df := make([]uint32, m.Columns)
	for _, column := range m.Index {
		df[column]++
	}
	return df
}

// rows gives a matrix of some of the rows.
func (m *Matrix) rows(list []int) *Matrix {
	part := newMatrix(m.Columns, m.Classes)
	for _, row := range list {
		index, value := m.Row(row)
		part.Index, part.Value = append(part.Index, index...), append(part.Value, value...)
		part.LabelOf = append(part.LabelOf, m.Labels(row)...)
		part.endRow()
	}
	return part
}

// anyValue is below all values.
const anyValue = -math.MaxFloat32

// check returns an error that wraps [ErrBadRows] unless the matrix is as [Collect] makes it, without values below
// least. Callers may make a matrix themselves.
func (m *Matrix) check(least float32) error {
	if err := m.checkFrame(); err != nil {
		return err
	}
	for row := range m.Rows() {
		if err := m.checkElements(row, least); err != nil {
			return err
		}
		if err := m.checkLabels(row); err != nil {
			return err
		}
	}
	return nil
}

// checkFrame checks the lengths and bounds of the rows, without looking at their elements.
func (m *Matrix) checkFrame() error {
	if m == nil {
		return fmt.Errorf("%w: there is no matrix", ErrBadRows)
	}
	if err := ascends("rows", m.Start, len(m.Index)); err != nil {
		return err
	}
	if len(m.Value) != len(m.Index) {
		return fmt.Errorf("%w: %d values of %d elements", ErrBadRows, len(m.Value), len(m.Index))
	}
	if len(m.LabelStart) != len(m.Start) {
		return fmt.Errorf("%w: %d rows have labels for %d", ErrBadRows, len(m.Start)-1, len(m.LabelStart)-1)
	}
	return ascends("labels", m.LabelStart, len(m.LabelOf))
}

// ascends returns an error unless start divides n elements into consecutive pieces.
func ascends(what string, start []int, n int) error {
	if len(start) == 0 || start[0] != 0 || start[len(start)-1] != n {
		return fmt.Errorf("%w: the %s do not cover their %d elements", ErrBadRows, what, n)
	}
	for i := range len(start) - 1 {
		if start[i] > start[i+1] || start[i+1] > n {
			return fmt.Errorf("%w: the %s are not in order at %d", ErrBadRows, what, i)
		}
	}
	return nil
}

// checkElements returns an error unless the columns of a row ascend and its values are
// finite and at least least, which is 0 for counts.
func (m *Matrix) checkElements(row int, least float32) error {
	index, value := m.Row(row)
	value = value[:len(index)]
	next := uint64(0)
	for i, column := range index {
		if uint64(column) < next || uint64(column) >= uint64(m.Columns) {
			return fmt.Errorf("%w: row %d: column %d is not between %d and %d", ErrBadRows, row, column, next, m.Columns-1)
		}
		next = uint64(column) + 1
		if v := value[i]; !(v >= least && v <= math.MaxFloat32) { // so written, NaN is refused
			return valueError(row, column, v)
		}
	}
	return nil
}

func valueError(row int, column uint32, v float32) error {
	if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("%w: row %d: column %d has the value %v", ErrBadRows, row, column, v)
	}
	return fmt.Errorf("%w: row %d, column %d: the value %v is negative; naive Bayes needs counts, as the weighting tf gives them",
		ErrBadRows, row, column, v)
}

// checkLabels returns an error unless the classes of a row ascend.
func (m *Matrix) checkLabels(row int) error {
	next := uint64(0)
	for _, class := range m.Labels(row) {
		if uint64(class) < next || uint64(class) >= uint64(len(m.Classes)) {
			return fmt.Errorf("%w: row %d: class %d is not between %d and %d", ErrBadRows, row, class, next, len(m.Classes)-1)
		}
		next = uint64(class) + 1
	}
	return nil
}

// checkTraining is check, and an error where there is nothing to learn from.
func (m *Matrix) checkTraining() error { return m.checkTrainingFrom(anyValue) }

// checkCounts is checkTraining, and an error for negative values.
func (m *Matrix) checkCounts() error { return m.checkTrainingFrom(0) }

func (m *Matrix) checkTrainingFrom(least float32) error {
	if err := m.check(least); err != nil {
		return err
	}
	if m.Rows() == 0 || m.Columns == 0 {
		return fmt.Errorf("%w: %d rows of %d columns", ingest.ErrEmpty, m.Rows(), m.Columns)
	}
	if len(m.LabelOf) == 0 {
		return fmt.Errorf("%w: a classifier learns from rows with classes", ingest.ErrNoLabels)
	}
	return nil
}

// ascend reports whether numbers ascend without repeats and are all below classes.
func ascend(class []uint32, classes int) bool {
	for i, c := range class {
		if int(c) >= classes || i > 0 && c <= class[i-1] {
			return false
		}
	}
	return true
}

// infinite reports whether a value is NaN or infinite.
func infinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
