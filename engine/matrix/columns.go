package matrix

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/matrix/labels"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/kernels"
)

// This file counts matrices of counts by columns: the documents of a term, one column after
// the other, into one number for each class.

// rangeCost is the size of a range of columns that one call of a worker counts, in
// elements. A column costs columnCost beside them.
const (
	rangeCost  = 1 << 16
	columnCost = 16
)

// A columnRange has the cells of a range of columns, those of a column together.
type columnRange struct {
	pool.Range
	list cellList // its places are classes
}

// A columnCounter is the state of one worker.
type columnCounter struct {
	counters
	none   uint32   // the class behind the last
	codes  []uint32 // by document: its class or none; nil if some document has several
	docs   *labels.Documents
	tokens []uint64 // by class
	values []uint32 // scratch memory
}

// countColumns returns an assembly whose totals and margins are set.
func (t *task) countColumns(ctx context.Context) (*assembly, error) {
	ranges := pool.Split(t.terms, rangeCost, 1, func(i int) int64 { return t.columnCost(i) })
	parts := make([]columnRange, len(ranges))
	a := &assembly{ranges: len(ranges), totals: make([]total, t.terms), out: t.margins()}
	codes := t.docs.Codes()
	workers := make([]*columnCounter, pool.Threads(t.options.Threads))
	err := pool.Run(ctx, t.options.Threads, len(parts), func(worker, i int) error {
		if workers[worker] == nil {
			k := len(t.docs.Classes)
			workers[worker] = &columnCounter{counters: *newCounters(k + 1), none: uint32(k), codes: codes, docs: t.docs, tokens: make([]uint64, k)}
		}
		parts[i].Range = ranges[i]
		return t.countRange(workers[worker], &parts[i], a.totals)
	})
	if err != nil {
		return nil, err
	}
	squares := 0.0
	for _, w := range workers {
		if w == nil {
			continue
		}
		squares += w.squares
		for class, n := range w.tokens {
			a.out.ClassTokens[class] += float64(n)
		}
	}
	if !t.exactSquares(squares) {
		return nil, errNoCounts
	}
	for i := range a.totals {
		a.out.Tokens += float64(a.totals[i].cf)
	}
	a.write = func(w *cellWriter, i int) { w.writeColumns(&parts[i]) }
	return a, nil
}

// columnCost returns what it costs to count a column.
func (t *task) columnCost(column int) int64 {
	from, to := t.bounds(column)
	return int64(to-from) + columnCost
}

// countRange counts a range of columns.
func (t *task) countRange(c *columnCounter, r *columnRange, totals []total) error {
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
		c.endColumn(r, t.metClasses(c, column), &totals[column])
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

// addValue adds a document with a value.
func (c *counters) addValue(at uint32, v uint64) {
	if v > mostSmall {
		c.addLarge(at, v)
		return
	}
	c.number[at] += small[uint8(v)]
	if c.number[at]&highestBits != 0 {
		c.spill(at)
	}
}

// metClasses returns the classes of the elements of a column that have counts, ascending.
func (t *task) metClasses(c *columnCounter, column int) []uint32 {
	if from, to := t.bounds(column); to-from >= len(c.number)/fewElements {
		c.endGroup()
		c.places = slices.Grow(c.places[:0], len(c.number))[:len(c.number)]
		return c.places[:kernels.Occupied(c.places, c.number)]
	}
	c.places = c.places[:0]
	t.meetClasses(c, column)
	c.forget()
	c.endGroup()
	slices.Sort(c.places)
	return c.places
}

// endColumn appends the cells of the classes that were met to the range, and sets the total
// of the column.
func (c *columnCounter) endColumn(r *columnRange, met []uint32, sum *total) {
	large := c.large
	for _, at := range met {
		number := c.number[at]
		c.number[at] = 0
		cell := largeCell{at: at}
		if number == inList {
			cell, large = large[0], large[1:]
		} else {
			cell.add(number)
		}
		if at == c.none || c.codes != nil {
			sum.df += uint32(cell.a)
			sum.cf += cell.s
		}
		if at == c.none {
			continue
		}
		c.tokens[at] += cell.s
		sum.cells++
		r.list.at, r.list.number = append(r.list.at, at), append(r.list.number, number)
		if number == inList {
			r.list.large = append(r.list.large, cell)
		}
	}
	c.large = c.large[:0]
}

// writeColumns writes the cells of a range of columns.
func (w *cellWriter) writeColumns(r *columnRange) {
	a, l := w.a, &r.list
	classes, docs, sums, squares := a.out.Class, a.low[0], a.low[1], a.low[2]
	large, i := l.large, 0
	for column := r.From; column < r.To; column++ {
		t := &a.totals[column]
		at := t.cf
		for end := i + int(t.cells); i < end; i++ {
			number := l.number[i]
			classes[at] = l.at[i]
			if (number+oneMore)&tooMuch != 0 {
				var cell largeCell
				cell, large = l.counts(i, large)
				w.writeLarge(int(at), cell)
			} else {
				docs[at], sums[at], squares[at] = uint8(number), uint8(number>>excessShift), uint8(number>>squaresShift)
			}
			at++
		}
	}
}
