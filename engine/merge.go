package engine

import (
	"context"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
)

// This file joins the dictionaries of several workers.

const (
	mergeBits  = 6 // 64 parts: enough for the workers, and their tables stay in the caches
	mergeParts = 1 << mergeBits
	// findTerms is what a worker looks up at a time.
	findTerms = 1 << 13
	missing   = math.MaxUint32
)

// mergeTerms numbers the terms of several shards together. number[i] has the
// numbers of shard i's terms; that of the first shard is nil, for they keep their
// numbers, so that its postings, and the frequent terms with the low ones, stay as
// they are.
//
// Most terms of a shard are in the first one's dictionary, where they are found
// by the keys of the scanner: 90,000 of them take 2 ms. Only the others are
// merged by their hashes, which would take 14 for all.
func mergeTerms(ctx context.Context, threads int, shards []*shard) (names []string, number [][]uint32, err error) {
	lists := make([][]string, len(shards))
	err = pool.Run(ctx, threads, len(shards), func(_, i int) error {
		lists[i] = shards[i].counter.Names()
		return nil
	})
	if err != nil || len(shards) == 1 {
		return lists[0], make([][]uint32, 1), err
	}
	number = make([][]uint32, len(shards))
	others := make([][]string, len(shards)-1) // that the first shard does not have
	for i, list := range lists[1:] {
		if number[i+1], err = findAll(ctx, threads, shards[0].counter, list); err != nil {
			return nil, nil, err
		}
		for at, n := range number[i+1] {
			if n == missing {
				others[i] = append(others[i], list[at])
			}
		}
	}
	more, moreNumber, err := mergeNames(ctx, threads, others)
	if err != nil {
		return nil, nil, err
	}
	for i := range others {
		settle(number[i+1], moreNumber[i], uint32(len(lists[0])))
	}
	return append(lists[0], more...), number, nil
}

// findAll gives the numbers of terms in a counter, or missing.
func findAll(ctx context.Context, threads int, c *analysis.Counter, terms []string) ([]uint32, error) {
	number := make([]uint32, len(terms))
	err := pool.Run(ctx, threads, (len(terms)+findTerms-1)/findTerms, func(_, chunk int) error {
		from := chunk * findTerms
		for i, term := range terms[from:min(from+findTerms, len(terms))] {
			n, ok := c.Find(term)
			if !ok {
				n = missing
			}
			number[from+i] = n
		}
		return nil
	})
	return number, err
}

// settle gives the missing terms of a list, in their order, the numbers of theirs
// behind first; nil numbers are 0, 1, 2 and so on.
func settle(number, theirs []uint32, first uint32) {
	at := uint32(0)
	for i, n := range number {
		if n != missing {
			continue
		}
		number[i] = first + at
		if theirs != nil {
			number[i] = first + theirs[at]
		}
		at++
	}
}

// fresh marks a number that is still one within its part.
const fresh = 1 << 31

// mergeNames numbers the terms of several lists, none of which has a term twice.
// number[l][i] is the number of lists[l][i]; those of the first list are their
// places, and number[0] is nil. Terms are parted by their hashes, so that the
// workers need not wait for each other.
func mergeNames(ctx context.Context, threads int, lists [][]string) (names []string, number [][]uint32, err error) {
	m := merger{lists: lists, sorted: make([]parting, len(lists)), number: make([][]uint32, len(lists))}
	if len(lists) == 1 {
		return lists[0], m.number, nil
	}
	err = pool.Run(ctx, threads, len(lists), func(_, l int) error {
		m.sorted[l] = partNames(lists[l])
		if l > 0 {
			m.number[l] = make([]uint32, len(lists[l]))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	err = pool.Run(ctx, threads, mergeParts, func(_, p int) error {
		m.find(p)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	next := uint32(len(lists[0]))
	for p := range m.added {
		m.base[p] = next
		next += uint32(len(m.added[p]))
	}
	names = make([]string, next)
	copy(names, lists[0])
	err = pool.Run(ctx, threads, mergeParts, func(_, p int) error {
		copy(names[m.base[p]:], m.added[p])
		m.settle(p)
		return nil
	})
	return names, m.number, err
}

type merger struct {
	lists  [][]string
	sorted []parting
	number [][]uint32
	added  [mergeParts][]string // terms that the first list does not have
	base   [mergeParts]uint32   // the number of the first of them
}

// A parting has the places of a list's terms, those of each part together.
type parting struct {
	hashes []uint64
	places []uint32
	ends   [mergeParts]int
}

func partNames(names []string) parting {
	p := parting{hashes: make([]uint64, len(names)), places: make([]uint32, len(names))}
	for i, name := range names {
		p.hashes[i] = xxh3.HashString(name)
		p.ends[p.hashes[i]>>(64-mergeBits)]++
	}
	before := 0
	for part, n := range p.ends {
		p.ends[part], before = before, before+n
	}
	for i, hash := range p.hashes {
		end := &p.ends[hash>>(64-mergeBits)]
		p.places[*end] = uint32(i)
		*end++
	}
	return p
}

// part lists the places of one part.
func (p *parting) part(i int) []uint32 {
	if i == 0 {
		return p.places[:p.ends[0]]
	}
	return p.places[p.ends[i-1]:p.ends[i]]
}

// find looks the terms of part p up, list after list, and numbers the new ones
// within the part.
func (m *merger) find(p int) {
	size := 0
	for l := range m.sorted {
		size += len(m.sorted[l].part(p))
	}
	t := newNameTable(size)
	for l := range m.sorted {
		for _, i := range m.sorted[l].part(p) {
			name, hash := m.lists[l][i], m.sorted[l].hashes[i]
			slot := t.find(name, hash)
			if !slot.used {
				*slot = nameSlot{name, hash, i, true}
				if l > 0 {
					slot.number = fresh | uint32(len(m.added[p]))
					m.added[p] = append(m.added[p], name)
				}
			}
			if l > 0 {
				m.number[l][i] = slot.number
			}
		}
	}
}

// settle gives the new terms of part p their numbers.
func (m *merger) settle(p int) {
	for l := 1; l < len(m.lists); l++ {
		for _, i := range m.sorted[l].part(p) {
			if n := m.number[l][i]; n&fresh != 0 {
				m.number[l][i] = m.base[p] + n&^fresh
			}
		}
	}
}

// A nameTable finds terms by open addressing.
type nameTable []nameSlot

type nameSlot struct {
	name   string
	hash   uint64
	number uint32
	used   bool
}

// newNameTable makes room for n terms, of which half of the slots stay free.
func newNameTable(n int) nameTable {
	size := 4
	for size < 2*n && size <= math.MaxInt/2 {
		size *= 2
	}
	return make(nameTable, size)
}

// find gives the slot of a term, or the free one where it belongs.
func (t nameTable) find(name string, hash uint64) *nameSlot {
	for i := hash; ; i++ {
		s := &t[i&uint64(len(t)-1)]
		if !s.used || s.hash == hash && s.name == name {
			return s
		}
	}
}
