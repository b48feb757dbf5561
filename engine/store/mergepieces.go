package store

import (
	"context"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file cuts documents into pieces and counts those of a term in each. The documents of a shard that have one first class
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
