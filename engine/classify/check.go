package classify

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine"
)

// Check says whether the rows fit their matrix, as [Collect] leaves them: learners
// and [Predict] call it, for a matrix may be made by hand. Errors wrap [ErrBadRows].
func (m *Matrix) Check() error { return m.check(-math.MaxFloat32) }

// check is Check for rows without values below a least.
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

// checkFrame says whether there are rows to look at.
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

// ascends says whether places cut n things into pieces.
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

// checkElements says whether the columns of a row ascend and its values are numbers
// from a least on, which is 0 for counts.
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

// checkLabels says whether the classes of a row ascend.
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

// checkTraining says whether there is something to learn from.
func (m *Matrix) checkTraining() error { return m.checkTrainingFrom(-math.MaxFloat32) }

// checkCounts is checkTraining for learners that want counts: no value is negative.
func (m *Matrix) checkCounts() error { return m.checkTrainingFrom(0) }

func (m *Matrix) checkTrainingFrom(least float32) error {
	if err := m.check(least); err != nil {
		return err
	}
	if m.Rows() == 0 || m.Columns == 0 {
		return fmt.Errorf("%w: %d rows of %d columns", engine.ErrEmpty, m.Rows(), m.Columns)
	}
	if len(m.LabelOf) == 0 {
		return fmt.Errorf("%w: a classifier learns from rows with classes", engine.ErrNoLabels)
	}
	return nil
}

// sizes counts the rows of every class.
func (m *Matrix) sizes() []float64 {
	sizes := make([]float64, len(m.Classes))
	for _, class := range m.LabelOf {
		sizes[class]++
	}
	return sizes
}

// largest gives the place of the first of the largest numbers.
func largest(sizes []float64) int {
	best := 0
	for c, n := range sizes {
		if n > sizes[best] {
			best = c
		}
	}
	return best
}
