package learn

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
		if err != nil {
			return nil, err
		}
		m.append(r)
	}
	return m, nil
}

// append appends a row. Whether it fits, the matrix is asked when something is made of it.
func (m *Matrix) append(r vectors.Row) {
	for i, index := range r.Index {
		if v := r.Value[i]; v != 0 {
			m.Index, m.Value = append(m.Index, index-1), append(m.Value, v)
		}
	}
	for _, l := range r.Labels {
		m.LabelOf = append(m.LabelOf, uint32(l))
	}
	m.endRow()
}

// collectClusters makes a matrix of the cluster vectors of a corpus, with a column for
// each class of the projection, and gives what the projection predicts for each row: the
// class with the largest weight.
func collectClusters(ctx context.Context, p *projection.Projection, c *corpus.Corpus) (*Matrix, *Predictions, error) {
	if p == nil {
		return nil, nil, usage.Errorf("a nil projection was given")
	}
	m, said := newMatrix(len(p.Classes), p.Classes), &Predictions{Classes: p.Classes}
	for v, err := range p.Corpus(ctx, c) {
		if err != nil {
			return nil, nil, err
		}
		m.append(v.Row)
		class := uint32(v.Predicted)
		said.Best, said.Sets = append(said.Best, class), append(said.Sets, []uint32{class})
		said.Evidence = append(said.Evidence, !v.Guessed)
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

// check returns an error that wraps [ErrBadRows] unless the columns and classes of each row ascend, and its values are
// finite and at least least, which is 0 for counts. Callers may make a matrix themselves.
func (m *Matrix) check(least float32) error {
	switch {
	case m == nil:
		return fmt.Errorf("%w: there is no matrix", ErrBadRows)
	case len(m.Value) != len(m.Index) || len(m.LabelStart) != len(m.Start):
		return fmt.Errorf("%w: %d values of %d elements, labels for %d rows of %d",
			ErrBadRows, len(m.Value), len(m.Index), len(m.LabelStart)-1, len(m.Start)-1)
	case !divides(m.Start, len(m.Index)) || !divides(m.LabelStart, len(m.LabelOf)):
		return fmt.Errorf("%w: rows do not have %d elements and %d labels, one row behind the other",
			ErrBadRows, len(m.Index), len(m.LabelOf))
	}
	for row := range m.Rows() {
		index, value := m.Row(row)
		if at := misplaced(index, m.Columns); at >= 0 {
			return fmt.Errorf("%w: row %d: column %d is not above the one before, or not one of %d",
				ErrBadRows, row, index[at], m.Columns)
		}
		for i, v := range value {
			switch x := float64(v); {
			case infinite(x):
				return fmt.Errorf("%w: row %d: column %d has the value %v", ErrBadRows, row, index[i], v)
			case v < least:
				return fmt.Errorf("%w: row %d, column %d: the value %v is negative; naive Bayes needs counts, as the weighting tf gives them",
					ErrBadRows, row, index[i], v)
			}
		}
		if at := misplaced(m.Labels(row), len(m.Classes)); at >= 0 {
			return fmt.Errorf("%w: row %d: class %d is not above the one before, or not one of %d",
				ErrBadRows, row, m.Labels(row)[at], len(m.Classes))
		}
	}
	return nil
}

// divides reports whether start divides n elements into consecutive pieces.
func divides(start []int, n int) bool {
	return len(start) > 0 && start[0] == 0 && start[len(start)-1] == n && slices.IsSorted(start)
}

// checkTraining is check, and an error where there is nothing to learn from.
func (m *Matrix) checkTraining(least float32) error {
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

// misplaced returns the place of the first number that is not above the one before, or not below limit; -1 if there
// is none.
func misplaced(numbers []uint32, limit int) int {
	for i, n := range numbers {
		if uint64(n) >= uint64(limit) || i > 0 && n <= numbers[i-1] {
			return i
		}
	}
	return -1
}

// ascend reports whether numbers ascend without repeats and are all below limit.
func ascend(numbers []uint32, limit int) bool { return misplaced(numbers, limit) < 0 }

// infinite reports whether a value is NaN or infinite.
func infinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
