package store

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file distributes the merging of lists over the workers, merges them, and writes them.

// chunks cuts terms into ranges of about equal cost for the workers.
func (m *merging) chunks(terms pool.Range) []pool.Range {
	chunks := pool.Split(terms.To-terms.From, postings.ChunkCost, 1, func(i int) int64 { return int64(m.terms[terms.From+i].df) + postings.TermCost })
	for i := range chunks {
		chunks[i].From += terms.From
		chunks[i].To += terms.From
	}
	return chunks
}

// putLists merges the lists of terms, writes them, and spools their values and cells. The parts of a round are
// written while those of the next are made.
func (m *merging) putLists(ctx context.Context, o *writer, terms pool.Range) error {
	chunks := m.chunks(terms)
	var made []listPart
	for len(chunks) > 0 || len(made) > 0 {
		round := chunks[:min(m.perRound(), len(chunks))]
		chunks = chunks[len(round):]
		parts := m.parts[m.round%2]
		m.round++
		err := postings.RunOver(ctx, m.shards, len(m.workers), 1+len(round), func(worker, i int) error {
			if i > 0 {
				return m.workers[worker].mergeLists(m, &parts[i-1], round[i-1])
			}
			for k := range made {
				if err := m.take(o, &made[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		made = parts[:len(round)]
	}
	return nil
}

// perRound returns the number of parts of a round: one for a single goroutine, so that
// the part stays in the cache; several per goroutine otherwise, so that none waits long
// for the slowest.
func (m *merging) perRound() int {
	if len(m.workers) == 1 {
		return 1
	}
	return 4 * len(m.workers)
}

// run calls f for [0, n), on several workers. f may read the lists of all shards.
func (m *merging) run(ctx context.Context, n int, f func(i int) error) error {
	return postings.RunOver(ctx, m.shards, m.threads, n, func(_, i int) error { return f(i) })
}

// listBytes is the memory, in bytes, that merging a list takes per document.
const listBytes = 32

// take writes the lists of a part and spools its values.
func (m *merging) take(o *writer, p *listPart) error {
	for i := range p.escapeAt {
		p.escapeAt[i] += m.postings
	}
	m.postings += p.postings
	for _, size := range p.sizes {
		m.denseAt = append(m.denseAt, m.denseAt[len(m.denseAt)-1]+uint64(size))
	}
	for _, data := range [][]byte{p.dense, p.flat} {
		if err := o.append(data); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		kind sectionKind
		data []byte
	}{
		{countSection, p.counts},
		{escapePlaces, files.BytesOf(p.escapeAt)},
		{escapeSection, files.BytesOf(p.escaped)},
		{valueSection, files.BytesOf(p.single)},
		{exactSection, files.BytesOf(p.double)},
	} {
		if err := m.spools[s.kind].write(s.data); err != nil {
			return err
		}
	}
	return m.takeCells(p)
}

// seenDocuments is the set of documents that have a term, one bit per document.
type seenDocuments []atomic.Uint64

// add marks documents as seen. Most are already marked by a more frequent term, so it
// reads before it writes.
func (s seenDocuments) add(docs []uint32) {
	for _, d := range docs {
		if word, bit := &s[d/64], uint64(1)<<(d%64); word.Load()&bit == 0 {
			word.Or(bit)
		}
	}
}

func (s seenDocuments) count() (n int) {
	for i := range s {
		n += bits.OnesCount64(s[i].Load())
	}
	return n
}

// A listPart holds what a chunk of terms contributes to the sections.
type listPart struct {
	dense    []byte
	sizes    []int  // of the bitmaps in dense
	flat     []byte // packed
	counts   []uint8
	escapeAt []uint64 // relative to the first posting of the part
	escaped  []uint32
	single   []float32
	double   []float64
	postings uint64

	cells   table.Cells // of the terms whose cells are stored
	singles int         // cells of the others
}

// A listWorker is the memory of one goroutine that merges lists.
type listWorker struct {
	postings postings.List
	numbers  []uint32
	values   []float64
	list     [2]mergedList // the list of the term, and a buffer for merging
	docs     []uint32
	sums     *table.ClassSums
}

// A mergedList is a list while it is merged. An item has a document in its upper half
// and its count, or the place of its value, in the lower.
type mergedList struct {
	items []uint64
	ends  []int // ends of the shards' parts, each of which is ascending
}

// mergeLists merges the lists of a chunk of terms, with their values, and counts their cells.
func (w *listWorker) mergeLists(m *merging, p *listPart, terms pool.Range) error {
	p.reset(m)
	form := packing{documents: m.documents}
	for t := terms.From; t < terms.To; t++ {
		if err := w.gather(m, m.refsOf(t)); err != nil {
			return err
		}
		items := w.merged()
		if len(items) != int(m.terms[t].df) {
			return fmt.Errorf("store: the lists of term %d of the result changed while they were merged", t)
		}
		w.docs = slices.Grow(w.docs[:0], len(items))[:len(items)]
		docs := w.docs
		if m.isReal {
			p.putValues(docs, items, w.values, m.exact)
		} else {
			p.putCounts(docs, items)
		}
		if m.seen != nil {
			m.seen.add(docs)
		}
		if t >= m.long {
			form = form.of(len(docs))
			p.flat = form.append(p.flat, docs)
		} else {
			before := len(p.dense)
			p.dense = bitmap.Append(p.dense, docs)
			p.dense = append(p.dense, make([]byte, (before-len(p.dense))&7)...)
			p.sizes = append(p.sizes, len(p.dense)-before)
		}
		w.countCells(m, p, t, items)
	}
	return nil
}

// reset empties the part and keeps its memory.
func (p *listPart) reset(m *merging) {
	p.dense, p.sizes, p.flat = p.dense[:0], p.sizes[:0], p.flat[:0]
	p.counts, p.escapeAt, p.escaped, p.single, p.double, p.postings = p.counts[:0], p.escapeAt[:0], p.escaped[:0], p.single[:0], p.double[:0], 0
	p.cells.Reset()
	p.cells.Form, p.singles = m.cells.block.form, 0
}

// gather collects the lists of refs, with the numbers that their documents have in the
// result.
func (w *listWorker) gather(m *merging, refs []ref) error {
	l := &w.list[0]
	l.items, l.ends, w.values = l.items[:0], l.ends[:0], w.values[:0]
	for _, r := range refs {
		x, t := m.shards[r.shard], int(r.term)
		if err := x.Ready(pool.Range{From: t, To: t + 1}, true); err != nil {
			return err
		}
		x.Decode(t, &w.postings)
		before, n := len(l.items), len(w.postings.Docs)
		l.items = slices.Grow(l.items, n)[:before+n]
		items := l.items[before:]
		if m.isReal {
			w.postings.TF = x.Values.Read(x.Start[t], x.Start[t+1], w.postings.TF)
			for i, d := range w.renumber(&m.number[r.shard]) { // numbers of the result, and the places of values
				items[i] = uint64(d)<<32 | uint64(len(w.values)+i)
			}
			w.values = append(w.values, w.postings.TF...)
		} else {
			m.number[r.shard].itemsOfCounts(items, w.postings.Docs, x.Values.Counts[x.Start[t]:x.Start[t+1]])
			x.Values.EachEscape(x.Start[t], x.Start[t+1], func(i int, count uint32) {
				items[i] = items[i]&^math.MaxUint32 | uint64(count)
			})
		}
		l.ends = append(l.ends, len(l.items))
	}
	return nil
}

// renumber returns the numbers in the result of the documents in w.postings.
func (w *listWorker) renumber(n *classShift) []uint32 {
	docs := w.postings.Docs
	w.numbers = n.codes.Lookup(docs, w.numbers)
	for i, class := range w.numbers {
		w.numbers[i] = docs[i] + n.delta[class]
	}
	return w.numbers
}

// merged merges the parts of the list in pairs until one is left, and returns its
// items.
func (w *listWorker) merged() []uint64 {
	from, to := &w.list[0], &w.list[1]
	for len(from.ends) > 1 {
		to.items, to.ends = to.items[:0], to.ends[:0]
		begin := 0
		for i := 0; i < len(from.ends); i += 2 {
			if i+1 == len(from.ends) {
				to.items = append(to.items, from.items[begin:from.ends[i]]...)
			} else {
				to.items = mergeItems(to.items, from.items[begin:from.ends[i]], from.items[from.ends[i]:from.ends[i+1]])
				begin = from.ends[i+1]
			}
			to.ends = append(to.ends, len(to.items))
		}
		from, to = to, from
	}
	return from.items
}

// mergeItems appends two ascending lists to dst in order. In short lists the source
// changes after every document or two, so that a branch would be mispredicted every
// other time: the smaller item is chosen by a conditional move. Each step depends on
// the one before it; merging from both ends at once gives two independent chains.
func mergeItems(dst, a, b []uint64) []uint64 {
	n := len(dst)
	dst = slices.Grow(dst, len(a)+len(b))[:n+len(a)+len(b)]
	out := dst[n:]
	front, back := 0, len(out)
	i, j, aEnd, bEnd := 0, 0, len(a), len(b)
	for i < aEnd && j < bEnd { // both are not empty: the least and the greatest are different items
		x, y := a[i], b[j]
		least, step := y, 0
		if x < y {
			least, step = x, 1
		}
		out[front] = least
		front++
		i, j = i+step, j+1-step
		x, y = a[aEnd-1], b[bEnd-1]
		greatest, step := y, 0
		if x > y {
			greatest, step = x, 1
		}
		back--
		out[back] = greatest
		aEnd, bEnd = aEnd-step, bEnd-1+step
	}
	copy(out[front:], a[i:aEnd])
	copy(out[front+aEnd-i:back], b[j:bEnd])
	return dst
}

// putCounts appends the counts of a list to the part and writes its documents to docs.
func (p *listPart) putCounts(docs []uint32, items []uint64) {
	before, n := len(p.counts), len(items)
	p.counts = slices.Grow(p.counts, n)[:before+n]
	docs, counts := docs[:n], p.counts[before:]
	for i, item := range items {
		count := uint32(item)
		docs[i], counts[i] = uint32(item>>32), uint8(count)
		if count >= postings.Escape {
			counts[i] = postings.Escape
			p.escapeAt, p.escaped = append(p.escapeAt, p.postings+uint64(i)), append(p.escaped, count)
		}
	}
	p.postings += uint64(n)
}

// putValues appends the values of a list to the part and writes its documents to docs.
func (p *listPart) putValues(docs []uint32, items []uint64, values []float64, exact bool) {
	for i, item := range items {
		docs[i] = uint32(item >> 32)
		v := values[uint32(item)]
		p.single = append(p.single, float32(v))
		if !exact {
			p.double = append(p.double, v)
		}
	}
	p.postings += uint64(len(items))
}
