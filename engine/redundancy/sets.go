package redundancy

import (
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/postings"
)

// A universe holds the (document, label) pairs, numbered class by class. Where no
// document has several labels, pairs are documents.
type universe struct {
	x     *postings.Index
	first []uint32 // class -> its first pair; and the end
	// Only where documents have several labels:
	start []uint32 // document -> its first element of pairs; and the end
	pairs []uint32
}

func newUniverse(x *postings.Index) *universe {
	u := &universe{x: x, first: make([]uint32, len(x.Classes)+1)}
	for c, n := range x.ClassSizes() {
		u.first[c+1] = u.first[c] + n
	}
	for d := range x.Documents() {
		if len(x.Labels(d)) > 1 {
			u.list()
			break
		}
	}
	return u
}

// list gives every document its pairs.
func (u *universe) list() {
	next := slices.Clone(u.first)
	u.start, u.pairs = make([]uint32, u.x.Documents()+1), make([]uint32, 0, u.size())
	for d := range u.x.Documents() {
		for _, c := range u.x.Labels(d) {
			u.pairs = append(u.pairs, next[c])
			next[c]++
		}
		u.start[d+1] = uint32(len(u.pairs))
	}
}

// size is the number of pairs.
func (u *universe) size() int { return int(u.first[len(u.first)-1]) }

// in is the number of pairs of a class.
func (u *universe) in(class uint32) int { return int(u.first[class+1] - u.first[class]) }

// with gives the pairs of a term, ascending.
func (u *universe) with(term int, p *postings.List) []uint32 {
	_ = u.x.ReadDocs(term, p) // begin has visited every list, and so verified it
	if u.start == nil {
		labelled, _ := slices.BinarySearch(p.Docs, uint32(u.size())) // the others come last
		return slices.Clone(p.Docs[:labelled])
	}
	var ids []uint32
	for _, d := range p.Docs {
		ids = append(ids, u.pairs[u.start[d]:u.start[d+1]]...)
	}
	slices.Sort(ids)
	return ids
}

// A set is a term: the pairs that have it.
type set struct {
	counts
	ids   []uint32
	cells []cell
	bits  bitmap.Bits // nil where the set is rare
	place []uint32    // class -> 1 + its cell; only of chosen sets, and few classes
}

// A cell is the part of a set in a class.
type cell struct {
	class uint32
	all   int32 // pairs of the class
	ids   []uint32
	apart int64 // n ln n of both parts, with the term and without
}

const (
	// Candidates have bits from this share of the pairs on, 8 bytes an id at most: the
	// bits of a class are read faster than its ids then.
	candidateBits = 64
	// Chosen sets, which a thousand candidates meet, have them far earlier: 128 bytes
	// an id at most.
	chosenBits = 1024
	// Up to so many classes the cell of a class is looked up in a table.
	tabledClasses = 1 << 10
)

// load makes the set of a term.
func (u *universe) load(i *information, term int, p *postings.List) *set {
	s := &set{ids: u.with(term, p)}
	for rest := s.ids; len(rest) > 0; {
		class, _ := slices.BinarySearch(u.first, rest[0]+1) // the last that begins there or before
		class--
		n, _ := slices.BinarySearch(rest, u.first[class+1])
		all := u.in(uint32(class))
		s.cells = append(s.cells, cell{uint32(class), int32(all), rest[:n], i.split(n, all)})
		rest = rest[n:]
	}
	s.counts = i.count(u, len(s.cells), func(k int) (uint32, int) { return s.cells[k].class, len(s.cells[k].ids) })
	s.index(u, candidateBits)
	return s
}

// index gives the set bits where it has that share of the pairs.
func (s *set) index(u *universe, share int) {
	if s.bits == nil && s.size >= u.size()/share {
		s.bits = bitmap.NewBits(s.ids, u.size())
	}
}

// choose makes the set ready to be met by many.
func (s *set) choose(u *universe) {
	s.index(u, chosenBits)
	if classes := len(u.x.Classes); classes <= tabledClasses {
		s.place = make([]uint32, classes)
		for i, c := range s.cells {
			s.place[c.class] = uint32(i) + 1
		}
	}
}

// cell finds the part of a chosen set in a class; nil where it has none.
func (s *set) cell(class uint32) *cell {
	if s.place != nil {
		if i := s.place[class]; i > 0 {
			return &s.cells[i-1]
		}
		return nil
	}
	i, found := slices.BinarySearchFunc(s.cells, class, func(c cell, class uint32) int { return int(c.class) - int(class) })
	if !found {
		return nil
	}
	return &s.cells[i]
}

// A word of bits costs what an id does, and a range of them some more.
const (
	rangeCost = 4
	wordBits  = 64
)

// common counts the pairs in [from, to) that two sets have in common; x are those of
// f and y those of s. It takes the cheapest of the forms that are there.
func common(f, s *set, x, y []uint32, from, to uint32) int {
	words := rangeCost + int(to-from)/wordBits
	switch {
	case f.bits != nil && s.bits != nil && min(len(x), len(y)) > words:
		return f.bits.CountAnd(s.bits, from, to)
	case s.bits != nil && (f.bits == nil || len(x) <= len(y)):
		return s.bits.CountOf(x)
	case f.bits != nil:
		return f.bits.CountOf(y)
	case len(x) > len(y):
		return commonOf(y, x)
	default:
		return commonOf(x, y)
	}
}

// commonOf looks the ids of a short list up in a longer one.
func commonOf(short, long []uint32) int {
	n := 0
	for _, id := range short {
		at, found := slices.BinarySearch(long, id)
		if found {
			n++
		}
		long = long[at:]
	}
	return n
}
