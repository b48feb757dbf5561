package matrix

import (
	"context"
	"errors"

	"github.com/termsift/termsift/engine/cells/gather"
	"github.com/termsift/termsift/engine/matrix/ranges"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file counts matrices of counts by rows: the documents of a class, one after the
// other, into one number for each column.

// errNoCounts says that a matrix is to be counted by way of an index: some value is no
// count, or the squares are too large, or something is wrong which is found there.
var errNoCounts = errors.New("matrix: not all values are counts")

// A group is documents that are counted together, with the ranges of their elements: to look Start
// up for one after the other would wait for memory.
type group struct {
	*gather.Group
	spans []span
}

// A grouping is memory for the documents of all groups.
type grouping struct {
	order []uint32
	spans []span // of order
}

// groups returns the documents by class, then by number, at most so many a group, in the memory of a grouping.
func (t *task) groups(g *grouping, most int) []gather.Group {
	order, ends := t.docs.ByClass(g.order)
	spans := t.appendSpans(g.spans[:0], order)
	g.order, g.spans = order, spans
	return gather.Groups(order, ends, most, t.options.Threads, t.stored(), func(i int) int64 { return int64(spans[i].to - spans[i].from) })
}

// of returns a group with its ranges.
func (g *grouping) of(part *gather.Group) group {
	return group{part, g.spans[part.From : part.From+len(part.Docs)]}
}

// prefetched is the number of elements of a line that are asked for: the CPU foresees the ones
// behind them, and to ask for all 160 of a row of 20 Newsgroups took 4 % longer.
const prefetched = 64

// prefetchLine has the beginning of a line on its way, so many elements at most, and if values is set
// their values.
func (t *task) prefetchLine(line span, most int, values bool) {
	line.to = min(line.to, line.from+most)
	t.prefetch(line)
	if values {
		t.prefetchValues(line)
	}
}

// stored returns the number of elements of all lines.
func (t *task) stored() int64 {
	from, _ := t.bounds(0)
	_, to := t.bounds(t.lineCount() - 1)
	return int64(to - from)
}

// A rowCounter is the state of one worker.
type rowCounter struct {
	*gather.Counter
	repeats ranges.Repeats
}

// countRows returns an assembly of the cells of the statistics, which have their margins.
func (t *task) countRows(ctx context.Context) (*gather.Assembly, *table.Table, error) {
	room := new(grouping)
	groups := t.groups(room, t.documents)
	workers := make([]*rowCounter, pool.Threads(t.options.Threads))
	counters := make([]*gather.Counter, len(workers))
	err := pool.Run(ctx, t.options.Threads, len(groups), func(worker, i int) error {
		if workers[worker] == nil {
			counters[worker] = gather.NewCounter(t.terms)
			workers[worker] = &rowCounter{Counter: counters[worker]}
		}
		return t.countGroup(workers[worker], room.of(&groups[i]))
	})
	if err != nil {
		return nil, nil, err
	}
	if !gather.Exact(counters, t.stored()) {
		return nil, nil, errNoCounts
	}
	s := t.margins()
	lists, err := gather.Join(ctx, t.options.Threads, groups, len(s.Classes)+1)
	if err != nil {
		return nil, nil, err
	}
	a, err := gather.OfLists(ctx, t.options.Threads, lists, t.terms, t.docs.Several, &s.Cells)
	return a, s, err
}

// countGroup counts the documents of a group.
func (t *task) countGroup(c *rowCounter, g group) error {
	n := 0
	for i, d := range g.Docs {
		if i+1 < len(g.Docs) {
			t.prefetchLine(g.spans[i+1], prefetched, t.valued)
		}
		line := g.spans[i]
		n += line.to - line.from
		ok, ascending := t.addRow(c.Counter, line)
		if !ok {
			return errNoCounts
		}
		if !ascending && t.repeated(&c.repeats, int(d), t.terms) {
			if err := t.checkRepeats(int(d)); err != nil {
				return err
			}
		}
	}
	g.List = c.End(n, func() {
		for _, d := range g.Docs {
			t.meet(c.Counter, int(d))
		}
	})
	return nil
}
