package store

import (
	"context"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file counts the cells of a merged index in its lists: a chunk of terms is an index for a moment, which is
// counted as any other, so that sums are added in the same order.

// mergedCells are the cells of a merged index.
type mergedCells struct {
	asked   bool
	tooMany atomic.Bool     // to be stored
	labels  *postings.Index // the labels of the result, and nothing else
	stored  int             // number of terms whose cells are stored
	most, n int             // number of cells up to which they are stored, and of all so far

	block blockBuilder
	sizes []int // of the blocks that are spooled
}

// name returns the form of the cells, or "" if there are none.
func (c *mergedCells) name() string {
	if !c.asked || c.tooMany.Load() {
		return ""
	}
	return formNames[c.block.form]
}

// prepareCells makes the labels of the result, if cells were asked for.
func (m *merging) prepareCells(ctx context.Context) error {
	if !m.opt.Cells {
		return nil
	}
	c := &m.cells
	c.asked, c.stored = true, len(m.terms)
	if !m.isReal {
		c.stored = sort.Search(len(m.terms), func(t int) bool { return m.terms[t].df == 1 })
	}
	n, squares := 0, 0.0
	for _, t := range m.terms {
		n += int(t.df)
		for _, r := range m.refs[t.first:t.end] {
			x := m.shards[r.shard]
			if len(x.Values.Escaped) > 0 {
				x.Values.EachEscape(x.Start[r.term], x.Start[r.term+1], func(_ int, count uint32) {
					squares += float64(float64(count) * float64(count))
				})
			}
		}
	}
	c.most = mostCells(n)
	c.block.width = table.ClassWidth(len(m.classes))
	switch {
	case m.isReal && n > 0: // see [postings.Memory.Form]
		c.block.form = table.RealValues
	case postings.AreLarge(n, squares):
		c.block.form = table.LargeCounts
	}
	return m.run(ctx, 1, func(int) error { return m.labelDocuments(ctx) })
}

// labelDocuments makes the labels of the result.
func (m *merging) labelDocuments(ctx context.Context) (err error) {
	x, n := postings.Memory{Classes: m.classes, Start: []uint64{0}, DenseAt: []uint64{0}}, 0
	for _, shard := range m.shards {
		n += len(shard.LabelOf)
		x.Multi = x.Multi || shard.Multi
	}
	if x.LabelStart, err = files.Room[uint32](&m.scratch, m.documents+1); err != nil {
		return err
	}
	if x.LabelOf, err = files.Room[uint32](&m.scratch, n); err != nil {
		return err
	}
	doc, at := 0, 0
	for _, s := range m.segments {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		for d := s.from; d < s.to; d++ {
			for _, class := range m.shards[s.shard].Labels(int(d)) {
				x.LabelOf[at] = m.class[s.shard][class]
				at++
			}
			doc++
			x.LabelStart[doc] = uint32(at)
		}
	}
	m.cells.labels = postings.New(x, nil, nil)
	return nil
}

// beginCells empties the lists that are counted.
func (w *listWorker) beginCells() {
	l := &w.lists
	l.DocFreq, l.Start, l.Flat, l.DenseAt = l.DocFreq[:0], append(l.Start[:0], 0), l.Flat[:0], append(l.DenseAt[:0], 0)
}

// keepList keeps the list of term t, whose documents and values were the last of the part, to be counted.
func (w *listWorker) keepList(m *merging, p *listPart, t int) {
	c, l := &m.cells, &w.lists
	switch {
	case !c.asked || c.tooMany.Load():
	case t >= c.stored:
		p.singles += len(c.labels.Labels(int(w.docs[0])))
	default:
		l.DocFreq, l.Start, l.Flat = append(l.DocFreq, uint32(len(w.docs))), append(l.Start, p.postings), append(l.Flat, w.docs...)
	}
}

// countCells counts the cells of the lists that were kept.
func (w *listWorker) countCells(m *merging, p *listPart) (err error) {
	l := w.lists
	if len(l.DocFreq) == 0 {
		return nil
	}
	l.Values = postings.Column{Counts: p.counts, EscapeAt: p.escapeAt, Escaped: p.escaped, Single: p.single, Double: p.double}
	if w.counter == nil {
		w.counter = m.cells.labels.NewPartCounter(m.cells.block.form)
	}
	p.cells, err = w.counter.Count(l)
	return err
}

// takeCells spools the cells of a part, unless they are too many.
func (m *merging) takeCells(p *listPart) error {
	c := &m.cells
	if !c.asked || c.tooMany.Load() {
		return nil
	}
	if p.cells == nil {
		p.cells = &table.Cells{}
	}
	if c.n += p.cells.Len() + p.singles; c.n > c.most {
		c.tooMany.Store(true)
		return nil
	}
	return c.block.appendBlocks(p.cells, 0, p.cells.Terms(), false, m.spoolBlock)
}

func (m *merging) spoolBlock(block []byte) error {
	m.cells.sizes = append(m.cells.sizes, len(block))
	return m.spools[cellSection].write(block)
}

// putCells writes the blocks of the cells.
func (m *merging) putCells(o *writer) error {
	c := &m.cells
	if c.name() == "" {
		return nil
	}
	if err := c.block.appendBlocks(nil, 0, 0, true, m.spoolBlock); err != nil {
		return err
	}
	return m.spools[cellSection].each(c.sizes, o.appendBlock)
}
