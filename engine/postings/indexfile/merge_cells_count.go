package indexfile

import (
	"context"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file counts cells in merged lists: a chunk of terms is an index for a moment, which is
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
		w.counter = m.cells.labels.NewPartCounter()
	}
	c, fraction, err := w.counter.Count(x)
	if err != nil {
		return err
	}
	p.putCells(m, terms, c)
	p.fraction = fraction
	return nil
}
