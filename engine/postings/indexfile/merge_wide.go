package indexfile

import (
	"context"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
)

// This file merges lists by pieces (see merge_pieces.go).

// mergeWide merges the lists of a chunk of terms by pieces, without their values.
func (w *listWorker) mergeWide(m *merging, p *listPart, terms pool.Range) error {
	w.lists = slices.Grow(w.lists[:0], len(m.shards))[:len(m.shards)]
	for t := terms.From; t < terms.To; t++ {
		refs := m.refsOf(t)
		if err := w.countPieces(m, refs); err != nil {
			return err
		}
		for _, r := range refs {
			l := &w.lists[r.shard]
			m.shards[r.shard].Decode(int(r.term), &l.postings)
			l.docs = l.postings.Docs
		}
		w.docs = slices.Grow(w.docs[:0], int(m.terms[t].df))[:int(m.terms[t].df)]
		w.blocks = slices.Grow(w.blocks[:0], m.blocks())[:m.blocks()]
		clear(w.blocks)
		at := 0
		for i := range m.pieces.all {
			piece := &m.pieces.all[i]
			n := int(w.row[piece.row])
			if n == 0 {
				continue
			}
			l := &w.lists[piece.shard]
			out := w.docs[at : at+n]
			for k, d := range l.docs[:n] {
				out[k] = d + piece.shift
			}
			l.docs = l.docs[n:]
			w.blocks[piece.block] += uint32(n)
			at += n
		}
		if at != len(w.docs) {
			return m.changed(t)
		}
		if m.seen != nil {
			m.seen.add(w.docs)
		}
		p.putEscapes(m, w, refs)
		if err := p.putBitmap(m, t, bitmap.AppendCounted(p.dense, w.docs, w.blocks)); err != nil {
			return err
		}
		p.postings += uint64(len(w.docs))
	}
	return nil
}

// putEscapes appends the escaped counts of a term to the part. w.row has its counts by
// piece.
func (p *listPart) putEscapes(m *merging, w *listWorker, refs []ref) {
	if m.escapes == 0 {
		return
	}
	some := false
	for _, r := range refs {
		x := m.shards[r.shard]
		l := &w.lists[r.shard]
		l.first = x.Start[r.term]
		l.escapes = x.Values.EscapesFrom(l.first)
		some = some || l.escapes < len(x.Values.EscapeAt) && x.Values.EscapeAt[l.escapes] < x.Start[r.term+1]
	}
	if !some {
		return
	}
	at := p.postings
	for i := range m.pieces.all {
		piece := &m.pieces.all[i]
		n := uint64(w.row[piece.row])
		if n == 0 {
			continue
		}
		l, tf := &w.lists[piece.shard], &m.shards[piece.shard].Values
		for ; l.escapes < len(tf.EscapeAt) && tf.EscapeAt[l.escapes] < l.first+n; l.escapes++ {
			p.escapeAt = append(p.escapeAt, at+tf.EscapeAt[l.escapes]-l.first)
			p.escaped = append(p.escaped, tf.Escaped[l.escapes])
		}
		l.first += n
		at += n
	}
}

// putWideValues merges and writes a section's values of terms that are merged by
// pieces.
func (m *merging) putWideValues(ctx context.Context, o *fileWriter, kind sectionKind, terms pool.Range) error {
	return m.eachPart(ctx, terms, func(w *listWorker, p *listPart, terms pool.Range) error {
		for t := terms.From; t < terms.To; t++ {
			if err := w.mergeValues(m, p, t, kind); err != nil {
				return err
			}
		}
		return nil
	}, func(p *listPart) error {
		for _, data := range [][]byte{p.counts, files.BytesOf(p.single), files.BytesOf(p.double)} {
			if err := o.append(data); err != nil {
				return err
			}
		}
		return nil
	})
}

// mergeValues appends the values of a term to the column of the part that belongs to
// the section.
func (w *listWorker) mergeValues(m *merging, p *listPart, t int, kind sectionKind) error {
	refs := m.refsOf(t)
	if err := w.countPieces(m, refs); err != nil {
		return err
	}
	w.lists = slices.Grow(w.lists[:0], len(m.shards))[:len(m.shards)]
	for _, r := range refs {
		x, t := m.shards[r.shard], int(r.term)
		if err := x.Ready(pool.Range{From: t, To: t + 1}, true); err != nil {
			return err
		}
		l := &w.lists[r.shard]
		if kind == countSection {
			l.counts = x.Values.Counts[x.Start[t]:x.Start[t+1]]
		} else {
			l.values = x.Values.Read(x.Start[t], x.Start[t+1], l.values[:0])
			l.first = 0
		}
	}
	for i := range m.pieces.all {
		piece := &m.pieces.all[i]
		n := int(w.row[piece.row])
		if n == 0 {
			continue
		}
		l := &w.lists[piece.shard]
		switch kind {
		case countSection:
			p.counts = append(p.counts, l.counts[:n]...)
			l.counts = l.counts[n:]
		case valueSection:
			for _, v := range l.values[l.first:][:n] {
				p.single = append(p.single, float32(v))
			}
		case exactSection:
			p.double = append(p.double, l.values[l.first:][:n]...)
		}
		l.first += uint64(n)
	}
	return nil
}
