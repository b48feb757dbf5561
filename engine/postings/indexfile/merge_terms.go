package indexfile

import (
	"context"
	"maps"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file unites the terms of several indexes and sorts them.

// A ref is a term of a shard.
type ref struct{ shard, term uint32 }

// A mergedTerm is a term of the result. Its refs are m.refs[first:end].
type mergedTerm struct {
	df         uint32
	first, end uint32 // of refs
}

// mergeTerms merges the sorted terms of all shards, then sorts them by their
// frequencies.
func (m *merging) mergeTerms(ctx context.Context) error {
	return m.run(ctx, 1, func(int) error {
		terms, of, err := m.uniteTerms(ctx)
		if err != nil {
			return err
		}
		if m.terms, err = m.byFrequency(terms, of); err != nil {
			return err
		}
		m.lengths[dfRuns] = 8 * len(of)
		least := postings.LongFrom(m.documents)
		m.long = sort.Search(len(m.terms), func(i int) bool { return m.terms[i].df < least })
		return nil
	})
}

// refsOf returns the shards' terms that make up term t of the result.
func (m *merging) refsOf(t int) []ref { return m.refs[m.terms[t].first:m.terms[t].end] }

// uniteTerms returns the terms within the bounds in byte order, and the number of terms
// of each df. It adds up the lengths of their names.
func (m *merging) uniteTerms(ctx context.Context) (terms []mergedTerm, of map[uint32]uint32, err error) {
	total := 0
	for _, x := range m.shards {
		total += x.Terms.Len()
	}
	if m.refs, err = files.Room[ref](&m.scratch, total); err != nil {
		return nil, nil, err
	}
	if terms, err = files.Room[mergedTerm](&m.scratch, total); err != nil {
		return nil, nil, err
	}
	of = map[uint32]uint32{}
	low, high := postings.BuildOptions{MinDF: m.opt.MinDF, MaxDF: m.opt.MaxDF}.Bounds(m.documents)
	refs, n := 0, 0
	heads := newHeads(m.shards)
	for i := 0; len(heads) > 0; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, usage.Cause(ctx)
		}
		t := mergedTerm{first: uint32(refs)}
		name := heads[0].name
		for len(heads) > 0 && heads[0].name == name {
			h := heads[0]
			if refs > int(t.first) && m.refs[refs-1].shard == uint32(h.shard) {
				return nil, nil, twice(name)
			}
			m.refs[refs] = ref{uint32(h.shard), h.sorted[0]}
			refs++
			t.df += m.shards[h.shard].DocFreq[h.sorted[0]]
			heads = heads.next()
		}
		t.end = uint32(refs)
		if t.df < low || t.df > high {
			m.pruned = true
			for _, r := range m.refs[t.first:t.end] {
				values, start := &m.shards[r.shard].Values, m.shards[r.shard].Start
				m.escapes -= values.EscapesFrom(start[r.term+1]) - values.EscapesFrom(start[r.term])
			}
			continue
		}
		m.lengths[termText] += len(name)
		m.lengths[termLengths] += varintBytes(len(name))
		terms[n] = t
		of[t.df]++
		n++
	}
	return terms[:n], of, nil
}

// byFrequency sorts terms from byte order into the order of an index. It is a counting sort,
// which writes sequentially for each df.
func (m *merging) byFrequency(terms []mergedTerm, of map[uint32]uint32) ([]mergedTerm, error) {
	sorted, err := files.Room[mergedTerm](&m.scratch, len(terms))
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

// A head is the first term of a shard that has not been merged.
type head struct {
	name   string
	shard  int
	sorted []uint32 // from this term on
	terms  *table.Dictionary
}

// before orders heads by name, then by shard.
func (h *head) before(o *head) bool { return h.name < o.name || h.name == o.name && h.shard < o.shard }

// heads is a min-heap.
type heads []head

func newHeads(shards []*postings.Index) heads {
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

// next advances the first head to its next term, or removes it at the end of its shard,
// and restores the heap.
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

// sink moves head i down until its children are not before it.
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
