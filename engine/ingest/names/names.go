// Package names merges lists of terms into one, on all threads. It takes the dictionaries of
// workers and gives every term of all of them one number; [Merge] is all of it.
package names

import (
	"context"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/pool"
)

const (
	partBits  = 6 // 64 parts: enough for the workers, and their tables stay in the caches
	partCount = 1 << partBits
)

// newInPart marks a number that counts the new names of a part; finishPart replaces it.
const newInPart = 1 << 31

// Merge merges lists of terms, none of which has a term twice. names has the terms
// by their numbers, and number[l][i] is the number of lists[l][i]. The numbers of the
// first list are its places, and number[0] is nil. Terms are divided into parts by their
// hashes, so that goroutines need not wait for each other.
func Merge(ctx context.Context, threads int, lists [][]string) (names []string, number [][]uint32, err error) {
	m := nameMerger{lists: lists, byPart: make([]partedNames, len(lists)), number: make([][]uint32, len(lists))}
	if len(lists) == 1 {
		return lists[0], m.number, nil
	}
	err = pool.Run(ctx, threads, len(lists), func(_, l int) error {
		m.byPart[l] = partByHash(lists[l])
		if l > 0 {
			m.number[l] = make([]uint32, len(lists[l]))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	err = pool.Run(ctx, threads, partCount, func(_, p int) error {
		m.numberPart(p)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	next := uint32(len(lists[0]))
	for p := range m.newNames {
		m.firstNew[p] = next
		next += uint32(len(m.newNames[p]))
	}
	names = make([]string, next)
	copy(names, lists[0])
	err = pool.Run(ctx, threads, partCount, func(_, p int) error {
		copy(names[m.firstNew[p]:], m.newNames[p])
		m.finishPart(p)
		return nil
	})
	return names, m.number, err
}

// A nameMerger is the state of mergeNames.
type nameMerger struct {
	lists    [][]string
	byPart   []partedNames
	number   [][]uint32
	newNames [partCount][]string // by part: terms that the first list does not have
	firstNew [partCount]uint32   // by part: the number of the first of them
}

// partedNames has the places of a list's terms, those of a part next to each other.
type partedNames struct {
	hashes []uint64
	places []uint32
	ends   [partCount]int // by part: where its places end
}

// partByHash divides names into parts by the highest bits of their hashes.
func partByHash(names []string) partedNames {
	p := partedNames{hashes: make([]uint64, len(names)), places: make([]uint32, len(names))}
	for i, name := range names {
		p.hashes[i] = xxh3.HashString(name)
		p.ends[p.hashes[i]>>(64-partBits)]++
	}
	before := 0
	for part, n := range p.ends {
		p.ends[part], before = before, before+n
	}
	for i, hash := range p.hashes {
		end := &p.ends[hash>>(64-partBits)]
		p.places[*end] = uint32(i)
		*end++
	}
	return p
}

// placesOf returns the places of the terms of part i.
func (p *partedNames) placesOf(i int) []uint32 {
	if i == 0 {
		return p.places[:p.ends[0]]
	}
	return p.places[p.ends[i-1]:p.ends[i]]
}

// numberPart looks up the terms of part p, list after list, and numbers the new ones
// within the part.
func (m *nameMerger) numberPart(p int) {
	size := 0
	for l := range m.byPart {
		size += len(m.byPart[l].placesOf(p))
	}
	t := newNameTable(size)
	for l := range m.byPart {
		for _, i := range m.byPart[l].placesOf(p) {
			name, hash := m.lists[l][i], m.byPart[l].hashes[i]
			slot := t.slotOf(name, hash)
			if !slot.used {
				*slot = nameSlot{name, hash, i, true}
				if l > 0 {
					slot.number = newInPart | uint32(len(m.newNames[p]))
					m.newNames[p] = append(m.newNames[p], name)
				}
			}
			if l > 0 {
				m.number[l][i] = slot.number
			}
		}
	}
}

// finishPart replaces the numbers within part p by those in the whole.
func (m *nameMerger) finishPart(p int) {
	for l := 1; l < len(m.lists); l++ {
		for _, i := range m.byPart[l].placesOf(p) {
			if n := m.number[l][i]; n&newInPart != 0 {
				m.number[l][i] = m.firstNew[p] + n&^newInPart
			}
		}
	}
}

// A nameTable is a hash table of terms with open addressing. Its length is a power of two.
type nameTable []nameSlot

type nameSlot struct {
	name   string
	hash   uint64
	number uint32
	used   bool
}

// newNameTable makes a table for n terms, in which half of the slots stay free.
func newNameTable(n int) nameTable {
	size := 4
	for size < 2*n && size <= math.MaxInt/2 {
		size *= 2
	}
	return make(nameTable, size)
}

// slotOf returns the slot of a term, or the free slot where it belongs.
func (t nameTable) slotOf(name string, hash uint64) *nameSlot {
	for i := hash; ; i++ {
		s := &t[i&uint64(len(t)-1)]
		if !s.used || s.hash == hash && s.name == name {
			return s
		}
	}
}
