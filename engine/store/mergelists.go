package store

import (
	"context"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file merges the terms of several indexes, and their lists.

// A ref is a term of a shard.
type ref struct{ shard, term uint32 }

// A mergedTerm is a term of the result: its refs are those up to end, from the end of
// the term before it by their bytes.
type mergedTerm struct {
	df         uint32
	first, end uint32 // of refs
}

// mergeTerms walks through the sorted terms of all shards at once, then orders them by
// their frequencies.
func (m *merging) mergeTerms(ctx context.Context) error {
	return m.run(ctx, 1, func(int) error {
		terms, of, err := m.uniteTerms(ctx)
		if err != nil {
			return err
		}
		if m.terms, err = m.byFrequency(terms, of); err != nil {
			return err
		}
		least := longList(m.documents)
		m.long = sort.Search(len(m.terms), func(i int) bool { return m.terms[i].df < least })
		return nil
	})
}

// uniteTerms lists the terms within the bounds in the order of their bytes, and counts
// them by df.
func (m *merging) uniteTerms(ctx context.Context) (terms []mergedTerm, of map[uint32]uint32, err error) {
	total := 0
	for _, x := range m.shards {
		total += x.Terms.Len()
	}
	if m.refs, err = room[ref](&m.scratch, total); err != nil {
		return nil, nil, err
	}
	if terms, err = room[mergedTerm](&m.scratch, total); err != nil {
		return nil, nil, err
	}
	of = map[uint32]uint32{}
	low, high := bounds(BuildOptions{MinDF: m.opt.MinDF, MaxDF: m.opt.MaxDF}, m.documents)
	refs, n := 0, 0
	heads := newHeads(m.shards)
	for i := 0; len(heads) > 0; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		t := mergedTerm{first: uint32(refs)}
		for name := heads[0].name; len(heads) > 0 && heads[0].name == name; heads = heads.next() {
			h := heads[0]
			m.refs[refs] = ref{uint32(h.shard), h.sorted[0]}
			refs++
			t.df += m.shards[h.shard].df[h.sorted[0]]
		}
		t.end = uint32(refs)
		if t.df < low || t.df > high {
			m.pruned = true
			continue
		}
		terms[n] = t
		of[t.df]++
		n++
	}
	return terms[:n], of, nil
}

// byFrequency puts terms that are in the order of their bytes into that of an index: a
// counting sort, whose writes go on at one place for each df.
func (m *merging) byFrequency(terms []mergedTerm, of map[uint32]uint32) ([]mergedTerm, error) {
	sorted, err := room[mergedTerm](&m.scratch, len(terms))
	if err != nil {
		return nil, err
	}
	before := uint32(0)
	for _, df := range slices.Backward(slices.Sorted(maps.Keys(of))) {
		before, of[df] = before+of[df], before
	}
	for _, t := range terms {
		sorted[of[t.df]] = t
		of[t.df]++
	}
	return sorted, nil
}

// A head is the first term of a shard that has not been taken.
type head struct {
	name   string
	shard  int
	sorted []uint32 // from this term on
	terms  *Dictionary
}

// before orders by name, then by shard.
func (h *head) before(o *head) bool { return h.name < o.name || h.name == o.name && h.shard < o.shard }

// heads is a heap.
type heads []head

func newHeads(shards []*Index) heads {
	var hs heads
	for i, x := range shards {
		if sorted := x.Terms.Sorted(); len(sorted) > 0 {
			hs = append(hs, head{x.Terms.Term(int(sorted[0])), i, sorted, x.Terms})
		}
	}
	for i := len(hs)/2 - 1; i >= 0; i-- {
		hs.sink(i)
	}
	return hs
}

// next moves the first head to its next term.
func (hs heads) next() heads {
	h := &hs[0]
	if h.sorted = h.sorted[1:]; len(h.sorted) == 0 {
		hs[0] = hs[len(hs)-1]
		hs = hs[:len(hs)-1]
	} else {
		h.name = h.terms.Term(int(h.sorted[0]))
	}
	hs.sink(0)
	return hs
}

func (hs heads) sink(i int) {
	for {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(hs) && hs[child].before(&hs[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		hs[i], hs[least] = hs[least], hs[i]
		i = least
	}
}

// mergeLists merges the lists of the terms, a few chunks at a time.
func (m *merging) mergeLists(ctx context.Context) error {
	if err := m.putPlaces(nil); err != nil {
		return err
	}
	if m.opt.Counts != nil {
		m.seen = make(seenDocuments, (m.documents+63)/64)
	}
	chunks := pool.Split(len(m.terms), chunkCost, 1, func(t int) int64 { return int64(m.terms[t].df) + termCost })
	workers := make([]listWorker, m.listThreads())
	parts := make([]listPart, min(4*len(workers), max(len(chunks), 1)))
	for len(chunks) > 0 {
		round := chunks[:min(len(parts), len(chunks))]
		err := runOver(ctx, m.shards, len(workers), len(round), func(worker, i int) error {
			return workers[worker].merge(m, &parts[i], round[i])
		})
		if err != nil {
			return err
		}
		for i := range round {
			if err := m.take(&parts[i]); err != nil {
				return err
			}
		}
		chunks = chunks[len(round):]
	}
	return m.takeRuns()
}

// run runs work that reads the lists of all shards.
func (m *merging) run(ctx context.Context, n int, f func(i int) error) error {
	return runOver(ctx, m.shards, m.threads, n, func(_, i int) error { return f(i) })
}

// listBytes is what merging a list takes for each of its documents.
const listBytes = 32

// listThreads are as many as can merge the longest lists in half of the memory.
func (m *merging) listThreads() int {
	if m.opt.MaxMemory == 0 {
		return m.threads
	}
	return int(min(max(m.opt.MaxMemory/2/(listBytes*int64(max(m.documents, 1))), 1), int64(m.threads)))
}

// putPlaces appends the ends of bitmaps to dense-offsets, which begins with a 0.
func (m *merging) putPlaces(sizes []int) error {
	s := &m.spools[denseOffsets]
	var b [8]byte
	if s.n == 0 {
		if _, err := s.Write(b[:]); err != nil {
			return err
		}
	}
	at := uint64(m.spools[denseSection].n)
	for _, size := range sizes {
		at += uint64(size)
		le.PutUint64(b[:], at)
		if _, err := s.Write(b[:]); err != nil {
			return err
		}
	}
	return nil
}

// take appends a part to the sections.
func (m *merging) take(p *listPart) error {
	if err := m.putPlaces(p.sizes); err != nil {
		return err
	}
	for i := range p.escapeAt {
		p.escapeAt[i] += m.postings
	}
	m.postings += p.postings
	for _, s := range []struct {
		kind sectionKind
		data []byte
	}{
		{termText, p.text},
		{termLengths, p.lengths},
		{denseSection, p.dense},
		{flatSection, bytesOf(p.flat)},
		{countSection, p.counts},
		{escapePlaces, bytesOf(p.escapeAt)},
		{escapeSection, bytesOf(p.escaped)},
		{valueSection, bytesOf(p.single)},
		{exactSection, bytesOf(p.double)},
	} {
		if _, err := m.spools[s.kind].Write(s.data); err != nil {
			return err
		}
	}
	return nil
}

// takeRuns appends the frequencies, see appendRuns.
func (m *merging) takeRuns() error {
	for i := 0; i < len(m.terms); {
		run := i + 1
		for run < len(m.terms) && m.terms[run].df == m.terms[i].df {
			run++
		}
		if err := m.put32(dfRuns, m.terms[i].df); err != nil {
			return err
		}
		if err := m.put32(dfRuns, uint32(run-i)); err != nil {
			return err
		}
		i = run
	}
	return nil
}

// seenDocuments are those that have a term: a bit each.
type seenDocuments []atomic.Uint64

// add marks documents. Most have been marked before, by a more frequent term.
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
