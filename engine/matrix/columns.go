package matrix

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/cells/gather"
	"github.com/termsift/termsift/engine/matrix/labels"
	"github.com/termsift/termsift/engine/matrix/ranges"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file counts matrices of counts by columns: the documents of a term, one column after
// the other, into one number for each class.

// rangeCost is the size of a range of columns that one call of a worker counts, in
// elements. A column costs columnCost beside them.
const (
	rangeCost  = 1 << 16
	columnCost = 16
)

// A columnCounter is the state of one worker.
type columnCounter struct {
	*gather.Column
	none    uint32   // the class behind the last
	codes   []uint32 // by document: its class or none; nil if some document has several
	docs    *labels.Documents
	repeats ranges.Repeats
	values  []uint32 // scratch memory
}

// countColumns returns an assembly of the cells of the statistics, which have their margins.
func (t *task) countColumns(ctx context.Context) (*gather.Assembly, *table.Table, error) {
	parts := pool.Split(t.terms, rangeCost, 1, func(i int) int64 { return t.columnCost(i) })
	columns, codes, k := gather.NewColumns(parts, t.terms), t.docs.Codes(), len(t.docs.Classes)
	workers := make([]*columnCounter, pool.Threads(t.options.Threads))
	counters := make([]*gather.Column, len(workers))
	err := pool.Run(ctx, t.options.Threads, len(parts), func(worker, i int) error {
		if workers[worker] == nil {
			counters[worker] = gather.NewColumn(k, t.docs.Several)
			workers[worker] = &columnCounter{Column: counters[worker], none: uint32(k), codes: codes, docs: t.docs}
		}
		return t.countRange(workers[worker], columns, i, parts[i])
	})
	if err != nil {
		return nil, nil, err
	}
	s := t.margins()
	a, exact := columns.Assembly(counters, t.stored(), &s.Cells)
	if !exact {
		return nil, nil, errNoCounts
	}
	return a, s, nil
}

// columnCost returns what it costs to count a column.
func (t *task) columnCost(column int) int64 {
	from, to := t.bounds(column)
	return int64(to-from) + columnCost
}

// countRange counts range i of the columns.
func (t *task) countRange(c *columnCounter, to *gather.Columns, i int, r pool.Range) error {
	for column := r.From; column < r.To; column++ {
		ok, ascending := t.countColumn(c, column)
		if !ok {
			return errNoCounts
		}
		if !ascending && t.repeated(&c.repeats, column, t.documents) {
			if err := t.checkRepeats(column); err != nil {
				return err
			}
		}
		from, end := t.bounds(column)
		to.End(c.Column, i, column, end-from, func() { t.meetClasses(c, column) })
	}
	return nil
}

// countColumn counts the elements of a column.
func (t *task) countColumn(c *columnCounter, column int) (ok, ascending bool) {
	var values []uint32
	if t.valued {
		from, to := t.bounds(column)
		c.values = slices.Grow(c.values[:0], to-from)[:to-from]
		if values = c.values; !t.counts(values, span{from, to}) {
			return false, false
		}
	}
	if c.codes == nil {
		return t.addLabels(c, column, values)
	}
	return t.addColumn(c, column, values)
}
