package store

import (
	"context"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file merges lists by pieces. The documents of a shard that have one first class
// stay together, in their order, and get numbers that differ by the same from their old
// ones: a merged list is parts of the shards' lists behind each other, whose lengths
// are counts in ranges. That takes no look at single documents to know where each part
// goes, and none at all to know where its values go.

// A piece is a run of documents of a shard that stay together, within one container of
// the result.
type piece struct {
	row   uint32 // its place in a row of counts
	shard uint32
	shift uint32 // of its documents' numbers, modulo 2^32
	block uint32 // of 65,536 numbers of the result
}

// pieces are all of them.
type pieces struct {
	all    []piece             // in the order of the result
	first  []int               // shard -> its part of a row; and the end
	bounds [][]uint32          // shard -> bounds of its pieces
	counts []*bitmap.Partition // shard -> these, for bitmaps
}

// blockBits is the number of bits of a document's number within a container.
const blockBits = 16

// blocks is the number of containers that all documents fill.
func (m *merging) blocks() int { return m.documents>>blockBits + 1 }

// cutPieces cuts the documents into pieces.
func (m *merging) cutPieces() error {
	p := &m.pieces
	p.bounds, p.first = make([][]uint32, len(m.shards)), []int{0}
	for i := range p.bounds {
		p.bounds[i] = []uint32{0}
	}
	for _, s := range m.segments {
		for from := s.from; from < s.to; {
			number := s.first + from - s.from
			to := min(s.to, from+1<<blockBits-number%(1<<blockBits))
			p.add(s.shard, from, to, number)
			from = to
		}
	}
	for i, bounds := range p.bounds {
		p.first = append(p.first, p.first[i]+len(bounds)-1)
		counts, err := bitmap.NewPartition(bounds)
		if err != nil {
			return err
		}
		p.counts = append(p.counts, counts)
	}
	for i := range p.all {
		p.all[i].row += uint32(p.first[p.all[i].shard])
	}
	return nil
}

// add adds a piece, or makes the last one longer where it goes on there.
func (p *pieces) add(shard uint32, from, to, number int) {
	bounds := p.bounds[shard]
	next := piece{uint32(len(bounds) - 1), shard, uint32(number - from), uint32(number >> blockBits)}
	if n := len(p.all); n > 0 {
		if last := p.all[n-1]; last.shard == shard && last.shift == next.shift && last.block == next.block {
			bounds[len(bounds)-1] = uint32(to)
			return
		}
	}
	p.all = append(p.all, next)
	p.bounds[shard] = append(bounds, uint32(to))
}

// wideFactor is how many documents a term must have for each piece to be merged by
// pieces.
const wideFactor = 8

// reckonBitmaps gives the bitmaps their sizes.
func (m *merging) reckonBitmaps(ctx context.Context) (err error) {
	least := wideFactor * uint64(len(m.pieces.all))
	m.wide = sort.Search(m.long, func(t int) bool { return uint64(m.terms[t].df) < least })
	if m.sizes, err = room[uint32](&m.scratch, m.long); err != nil {
		return err
	}
	workers := make([]listWorker, m.listThreads())
	for _, part := range []struct {
		terms pool.Range
		count func(w *listWorker, m *merging, t int) error
	}{
		{pool.Range{To: m.wide}, (*listWorker).cardinalitiesByPieces},
		{pool.Range{From: m.wide, To: m.long}, (*listWorker).cardinalities},
	} {
		chunks := m.chunks(part.terms)
		err := runOver(ctx, m.shards, len(workers), len(chunks), func(worker, i int) error {
			w := &workers[worker]
			w.blocks = grown(w.blocks, m.blocks())
			for t := chunks[i].From; t < chunks[i].To; t++ {
				clear(w.blocks)
				if err := part.count(w, m, t); err != nil {
					return err
				}
				m.sizes[t] = uint32(bitmap.Bytes(w.blocks)+7) &^ 7
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// chunks cuts terms into chunks for the workers.
func (m *merging) chunks(terms pool.Range) []pool.Range {
	chunks := pool.Split(terms.To-terms.From, chunkCost, 1, func(i int) int64 { return int64(m.terms[terms.From+i].df) + termCost })
	for i := range chunks {
		chunks[i].From += terms.From
		chunks[i].To += terms.From
	}
	return chunks
}

// cardinalitiesByPieces counts the documents of a term in each container.
func (w *listWorker) cardinalitiesByPieces(m *merging, t int) error {
	if err := w.countPieces(m, m.refsOf(t)); err != nil {
		return err
	}
	for i := range m.pieces.all {
		p := &m.pieces.all[i]
		w.blocks[p.block] += w.row[p.row]
	}
	return nil
}

// cardinalities is cardinalitiesByPieces for terms of fewer documents than that would
// pay for.
func (w *listWorker) cardinalities(m *merging, t int) error {
	for _, r := range m.refsOf(t) {
		if err := m.shards[r.shard].ReadDocs(int(r.term), &w.postings); err != nil {
			return err
		}
		for _, d := range w.renumber(&m.number[r.shard]) {
			w.blocks[d>>blockBits]++
		}
	}
	return nil
}

// countPieces counts the documents of a term in each piece: a row.
func (w *listWorker) countPieces(m *merging, refs []ref) error {
	w.row = grown(w.row, len(m.pieces.all))
	clear(w.row)
	for _, r := range refs {
		x, t := m.shards[r.shard], int(r.term)
		if err := x.ready(pool.Range{From: t, To: t + 1}, false); err != nil {
			return err
		}
		row := w.row[m.pieces.first[r.shard]:m.pieces.first[r.shard+1]]
		if t < x.numDense() {
			if err := m.pieces.counts[r.shard].Count(row, x.bitmapBytes(t)); err != nil {
				return err
			}
			continue
		}
		i, bounds := 0, m.pieces.bounds[r.shard]
		for _, d := range x.short(t) {
			for d >= bounds[i+1] {
				i++
			}
			row[i]++
		}
	}
	return nil
}

// mergeWide fills a part with the lists of a chunk of terms, by pieces, but for their
// values.
func (w *listWorker) mergeWide(m *merging, p *listPart, terms pool.Range) error {
	w.lists = grown(w.lists, len(m.shards))
	for t := terms.From; t < terms.To; t++ {
		refs := m.refsOf(t)
		if err := w.countPieces(m, refs); err != nil {
			return err
		}
		for _, r := range refs {
			l := &w.lists[r.shard]
			l.docs = m.shards[r.shard].documents(int(r.term), l.buffer)
			if int(r.term) < m.shards[r.shard].numDense() {
				l.buffer = l.docs
			}
		}
		w.docs = grown(w.docs, int(m.terms[t].df))
		w.blocks = grown(w.blocks, m.blocks())
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

// putEscapes appends the large counts of a term whose row has been counted.
func (p *listPart) putEscapes(m *merging, w *listWorker, refs []ref) {
	if m.escapes == 0 {
		return
	}
	some := false
	for _, r := range refs {
		x := m.shards[r.shard]
		l := &w.lists[r.shard]
		l.first = x.start[r.term]
		l.escapes = x.tf.escapesFrom(l.first)
		some = some || l.escapes < len(x.tf.escapeAt) && x.tf.escapeAt[l.escapes] < x.start[r.term+1]
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
		l, tf := &w.lists[piece.shard], &m.shards[piece.shard].tf
		for ; l.escapes < len(tf.escapeAt) && tf.escapeAt[l.escapes] < l.first+n; l.escapes++ {
			p.escapeAt = append(p.escapeAt, at+tf.escapeAt[l.escapes]-l.first)
			p.escaped = append(p.escaped, tf.escaped[l.escapes])
		}
		l.first += n
		at += n
	}
}

// putWideValues writes the values of terms that are merged by pieces.
func (m *merging) putWideValues(ctx context.Context, o *fileWriter, kind sectionKind, terms pool.Range) error {
	return m.eachPart(ctx, terms, func(w *listWorker, p *listPart, terms pool.Range) error {
		for t := terms.From; t < terms.To; t++ {
			if err := w.mergeValues(m, p, t, kind); err != nil {
				return err
			}
		}
		return nil
	}, func(p *listPart) error {
		for _, data := range [][]byte{p.counts, bytesOf(p.single), bytesOf(p.double)} {
			if err := o.append(data); err != nil {
				return err
			}
		}
		return nil
	})
}

// mergeValues appends the values of a term to the part of it that a section wants.
func (w *listWorker) mergeValues(m *merging, p *listPart, t int, kind sectionKind) error {
	refs := m.refsOf(t)
	if err := w.countPieces(m, refs); err != nil {
		return err
	}
	w.lists = grown(w.lists, len(m.shards))
	for _, r := range refs {
		x, t := m.shards[r.shard], int(r.term)
		if err := x.ready(pool.Range{From: t, To: t + 1}, true); err != nil {
			return err
		}
		l := &w.lists[r.shard]
		if kind == countSection {
			l.counts = x.tf.counts[x.start[t]:x.start[t+1]]
		} else {
			l.values = x.tf.read(x.start[t], x.start[t+1], l.values[:0])
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
