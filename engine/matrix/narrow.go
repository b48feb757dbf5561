package matrix

import "slices"

// narrowFrom is the number of columns for each element from which on columns are renumbered.
const narrowFrom = 16

// A task is one call of [Matrix.Statistics], with checked arguments.
type task[I Index, V Value] struct {
	*Matrix[I, V]
	docs    *documents
	options *Options
	columns []uint32 // of the caller's matrix, by column; nil if they are the same
}

// narrow replaces a matrix that has far more columns than elements by one with the columns
// that have elements alone, so that memory is bounded by the lengths of its slices.
func (t *task[I, V]) narrow() error {
	m := t.Matrix
	if m.ByColumn || m.Terms/narrowFrom <= len(m.Index)+len(m.Start) {
		return nil
	}
	for line := range m.lines() {
		if _, _, err := m.checkLine(line); err != nil {
			return err
		}
	}
	from, to := m.Start[0], m.Start[m.Documents]
	columns := slices.Compact(slices.Sorted(slices.Values(m.Index[from:to])))
	t.columns = make([]uint32, len(columns))
	for i, column := range columns {
		t.columns[i] = uint32(column)
	}
	index := make([]I, len(m.Index))
	for i := from; i < to; i++ {
		at, _ := slices.BinarySearch(columns, m.Index[i])
		index[i] = I(at)
	}
	narrowed := *m
	narrowed.Index, narrowed.Terms = index, len(columns)
	t.Matrix = &narrowed
	return nil
}

// column returns the column of the caller's matrix.
func (t *task[I, V]) column(at uint32) uint32 {
	if t.columns != nil {
		return t.columns[at]
	}
	return at
}
