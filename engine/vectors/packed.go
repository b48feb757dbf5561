package vectors

import (
	"cmp"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/postings"
)

// This file has the two kinds of elementList.

// plainElements stores elements as they are, for real values.
type plainElements struct {
	index    *postings.Index
	postings postings.List
	elements []element
}

func (l *plainElements) addTerm(next []uint64, index uint32, term int) error {
	p := &l.postings
	if err := l.index.Read(term, p); err != nil {
		return err
	}
	for i, d := range p.Docs {
		l.elements[next[d]] = element{index, p.TF[i]}
		next[d]++
	}
	return nil
}

func (l *plainElements) share() elementList {
	return &plainElements{index: l.index, elements: l.elements}
}

func (l *plainElements) join([]elementList) {}

func (l *plainElements) appendRange(dst []element, from, to uint64) []element {
	return append(dst, l.elements[from:to]...)
}

// packedCounts stores an element in four bytes: the index and, in the lowest byte, the
// count, or escaped for a larger one. Writing goes to as many places in turn as there are
// documents, so that size decides: 1.3 million elements take 23 ms in sixteen bytes each,
// 15 in eight and 12 in four, reading them again included.
type packedCounts struct {
	index    *postings.Index
	postings postings.List
	counts   []uint32
	words    []uint32
	large    []largeCount // in the order of their places once joined
}

const (
	countBits      = 8
	escaped        = 1<<countBits - 1
	maxPackedTerms = 1 << (32 - countBits)
)

// A largeCount is a count of 255 or more.
type largeCount struct {
	place uint64 // in words
	count uint32
}

func (l *packedCounts) addTerm(next []uint64, index uint32, term int) (err error) {
	if err = l.index.ReadDocs(term, &l.postings); err != nil {
		return err
	}
	if l.counts, err = l.index.AppendCounts(l.counts[:0], term); err != nil {
		return err
	}
	counts := l.counts[:len(l.postings.Docs)]
	for i, d := range l.postings.Docs {
		at, count := next[d], counts[i]
		next[d] = at + 1
		if count >= escaped {
			l.large = append(l.large, largeCount{at, count})
			count = escaped
		}
		l.words[at] = index<<countBits | count
	}
	return nil
}

func (l *packedCounts) share() elementList { return &packedCounts{index: l.index, words: l.words} }

func (l *packedCounts) join(lists []elementList) {
	for _, list := range lists {
		l.large = append(l.large, list.(*packedCounts).large...)
	}
	sort.Slice(l.large, func(i, j int) bool { return l.large[i].place < l.large[j].place }) // few: smaller code than SortFunc
}

func (l *packedCounts) appendRange(dst []element, from, to uint64) []element {
	for i, word := range l.words[from:to] {
		count := word % (1 << countBits)
		if count == escaped {
			count = l.largeCountAt(from + uint64(i))
		}
		dst = append(dst, element{word >> countBits, float64(count)})
	}
	return dst
}

// largeCountAt returns the large count at a place.
func (l *packedCounts) largeCountAt(at uint64) uint32 {
	i, _ := slices.BinarySearchFunc(l.large, at, func(c largeCount, at uint64) int { return cmp.Compare(c.place, at) })
	return l.large[i].count
}
