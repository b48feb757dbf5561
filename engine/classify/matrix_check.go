package classify

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/ingest"
)

// Check returns an error that wraps [ErrBadRows] unless the matrix is as [Collect] makes it.
// Learners and [Predict] call it, since callers may make a matrix themselves.
func (m *Matrix) Check() error { return m.check(-math.MaxFloat32) }

// check is Check, and an error for values below least.
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

// checkTraining is Check, and an error where there is nothing to learn from.
func (m *Matrix) checkTraining() error { return m.checkTrainingFrom(-math.MaxFloat32) }

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
