package classify

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine"
)

// check refuses a matrix that learners could not read. It looks at every row but only
// at the last of its columns, which is the largest where they ascend as they must.
func (m *Matrix) check() error {
	if m == nil || len(m.Start) == 0 || len(m.LabelStart) != len(m.Start) {
		return fmt.Errorf("%w: a matrix needs Start and LabelStart of one more element than it has rows", ErrBadRows)
	}
	if len(m.Index) != len(m.Value) || m.Start[m.Rows()] > len(m.Index) || m.LabelStart[m.Rows()] > len(m.LabelOf) {
		return fmt.Errorf("%w: the rows end at %d and their labels at %d, but there are %d columns, %d values and %d labels",
			ErrBadRows, m.Start[m.Rows()], m.LabelStart[m.Rows()], len(m.Index), len(m.Value), len(m.LabelOf))
	}
	last, lastLabel := 0, 0
	for i := range m.Rows() {
		from, to := m.Start[i], m.Start[i+1]
		fromLabel, toLabel := m.LabelStart[i], m.LabelStart[i+1]
		if from < last || to < from || fromLabel < lastLabel || toLabel < fromLabel {
			return fmt.Errorf("%w: row %d ends before it begins", ErrBadRows, i)
		}
		last, lastLabel = to, toLabel
		if to > from && int(m.Index[to-1]) >= m.Columns {
			return fmt.Errorf("%w: row %d has column %d of %d", ErrBadRows, i, m.Index[to-1], m.Columns)
		}
		for _, c := range m.LabelOf[fromLabel:toLabel] {
			if int(c) >= len(m.Classes) {
				return fmt.Errorf("%w: row %d has class %d of %d", ErrBadRows, i, c, len(m.Classes))
			}
		}
	}
	return nil
}

// checkLabelled is check for learners of classes: some row must have one.
func (m *Matrix) checkLabelled() error {
	if err := m.check(); err != nil {
		return err
	}
	if m.LabelStart[0] == m.LabelStart[m.Rows()] {
		return fmt.Errorf("%w: %d rows; a classifier learns from labelled ones", engine.ErrNoLabels, m.Rows())
	}
	return nil
}

// checkValues refuses values that are no finite number, and negative ones where counts
// are wanted.
func (m *Matrix) checkValues(counts bool) error {
	// The bits of a float32 without its sign order as its size does, infinities and NaN
	// behind all numbers; with the sign, negative ones are behind these.
	largest, largestSize := uint32(0), uint32(0)
	for _, v := range m.Value[m.Start[0]:m.Start[m.Rows()]] {
		bits := math.Float32bits(v)
		largest, largestSize = max(largest, bits), max(largestSize, bits<<1)
	}
	if infinity := math.Float32bits(float32(math.Inf(1))); largestSize < infinity<<1 && (!counts || largest < infinity) {
		return nil
	}
	for i := range m.Rows() {
		index, value := m.Row(i)
		for j, v := range value {
			if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%w: row %d, column %d: the value %v is no finite number", ErrBadRows, i, index[j], v)
			}
			if counts && v < 0 {
				return fmt.Errorf("%w: row %d, column %d: the value %v is negative; naive Bayes needs counts, as the weighting tf gives them",
					ErrBadRows, i, index[j], v)
			}
		}
	}
	return nil
}

// sizes are the rows of each class.
func (m *Matrix) sizes() []float64 {
	n := make([]float64, len(m.Classes))
	for row := range m.Rows() {
		for _, c := range m.Labels(row) {
			n[c]++
		}
	}
	return n
}
