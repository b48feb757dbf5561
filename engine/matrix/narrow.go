package matrix

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// narrowFrom is the number of columns for each element from which on columns are renumbered.
const narrowFrom = 16

// A task is one call of [Matrix.Statistics] or [Matrix.Score].
type task struct {
	lines
	elements
	labels    *Labels
	options   *Options
	documents int
	terms     int
	byColumn  bool

	starts, indices, values int // lengths of the slices
	valued                  bool

	docs    *documents
	columns []uint32 // of the caller's matrix, by column; nil if they are the same
}

// newTask returns a task that knows the elements.
func newTask(l lines, e elements) *task {
	t := &task{lines: l, elements: e}
	t.starts, t.indices = l.lengths()
	t.values, t.valued = e.length()
	return t
}

// statistics is [Matrix.Statistics].
func (t *task) statistics(ctx context.Context, y *Labels, o *Options) (s *table.Table, err error) {
	if err := t.begin(y, o); err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "count", func(ctx context.Context) error {
		if t.docs, err = t.labels.number(t.documents, t.options.Classes); err != nil {
			return err
		}
		if err = t.narrow(); err != nil {
			return err
		}
		s, err = t.count(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// isWide reports whether a matrix has far more columns than elements.
func (t *task) isWide() bool { return !t.byColumn && t.terms/narrowFrom > t.indices+t.starts }

// narrow replaces a matrix that has far more columns than elements by one with the columns
// that have elements alone, so that memory is bounded by the lengths of its slices.
func (t *task) narrow() error {
	if !t.isWide() {
		return nil
	}
	var columns []uint64
	for line := range t.lineCount() {
		if _, _, err := t.checkLine(line); err != nil {
			return err
		}
		for i, to := t.bounds(line); i < to; i++ {
			columns = append(columns, uint64(t.number(i)))
		}
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	t.columns = make([]uint32, len(columns))
	for i, column := range columns {
		t.columns[i] = uint32(column)
	}
	t.renumber(columns)
	t.terms = len(columns)
	return nil
}

// column returns the column of the caller's matrix.
func (t *task) column(at uint32) uint32 {
	if t.columns != nil {
		return t.columns[at]
	}
	return at
}
