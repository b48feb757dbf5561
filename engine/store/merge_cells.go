package store

import (
	"context"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file counts the cells of a merged index in its lists, document by document as those of an index are.

// mergedCells are the cells of a merged index.
type mergedCells struct {
	asked   bool
	tooMany atomic.Bool // to be stored
	stored  int         // number of terms whose cells are stored
	most, n int         // number of cells up to which they are stored, and of all so far

	codes postings.Codes // the classes of the documents if none has several labels, the number of classes for none
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
func (m *merging) prepareCells(context.Context) error {
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
	if !m.multi {
		c.codes = postings.NewCodes(m.documents, len(m.classes), func(doc int) uint32 {
			if doc < len(m.labelOf) { // the labelled documents come first
				return m.labelOf[doc]
			}
			return uint32(len(m.classes))
		})
	}
	return nil
}

// countCells counts the cells of term t in its documents, w.docs, whose values are those of the items.
func (w *listWorker) countCells(m *merging, p *listPart, t int, items []uint64) {
	c, cf := &m.cells, 0.0
	if !c.asked || c.tooMany.Load() {
		return
	}
	if w.sums == nil {
		w.sums = table.NewClassSums(len(m.classes) + 1)
	}
	if !m.multi {
		w.numbers = c.codes.Lookup(w.docs, w.numbers)
	}
	for i, item := range items {
		v := float64(uint32(item))
		if m.isReal {
			v = w.values[uint32(item)]
		}
		cf += v
		if !m.multi {
			w.sums.Meet(w.numbers[i]).AddValue(1, v, c.block.form)
			continue
		}
		d := w.docs[i]
		for _, class := range m.labelOf[m.labelStart[d]:m.labelStart[d+1]] {
			w.sums.Meet(class).AddValue(1, v, c.block.form)
		}
	}
	w.sums.Take(func(class uint32, sum table.ClassSum) {
		switch {
		case int(class) == len(m.classes): // documents without a label
		case t < c.stored:
			p.cells.Append(class, sum.A, sum.S, sum.Q)
		default:
			p.singles++
		}
	})
	if t < c.stored {
		p.cells.EndTerm(float64(len(items)), cf)
	}
}

// takeCells spools the cells of a part, unless they are too many.
func (m *merging) takeCells(p *listPart) error {
	c := &m.cells
	if !c.asked || c.tooMany.Load() {
		return nil
	}
	if c.n += p.cells.Len() + p.singles; c.n > c.most {
		c.tooMany.Store(true)
		return nil
	}
	return c.block.appendBlocks(&p.cells, 0, p.cells.Terms(), false, m.spoolBlock)
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
