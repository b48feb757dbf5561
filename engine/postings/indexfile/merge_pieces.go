package indexfile

import (
	"context"
	"slices"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file merges lists by pieces: it cuts documents into pieces and counts the documents of a term in each.
// Documents of a shard that have the same first class stay together in the result, in
// order, and their numbers change by the same amount. A merged list is therefore a
// concatenation of parts of the shards' lists, whose lengths are counts of documents in
// ranges. No single document is examined to find where each part goes, and its values
// can be copied without reading the documents.

// A piece is a run of documents of a shard that stay together, within one container of
// the result.
type piece struct {
	row   uint32 // index in a row of counts
	shard uint32
	shift uint32 // what is added to its document numbers, modulo 2^32
	block uint32 // container of the result, 65,536 numbers each
}

// pieces holds all pieces of a merge.
type pieces struct {
	all    []piece             // in the order of the result
	first  []int               // shard -> where its part of a row begins; then the end
	bounds [][]uint32          // shard -> bounds of its pieces
	counts []*bitmap.Partition // shard -> the same bounds, for counting bitmaps
}

// blockBits is the number of bits of a document's number within a container.
const blockBits = 16

// blocks returns the number of containers that all documents fill.
func (m *merging) blocks() int { return m.documents>>blockBits + 1 }

// cutPieces cuts the segments into pieces. It makes none if there are so many that no
// term would be merged by pieces.
func (m *merging) cutPieces() error {
	p := &m.pieces
	p.bounds, p.first = make([][]uint32, len(m.shards)), []int{0}
	for i := range p.bounds {
		p.bounds[i] = []uint32{0}
	}
	for _, s := range m.segments {
		for from := s.from; from < s.to; {
			number := s.first + from - s.from
			to := from + min(s.to-from, 1<<blockBits-number%(1<<blockBits))
			p.add(s.shard, from, to, number)
			from = to
		}
		if len(p.all) > m.documents/wideFactor {
			*p = pieces{} // no term has so many documents
			return nil
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

// add appends a piece, or extends the last one if the documents continue it.
func (p *pieces) add(shard, from, to, number uint32) {
	bounds := p.bounds[shard]
	next := piece{uint32(len(bounds) - 1), shard, number - from, number >> blockBits}
	if n := len(p.all); n > 0 {
		if last := p.all[n-1]; last.shard == shard && last.shift == next.shift && last.block == next.block {
			bounds[len(bounds)-1] = to
			return
		}
	}
	p.all = append(p.all, next)
	p.bounds[shard] = append(bounds, to)
}

// wideFactor is the number of documents per piece that a term must have to be merged by
// pieces. In a merge of two indexes of corpus L, the factors 4, 8 and 16 take the same
// time within 1 %.
const wideFactor = 8

// reckonBitmaps computes the sizes of the bitmaps.
func (m *merging) reckonBitmaps(ctx context.Context) (err error) {
	least := wideFactor * uint64(len(m.pieces.all))
	if len(m.pieces.all) > 0 {
		m.wide = sort.Search(m.long, func(t int) bool { return uint64(m.terms[t].df) < least })
	}
	if m.sizes, err = files.Room[uint32](&m.scratch, m.long); err != nil {
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
		err := postings.RunOver(ctx, m.shards, len(workers), len(chunks), func(worker, i int) error {
			w := &workers[worker]
			w.blocks = slices.Grow(w.blocks[:0], m.blocks())[:m.blocks()]
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

// chunks cuts terms into ranges of about equal cost for the workers.
func (m *merging) chunks(terms pool.Range) []pool.Range {
	chunks := pool.Split(terms.To-terms.From, postings.ChunkCost, 1, func(i int) int64 { return int64(m.terms[terms.From+i].df) + postings.TermCost })
	for i := range chunks {
		chunks[i].From += terms.From
		chunks[i].To += terms.From
	}
	return chunks
}

// cardinalitiesByPieces adds the number of documents of a term in each container to
// w.blocks.
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

// cardinalities is cardinalitiesByPieces document by document, for terms with too few
// documents for pieces.
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

// countPieces sets w.row to the number of documents of a term in each piece.
func (w *listWorker) countPieces(m *merging, refs []ref) error {
	w.row = slices.Grow(w.row[:0], len(m.pieces.all))[:len(m.pieces.all)]
	clear(w.row)
	for _, r := range refs {
		x, t := m.shards[r.shard], int(r.term)
		if err := x.Ready(pool.Range{From: t, To: t + 1}, false); err != nil {
			return err
		}
		row := w.row[m.pieces.first[r.shard]:m.pieces.first[r.shard+1]]
		if t < x.FirstShort() {
			if err := m.pieces.counts[r.shard].Count(row, x.BitmapBytes(t)); err != nil {
				return err
			}
			continue
		}
		i, bounds := 0, m.pieces.bounds[r.shard]
		for _, d := range x.ShortList(t) {
			for d >= bounds[i+1] {
				i++
			}
			row[i]++
		}
	}
	return nil
}

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
