package matrix

import (
	"context"
	"math"
	"slices"

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
	docs   *documents
	tokens []uint64 // by class
}

// countColumns returns an assembly whose totals and margins are set.
func (t *task[I, V]) countColumns(ctx context.Context) (*assembly, error) {
	ranges := pool.Split(t.Terms, rangeCost, 1, func(i int) int64 { return int64(t.Start[i+1]-t.Start[i]) + columnCost })
	parts := make([]columnRange, len(ranges))
	a := &assembly{ranges: len(ranges), totals: make([]total, t.Terms), out: t.margins()}
	codes := t.docs.codes()
	workers := make([]*columnCounter, pool.Threads(t.options.Threads))
	err := pool.Run(ctx, t.options.Threads, len(parts), func(worker, i int) error {
		if workers[worker] == nil {
			k := len(t.docs.classes)
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

// codes returns the class of each document, or the number of classes for none; nil if some
// document has several.
func (d *documents) codes() []uint32 {
	if d.several {
		return nil
	}
	codes := slices.Repeat([]uint32{uint32(len(d.classes))}, d.n)
	for doc := range codes {
		if at := d.start[doc]; at < d.start[doc+1] {
			codes[doc] = d.of[at]
		}
	}
	return codes
}

// countRange counts a range of columns.
func (t *task[I, V]) countRange(c *columnCounter, r *columnRange, totals []total) error {
	for column := r.From; column < r.To; column++ {
		from, to := int(t.Start[column]), int(t.Start[column+1])
		index := t.Index[from:to]
		var values []V
		if t.Values != nil {
			values = t.Values[from:to]
		}
		var ok, ascending bool
		if c.codes != nil {
			ok, ascending = addColumn(c, index, values)
		} else {
			ok, ascending = addLabels(c, index, values)
		}
		if !ok {
			return errNoCounts
		}
		if !ascending && foundIn(&c.repeats, index, t.Documents) {
			if err := t.checkRepeats(column); err != nil {
				return err
			}
		}
		c.endColumn(r, metClasses(c, index), &totals[column])
	}
	return nil
}

// addColumn adds the elements of a column whose documents have one class at most. It
// reports whether all are counts in range, and whether they are in order.
func addColumn[I Index, V Value](c *columnCounter, index []I, values []V) (ok, ascending bool) {
	number, codes, last, disorder := c.number, c.codes, I(-1), I(0)
	v := int64(1)
	for i, d := range index {
		if uint64(d) >= uint64(len(codes)) {
			return false, false
		}
		disorder |= d - last - 1
		last = d
		at := codes[d]
		if values != nil {
			if v = int64(values[i]); V(v) != values[i] || uint64(v) > math.MaxUint32 {
				return false, false
			}
			if v > mostSmall {
				c.addLarge(at, uint64(v))
				continue
			}
		}
		sum := number[at] + small[uint8(v)]
		number[at] = sum
		if sum&highestBits != 0 {
			c.spill(at)
		}
	}
	return true, disorder >= 0
}

// addLabels is addColumn where documents may have several classes. Each document also
// counts for the class behind the last.
func addLabels[I Index, V Value](c *columnCounter, index []I, values []V) (ok, ascending bool) {
	last, disorder := I(-1), I(0)
	v := int64(1)
	for i, d := range index {
		if uint64(d) >= uint64(c.docs.n) {
			return false, false
		}
		disorder |= d - last - 1
		last = d
		if values != nil {
			if v = int64(values[i]); V(v) != values[i] || uint64(v) > math.MaxUint32 {
				return false, false
			}
		}
		for _, class := range c.docs.labels(uint64(d)) {
			c.addValue(class, uint64(v))
		}
		c.addValue(c.none, uint64(v))
	}
	return true, disorder >= 0
}

// labels returns the classes of a document.
func (d *documents) labels(doc uint64) []uint32 { return d.of[d.start[doc]:d.start[doc+1]] }

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
func metClasses[I Index](c *columnCounter, index []I) []uint32 {
	if len(index) >= len(c.number)/fewElements {
		c.endGroup()
		c.places = slices.Grow(c.places[:0], len(c.number))[:len(c.number)]
		return c.places[:kernels.Occupied(c.places, c.number)]
	}
	c.places = c.places[:0]
	for _, d := range index {
		if c.codes != nil {
			c.meet(c.codes[d])
			continue
		}
		for _, class := range c.docs.labels(uint64(d)) {
			c.meet(class)
		}
		c.meet(c.none)
	}
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
