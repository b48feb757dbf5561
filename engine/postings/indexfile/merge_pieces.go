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

// This file cuts documents into pieces and counts the documents of a term in each.
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
