package matrix

import (
	"context"
	"errors"
	"math"

	"github.com/termsift/termsift/engine/pool"
)

// This file counts matrices of counts by rows: the documents of a class, one after the
// other, into one number for each column.

// errNoCounts says that a matrix is to be counted by way of an index: some value is no
// count, or the squares are too large, or something is wrong which is found there.
var errNoCounts = errors.New("matrix: not all values are counts")

// A group is documents that are counted together: all of a class, or a part of them.
type group struct {
	class uint32 // a number of a class, or that behind the last
	docs  []uint32
	spans []span // of the docs: to look Start up for one after the other would wait for memory
	list  cellList
}

// A grouping is memory for the documents of all groups.
type grouping struct {
	order []uint32
	spans []span // of order
}

// blockElements is the most elements of a group that are counted without a look at the
// context.
const blockElements = 1 << 23

// groups returns the documents by class, then by number, at most so many a group, in the memory of a grouping. The
// class behind the last one is that of all documents if some have several classes, else of those without a class.
func (t *task) groups(g *grouping, most int) []group {
	order, ends := t.docs.ByClass(g.order)
	spans := t.appendSpans(g.spans[:0], order)
	g.order, g.spans = order, spans
	target := t.stored()/int64(2*pool.Threads(t.options.Threads)) + 1
	if pool.Threads(t.options.Threads) == 1 {
		target = math.MaxInt64
	}
	target = min(target, blockElements)
	var groups []group
	from := 0
	for class, end := range ends {
		for _, r := range pool.Split(end-from, target, 1, func(i int) int64 {
			line := spans[from+i]
			return int64(line.to - line.from)
		}) {
			for part := r.From; part < r.To; part += most {
				docs, end := order[from:], min(part+most, r.To)
				groups = append(groups, group{class: uint32(class), docs: docs[part:end], spans: spans[from+part : from+end]})
			}
		}
		from = end
	}
	return groups
}

// prefetched is the number of elements of a line that are asked for: the CPU foresees the ones
// behind them, and to ask for all 160 of a row of 20 Newsgroups took 4 % longer.
const prefetched = 64

// prefetchLine has the beginning of a line on its way, so many elements at most.
func (t *task) prefetchLine(line span, most int) {
	line.to = min(line.to, line.from+most)
	t.prefetch(line)
	if t.valued {
		t.prefetchValues(line)
	}
}

// stored returns the number of elements of all lines.
func (t *task) stored() int64 {
	from, _ := t.bounds(0)
	_, to := t.bounds(t.lineCount() - 1)
	return int64(to - from)
}

// countRows returns an assembly whose totals and margins are set.
func (t *task) countRows(ctx context.Context) (*assembly, error) {
	groups := t.groups(new(grouping), t.documents)
	workers := make([]*counters, pool.Threads(t.options.Threads))
	err := pool.Run(ctx, t.options.Threads, len(groups), func(worker, i int) error {
		if workers[worker] == nil {
			workers[worker] = newCounters(t.terms)
		}
		return t.countGroup(workers[worker], &groups[i])
	})
	if err != nil {
		return nil, err
	}
	squares := 0.0
	for _, w := range workers {
		if w != nil {
			squares += w.squares
		}
	}
	if !t.exactSquares(squares) {
		return nil, errNoCounts
	}
	return t.assembled(ctx, joinGroups(groups, len(t.docs.Classes)+1))
}

// exactSquares reports whether the squares of all values add up to less than 2^53, given
// those of the values above mostSmall.
func (t *task) exactSquares(large float64) bool {
	return mostSmall*mostSmall*float64(t.stored())+large < 1<<53
}

// joinGroups returns the lists of the classes.
func joinGroups(groups []group, classes int) []cellList {
	lists := make([]cellList, classes)
	for i := range groups {
		l := &lists[groups[i].class]
		if len(l.at) == 0 {
			*l = groups[i].list
		} else {
			*l = mergeLists(l, &groups[i].list)
		}
	}
	return lists
}

// fewElements is the share of the columns below which a group has few elements, one in so
// many: its cells are found by a second walk over them.
const fewElements = 8

// countGroup counts the documents of a group.
func (t *task) countGroup(c *counters, g *group) error {
	n := 0
	for i, d := range g.docs {
		if i+1 < len(g.docs) {
			t.prefetchLine(g.spans[i+1], prefetched)
		}
		line := g.spans[i]
		n += line.to - line.from
		ok, ascending := t.addRow(c, line)
		if !ok {
			return errNoCounts
		}
		if !ascending && t.repeated(&c.repeats, int(d), t.terms) {
			if err := t.checkRepeats(int(d)); err != nil {
				return err
			}
		}
	}
	if n < len(c.number)/fewElements {
		g.list = c.takeOf(t.metColumns(c, g.docs))
	} else {
		g.list = c.take()
	}
	return nil
}

// seen marks the number of a column that has been met. No number has both bits.
const seen = highestBits &^ inList

// metColumns returns the columns that have counts, each once.
func (t *task) metColumns(c *counters, docs []uint32) []uint32 {
	c.places = c.places[:0]
	for _, d := range docs {
		t.meet(c, int(d))
	}
	c.forget()
	return c.places
}

// forget takes the marks of meet away.
func (c *counters) forget() {
	for _, at := range c.places {
		c.number[at] &^= seen
	}
}

// meet appends a place that has counts to c.places the first time.
func (c *counters) meet(at uint32) {
	if number := c.number[at]; number&seen == 0 && (number != 0 || c.slot[at] != 0) {
		c.places = append(c.places, at)
		c.number[at] |= seen
	}
}
