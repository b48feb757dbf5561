package store

import (
	"encoding/binary"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file merges the lists of a few terms.

// A listPart holds what a chunk of terms adds to the sections.
type listPart struct {
	text, lengths []byte
	sizes         []int // of the bitmaps
	dense         []byte
	flat          []uint32
	counts        []uint8
	escapeAt      []uint64 // from the first posting of the part
	escaped       []uint32
	single        []float32
	double        []float64
	postings      uint64
}

// A listWorker is what one goroutine needs to merge a list.
type listWorker struct {
	postings Postings
	counted  []uint32
	numbers  []uint32
	list     [2]mergedList // that of the term, and room for merging
	docs     []uint32
}

// A mergedList is a list in the making. An item has a document in its upper half and
// its count in the lower, or the place of its value.
type mergedList struct {
	items []uint64
	ends  []int // of the shards' parts, each ascending
}

// merge fills a part with a chunk of terms.
func (w *listWorker) merge(m *merging, p *listPart, terms pool.Range) error {
	p.reset()
	for t := terms.From; t < terms.To; t++ {
		refs := m.refs[m.terms[t].first:m.terms[t].end]
		name := m.shards[refs[0].shard].Terms.Term(int(refs[0].term))
		p.text = append(p.text, name...)
		p.lengths = binary.AppendUvarint(p.lengths, uint64(len(name)))
		values, err := w.gather(m, refs)
		if err != nil {
			return err
		}
		items := w.merged()
		w.docs = w.docs[:0]
		for _, item := range items {
			w.docs = append(w.docs, uint32(item>>32))
		}
		if m.seen != nil {
			m.seen.add(w.docs)
		}
		p.put(w.docs, items, values, m.isReal, t < m.long, m.exact)
	}
	return nil
}

func (p *listPart) reset() {
	p.text, p.lengths, p.sizes, p.dense, p.flat = p.text[:0], p.lengths[:0], p.sizes[:0], p.dense[:0], p.flat[:0]
	p.counts, p.escapeAt, p.escaped, p.single, p.double, p.postings = p.counts[:0], p.escapeAt[:0], p.escaped[:0], p.single[:0], p.double[:0], 0
}

// gather collects the lists of a term's refs, with the documents' new numbers, and its
// values if they are real.
func (w *listWorker) gather(m *merging, refs []ref) (values []float64, err error) {
	l := &w.list[0]
	l.items, l.ends = l.items[:0], l.ends[:0]
	for _, r := range refs {
		x, number := m.shards[r.shard], &m.number[r.shard]
		if m.isReal {
			if err = x.Read(int(r.term), &w.postings); err != nil {
				return nil, err
			}
			for i, d := range w.renumber(number) {
				l.items = append(l.items, uint64(d)<<32|uint64(len(values)))
				values = append(values, w.postings.TF[i])
			}
		} else {
			if err = x.ReadDocs(int(r.term), &w.postings); err != nil {
				return nil, err
			}
			if w.counted, err = x.AppendCounts(w.counted[:0], int(r.term)); err != nil {
				return nil, err
			}
			l.items = slices.Grow(l.items, len(w.counted))
			for i, d := range w.renumber(number) {
				l.items = append(l.items, uint64(d)<<32|uint64(w.counted[i]))
			}
		}
		l.ends = append(l.ends, len(l.items))
	}
	return values, nil
}

// renumber gives the new numbers of the documents that were read last.
func (w *listWorker) renumber(n *classShift) []uint32 {
	docs := w.postings.Docs
	w.numbers = n.codes.lookup(docs, w.numbers)
	for i, class := range w.numbers {
		w.numbers[i] = docs[i] + n.delta[class]
	}
	return w.numbers
}

// merged merges the parts of the list, two at a time, until there is one.
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

// mergeItems appends two ascending lists in order. Documents of shards are as good as
// random to each other within a class, so that a branch would be missed every other
// time: the smaller one is chosen by a conditional move.
func mergeItems(dst, a, b []uint64) []uint64 {
	n := len(dst)
	dst = slices.Grow(dst, len(a)+len(b))[:n+len(a)+len(b)]
	out, i, j := dst[n:], 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		least, step := y, 0
		if x < y {
			least, step = x, 1
		}
		out[i+j] = least
		i, j = i+step, j+1-step
	}
	copy(out[i+j:], a[i:])
	copy(out[i+j+len(a)-i:], b[j:])
	return dst
}

// put appends a list to the part.
func (p *listPart) put(docs []uint32, items []uint64, values []float64, isReal, long, exact bool) {
	if long {
		before := len(p.dense)
		p.dense = bitmap.Append(p.dense, docs)
		for (len(p.dense)-before)%8 != 0 {
			p.dense = append(p.dense, 0)
		}
		p.sizes = append(p.sizes, len(p.dense)-before)
	} else {
		p.flat = append(p.flat, docs...)
	}
	if isReal {
		for _, item := range items {
			v := values[uint32(item)]
			p.single = append(p.single, float32(v))
			if !exact {
				p.double = append(p.double, v)
			}
		}
	} else {
		for i, item := range items {
			count := uint32(item)
			if count >= escape {
				p.escapeAt, p.escaped = append(p.escapeAt, p.postings+uint64(i)), append(p.escaped, count)
			}
			p.counts = append(p.counts, uint8(min(count, escape)))
		}
	}
	p.postings += uint64(len(items))
}
