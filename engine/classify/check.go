package classify

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine"
)

// Check says whether the rows fit their matrix, as [Collect] leaves them: learners
// and [Predict] call it, for a matrix may be made by hand. Errors wrap [ErrBadRows].
func (m *Matrix) Check() error {
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
	if err := ascends("labels", m.LabelStart, len(m.LabelOf)); err != nil {
		return err
	}
	for i := range m.Rows() {
		if err := m.checkRow(i); err != nil {
			return err
		}
	}
	return nil
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

func (m *Matrix) checkRow(i int) error {
	index, value := m.Row(i)
	next := uint64(0)
	for j, column := range index {
		if uint64(column) < next || uint64(column) >= uint64(m.Columns) {
			return fmt.Errorf("%w: row %d: column %d is not between %d and %d", ErrBadRows, i, column, next, m.Columns-1)
		}
		next = uint64(column) + 1
		if v := float64(value[j]); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: row %d: column %d has the value %v", ErrBadRows, i, column, v)
		}
	}
	next = 0
	for _, class := range m.Labels(i) {
		if uint64(class) < next || uint64(class) >= uint64(len(m.Classes)) {
			return fmt.Errorf("%w: row %d: class %d is not between %d and %d", ErrBadRows, i, class, next, len(m.Classes)-1)
		}
		next = uint64(class) + 1
	}
	return nil
}

// checkTraining says whether there is something to learn from.
func (m *Matrix) checkTraining() error {
	if err := m.Check(); err != nil {
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

// checkCounts is checkTraining for learners that want counts: no value is negative.
func (m *Matrix) checkCounts() error {
	if err := m.checkTraining(); err != nil {
		return err
	}
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, v := range value {
			if v < 0 {
				return fmt.Errorf("%w: row %d, column %d: the value %v is negative; naive Bayes needs counts, as the weighting tf gives them",
					ErrBadRows, i, index[j], v)
			}
		}
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
