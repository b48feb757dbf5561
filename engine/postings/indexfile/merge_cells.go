package indexfile

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file makes the cells of a merged index, before the file is begun: its header says how
// long they are, and of which form. Counts of the shards add up (merge_cells_add.go). Moments
// do not, to the last bit: these are counted in the merged lists.

// mergedCells are the cells of a merged index.
type mergedCells struct {
	present bool
	form    table.Form // counts are added up, other values are counted in the merged lists

	stored  int // number of terms whose cells are stored
	most, n int // number of cells with which they are left out, and of all so far

	shards   []shardCells    // to be added
	labelled bool            // every document has exactly one label
	labels   *postings.Index // to be counted: the labels of the result, and nothing else

	spools [cellStreams]spool
}

// cellSpool is the number of bytes of each stream of cells that are kept in memory.
const cellSpool = 1 << 18

// errManyCells ends the making of cells that are too many to be stored.
var errManyCells = errors.New("too many cells")

// makeCells spools the cells of all terms, if they were asked for and are not too many.
func (m *merging) makeCells(ctx context.Context) error {
	if !m.opt.Cells {
		return nil
	}
	c := &m.cells
	switch {
	case m.isReal && len(m.terms) > 0:
		c.form = table.RealValues
	case m.largeCounts():
		c.form = table.LargeCounts
	}
	c.stored = len(m.terms)
	if !m.isReal {
		c.stored = sort.Search(len(m.terms), func(t int) bool { return m.terms[t].df == 1 })
	}
	postings := 0
	for _, t := range m.terms {
		postings += int(t.df)
	}
	c.most = mostCells(postings)
	prepare, fill := m.openShardCells, (*listWorker).addCells
	if c.form != table.Counts {
		prepare, fill = m.labelDocuments, (*listWorker).countCells
	}
	if err := m.run(ctx, 1, func(int) error { return prepare(ctx) }); err != nil {
		return err
	}
	m.startWorkers()
	err := m.eachPart(ctx, pool.Range{To: len(m.terms)}, fill, c.take)
	if errors.Is(err, errManyCells) {
		c.form = table.Counts // of a file without cells
		return c.close()
	}
	if err != nil {
		return err
	}
	c.present = true
	for s := range cellStreams {
		m.lengths[s.section()] += c.spools[s].n
	}
	return nil
}

// largeCounts is [postings.Index.largeCounts] of the result.
func (m *merging) largeCounts() bool {
	squares, n := 0.0, 0
	for _, t := range m.terms {
		n += int(t.df)
		if m.escapes == 0 {
			continue
		}
		for _, r := range m.refs[t.first:t.end] {
			x := m.shards[r.shard]
			x.Values.EachEscape(x.Start[r.term], x.Start[r.term+1], func(_ int, count uint32) {
				squares += float64(float64(count) * float64(count))
			})
		}
	}
	return postings.AreLarge(n, squares)
}

// take spools the cells of a part.
func (c *mergedCells) take(p *listPart) error {
	if c.n += p.cells; c.n > c.most {
		return errManyCells
	}
	for s := range cellStreams {
		if _, err := c.spools[s].Write(p.columns.stream(s)); err != nil {
			return err
		}
	}
	return nil
}

// put writes the streams of a section.
func (c *mergedCells) put(o *fileWriter, kind sectionKind) error {
	if !c.present {
		return nil
	}
	for s := range cellStreams {
		if s.section() != kind {
			continue
		}
		if err := c.spools[s].each(o.append); err != nil {
			return err
		}
	}
	return nil
}

// close removes the temporary files.
func (c *mergedCells) close() (err error) {
	for s := range c.spools {
		err = errors.Join(err, c.spools[s].close())
		c.spools[s] = spool{}
	}
	return err
}

// putCells sets the part to the cells of a chunk of terms.
func (p *listPart) putCells(m *merging, terms pool.Range, c *table.Cells) {
	if len(c.Start) == 0 {
		c.Start = []int{0}
	}
	stored := min(c.Terms(), max(m.cells.stored-terms.From, 0))
	p.columns = newCellColumns(c, stored, table.ClassWidth(len(m.classes)))
	p.cells = c.Len()
}

// Cells are counted in merged lists so: a chunk of terms is an index for a moment, which is
// counted as any other, so that sums are added in the same order.

// labelDocuments makes the labels of the result.
func (m *merging) labelDocuments(ctx context.Context) (err error) {
	x, n := postings.Memory{Start: []uint64{0}, DenseAt: []uint64{0}}, 0
	for _, shard := range m.shards {
		n += len(shard.LabelOf)
		x.Multi = x.Multi || shard.Multi
	}
	x.Classes = m.classes
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

// countCells merges the lists of a chunk of terms and counts their cells.
func (w *listWorker) countCells(m *merging, p *listPart, terms pool.Range) error {
	x := postings.Memory{Start: []uint64{0}, DenseAt: []uint64{0}}
	for t := terms.From; t < terms.To; t++ {
		if err := w.gather(m, m.refsOf(t)); err != nil {
			return err
		}
		items := w.merged()
		if len(items) != int(m.terms[t].df) {
			return m.changed(t)
		}
		w.docs = slices.Grow(w.docs[:0], len(items))[:len(items)]
		if m.isReal {
			p.putValues(w.docs, items, w.values, m.exact)
		} else {
			p.putCounts(w.docs, items)
		}
		x.DocFreq, x.Start = append(x.DocFreq, uint32(len(items))), append(x.Start, p.postings)
		if t >= m.long {
			x.Flat = append(x.Flat, w.docs...)
			continue
		}
		x.Dense = bitmap.Append(x.Dense, w.docs)
		x.Dense = append(x.Dense, make([]byte, -len(x.Dense)&7)...)
		x.DenseAt = append(x.DenseAt, uint64(len(x.Dense)))
	}
	x.Values = postings.Column{Counts: p.counts, EscapeAt: p.escapeAt, Escaped: p.escaped, Single: p.single, Double: p.double}
	if w.counter == nil {
		w.counter = m.cells.labels.NewPartCounter(m.cells.form)
	}
	c, err := w.counter.Count(x)
	if err != nil {
		return err
	}
	p.putCells(m, terms, c)
	return nil
}
