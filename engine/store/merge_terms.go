package store

import (
	"bytes"
	"cmp"
	"container/heap"
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
		least := postings.LongFrom(m.documents)
		m.long = sort.Search(len(m.terms), func(i int) bool { return m.terms[i].df < least })
		return nil
	})
}

// refsOf returns the shards' terms that make up term t of the result.
func (m *merging) refsOf(t int) []ref { return m.refs[m.terms[t].first:m.terms[t].end] }

// uniteTerms returns the terms within the bounds in byte order, and the number of terms
// of each df.
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
	left := make([][]uint32, len(m.shards)) // by shard: the terms from the one on at which it stands, in the order of their bytes
	queue := queue{names: make([][]byte, len(m.shards))}
	add := func(shard int) {
		if len(left[shard]) > 0 {
			queue.add(shard, files.StringBytes(m.shards[shard].Terms.Term(int(left[shard][0]))))
		}
	}
	for i, x := range m.shards {
		left[i] = x.Terms.Sorted()
		add(i)
	}
	refs, n, size := 0, 0, uint64(0)
	for i := 0; queue.Len() > 0; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, usage.Cause(ctx)
		}
		t := mergedTerm{first: uint32(refs)}
		shards := queue.take()
		name := queue.names[shards[0]]
		for _, shard := range shards {
			term := left[shard][0]
			left[shard] = left[shard][1:]
			m.refs[refs] = ref{uint32(shard), term}
			refs++
			t.df += m.shards[shard].DocFreq[term]
			add(shard)
			if len(left[shard]) > 0 && bytes.Equal(queue.names[shard], name) {
				return nil, nil, twice(string(name))
			}
		}
		t.end = uint32(refs)
		if t.df < low || t.df > high {
			m.pruned = true
			continue
		}
		size += uint64(len(name))
		terms[n] = t
		of[t.df]++
		n++
	}
	return terms[:n], of, table.CheckNames(size)
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

// A queue has the names at which the parts of a merge stand: a heap of the parts by their names, then by their numbers.
type queue struct {
	names [][]byte // by part
	parts []int
	taken []int // what take has returned
}

func (q *queue) Len() int { return len(q.parts) }

func (q *queue) Less(i, j int) bool {
	a, b := q.parts[i], q.parts[j]
	return cmp.Or(bytes.Compare(q.names[a], q.names[b]), a-b) < 0
}

func (q *queue) Swap(i, j int) { q.parts[i], q.parts[j] = q.parts[j], q.parts[i] }

func (q *queue) Push(part any) { q.parts = append(q.parts, part.(int)) }

func (q *queue) Pop() any {
	last := q.parts[len(q.parts)-1]
	q.parts = q.parts[:len(q.parts)-1]
	return last
}

// add adds a part that stands at a name, which must not change before take has returned the part.
func (q *queue) add(part int, name []byte) {
	q.names[part] = name
	heap.Push(q, part)
}

// take removes the parts that stand at the first name, and returns them in their order. They are valid until the next
// call.
func (q *queue) take() []int {
	q.taken = q.taken[:0]
	for len(q.parts) > 0 && (len(q.taken) == 0 || bytes.Equal(q.names[q.parts[0]], q.names[q.taken[0]])) {
		q.taken = append(q.taken, heap.Pop(q).(int))
	}
	return q.taken
}
