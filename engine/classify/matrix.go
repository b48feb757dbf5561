package classify

import (
	"fmt"
	"iter"

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

// Collect reads rows, of which it keeps nothing but numbers.
func Collect(rows iter.Seq2[vectors.Row, error], columns int, classes []string) (*Matrix, error) {
	if rows == nil {
		return nil, usage.Errorf("a nil sequence of rows was given")
	}
	m := &Matrix{Columns: columns, Classes: classes, Start: []int{0}, LabelStart: []int{0}}
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := m.append(r); err != nil {
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
	m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
	return nil
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

// appendVector appends the elements of a cluster vector as a row.
func (m *Matrix) appendVector(v projection.Vector) {
	for i, value := range v.Value {
		if value != 0 {
			m.Index, m.Value = append(m.Index, v.Index[i]-1), append(m.Value, value)
		}
	}
	m.Start = append(m.Start, len(m.Index))
}
