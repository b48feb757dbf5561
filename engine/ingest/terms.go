package ingest

import (
	"context"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

const (
	partBits  = 6 // 64 parts: enough for the workers, and their tables stay in the caches
	partCount = 1 << partBits
)

// newInPart marks a number that counts the new names of a part; finishList replaces it.
const newInPart = 1 << 31

// This file merges the dictionaries of several workers into one.

// mergeTerms merges the dictionaries of the workers. number[w][i] is the number of term i of worker w in the
// dictionary. The terms of the first worker keep their numbers, so that its postings stay as they are, and number[0]
// is nil.
func mergeTerms(ctx context.Context, threads int, workers []*worker) (terms *table.Dictionary, number [][]uint32, err error) {
	lists := make([]*analysis.Vocabulary, len(workers))
	err = pool.Run(ctx, threads, len(workers), func(_, i int) error {
		lists[i] = workers[i].counter.Vocabulary()
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return mergeVocabularies(ctx, threads, lists)
}

// mergeVocabularies is mergeTerms for vocabularies: words by their names, then n-grams by their numbers.
func mergeVocabularies(ctx context.Context, threads int, lists []*analysis.Vocabulary) (terms *table.Dictionary, number [][]uint32, err error) {
	words := make([][]string, len(lists))
	for i, v := range lists {
		words[i] = v.Words
	}
	names, number, err := mergeNames(ctx, threads, words)
	if err != nil {
		return nil, nil, err
	}
	if lists[0].Units != nil {
		return mergeGrams(ctx, threads, lists, names, number)
	}
	return table.NamedBy(len(names), func(id int) string { return names[id] }), number, nil
}

// mergeNames merges lists of terms, none of which has a term twice. names has the terms
// by their numbers, and number[l][i] is the number of lists[l][i]. The numbers of the
// first list are its places, and number[0] is nil. Terms are divided into parts by their
// hashes, so that goroutines need not wait for each other.
func mergeNames(ctx context.Context, threads int, lists [][]string) (names []string, number [][]uint32, err error) {
	m := nameMerger{lists: lists, byPart: make([]partedNames, len(lists)), number: make([][]uint32, len(lists))}
	if len(lists) == 1 {
		return lists[0], m.number, nil
	}
	err = pool.Run(ctx, threads, len(lists), func(_, l int) error {
		m.byPart[l] = partByHash(lists[l])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	tables := make([]nameTable, pool.Threads(threads))
	err = pool.Run(ctx, threads, partCount, func(worker, p int) error {
		m.numberPart(p, &tables[worker])
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
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	err = pool.Run(ctx, threads, len(lists)-1, func(_, l int) error {
		m.finishList(l + 1)
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

// partedNames has the hashes, the places and the numbers of a list's terms, those of a part next to
// each other: goroutines that number different parts write to different cache lines.
type partedNames struct {
	hashes  []uint64
	places  []uint32
	numbers []uint32
	ends    [partCount]int // by part: where its terms end
}

// partByHash divides names into parts by the highest bits of their hashes.
func partByHash(names []string) partedNames {
	p := partedNames{hashes: make([]uint64, len(names)), places: make([]uint32, len(names)), numbers: make([]uint32, len(names))}
	all := make([]uint64, len(names))
	for i, name := range names {
		all[i] = xxh3.HashString(name)
		p.ends[all[i]>>(64-partBits)]++
	}
	before := 0
	for part, n := range p.ends {
		p.ends[part], before = before, before+n
	}
	for i, hash := range all {
		end := &p.ends[hash>>(64-partBits)]
		p.hashes[*end], p.places[*end] = hash, uint32(i)
		*end++
	}
	return p
}

// part returns the range of the terms of part i.
func (p *partedNames) part(i int) (from, to int) {
	if i > 0 {
		from = p.ends[i-1]
	}
	return from, p.ends[i]
}

// numberPart looks up the terms of part p, list after list, and numbers the new ones
// within the part.
func (m *nameMerger) numberPart(p int, t *nameTable) {
	size := 0
	for l := range m.byPart {
		from, to := m.byPart[l].part(p)
		size += to - from
	}
	t.reset(size)
	for l := range m.byPart {
		own := &m.byPart[l]
		from, to := own.part(p)
		for k := from; k < to; k++ {
			name, hash := m.lists[l][own.places[k]], own.hashes[k]
			slot := t.slotOf(name, hash)
			if !slot.used {
				*slot = nameSlot{name, hash, own.places[k], true}
				if l > 0 {
					slot.number = newInPart | uint32(len(m.newNames[p]))
					m.newNames[p] = append(m.newNames[p], name)
				}
			}
			own.numbers[k] = slot.number
		}
	}
}

// finishList sets the numbers of list l, those within a part replaced by those in the whole.
func (m *nameMerger) finishList(l int) {
	own := &m.byPart[l]
	m.number[l] = make([]uint32, len(own.places))
	for p, first := range m.firstNew {
		from, to := own.part(p)
		for k := from; k < to; k++ {
			n := own.numbers[k]
			if n&newInPart != 0 {
				n = first + n&^newInPart
			}
			m.number[l][own.places[k]] = n
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

// reset empties the table, whose memory serves one part after another, and makes room for n terms,
// with which half of the slots stay free.
func (t *nameTable) reset(n int) {
	size := 4
	for size < 2*n && size <= math.MaxInt/2 {
		size *= 2
	}
	*t = slices.Grow((*t)[:0], size)[:size]
	clear(*t)
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
