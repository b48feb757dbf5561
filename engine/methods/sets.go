package methods

import (
	"math"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
)

// A universe holds the (document, label) pairs, numbered class by class. Where no
// document has several labels, pairs are documents.
//
// It computes information from counts, in units of 2^-bits/M nats for M
// pairs: M times an entropy is a sum of n ln n over the counts of a table, and the
// elements of [score.FixedEntropy] are whole numbers. So a sum has the same bits in
// whatever order, and is off by the rounding of its elements alone, half a unit each:
// 1e-17 nats in 20 Newsgroups.
type universe struct {
	x       *postings.Index
	entropy []int64 // n ln n
	bits    int
	first   []uint32 // class -> its first pair; and the end
	// Only where documents have several labels:
	start []uint32 // document -> its first element of pairs; and the end
	pairs []uint32
}

func newUniverse(x *postings.Index) *universe {
	u := &universe{x: x, first: make([]uint32, len(x.Classes)+1)}
	for c, n := range x.ClassSizes() {
		u.first[c+1] = u.first[c] + n
	}
	entropy := score.NewFixedEntropy(u.size())
	u.entropy, u.bits = entropy.Of, entropy.Bits
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
)

// load makes the set of a term.
func (u *universe) load(term int, p *postings.List) *set {
	s := &set{ids: u.with(term, p)}
	for rest := s.ids; len(rest) > 0; {
		class, _ := slices.BinarySearch(u.first, rest[0]+1) // the last that begins there or before
		class--
		n, _ := slices.BinarySearch(rest, u.first[class+1])
		all := u.in(uint32(class))
		s.cells = append(s.cells, cell{uint32(class), int32(all), rest[:n], u.split(n, all)})
		rest = rest[n:]
	}
	s.counts = u.count(len(s.cells), func(k int) (uint32, int) { return s.cells[k].class, len(s.cells[k].ids) })
	s.index(u, candidateBits)
	return s
}

// index gives the set bits where it has that share of the pairs.
func (s *set) index(u *universe, share int) {
	if s.bits == nil && s.size >= u.size()/share {
		s.bits = bitmap.NewBits(s.ids, u.size())
	}
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

// nats turns units into nats.
func (u *universe) nats(v wide) float64 {
	if u.size() == 0 {
		return 0
	}
	return math.Ldexp(v.float()/float64(u.size()), -u.bits)
}

// split is n ln n of the two parts of n pairs, one of which has a.
func (u *universe) split(a, n int) int64 { return u.entropy[a] + u.entropy[n-a] }

// counts are what the formulas want of one term.
type counts struct {
	size     int   // pairs with the term
	split    int64 // of all pairs
	within   int64 // Σ over the classes of their split less n ln n: 0 for absent ones
	elements int64 // that make the relevance
}

// count makes them from the classes where the term occurs.
func (u *universe) count(cells int, cell func(k int) (class uint32, n int)) counts {
	c := counts{elements: 3 + 3*int64(cells)}
	for k := range cells {
		class, n := cell(k)
		c.size += n
		c.within += u.split(n, u.in(class)) - u.entropy[u.in(class)]
	}
	c.split = u.split(c.size, u.size())
	return c
}

// known is 0 for what may be rounding only, that is no more units than elements
// (their roundings are half as much at most): independent terms have exactly none.
func known(v, elements int64) int64 {
	if v <= elements {
		return 0
	}
	return v
}

// relevance is I(f;C).
func (u *universe) relevance(f *counts) int64 {
	return known(u.entropy[u.size()]-f.split+f.within, f.elements)
}

// most is H(f), raised so that no information about f exceeds it by roundings.
func (u *universe) most(f *counts) int64 { return u.entropy[u.size()] - f.split + 2*f.elements }

// mutual is I(f;s).
func (u *universe) mutual(f, s *set) int64 {
	n := common(f, s, f.ids, s.ids, 0, uint32(u.size()))
	return known(u.entropy[u.size()]-f.split-s.split+u.table(f.size, s.size, u.size(), n), 9)
}

// table is n ln n of the four parts that sets of a and b make of all, with n in
// common.
func (u *universe) table(a, b, all, n int) int64 {
	h := u.entropy
	return h[n] + h[a-n] + h[b-n] + h[all-a-b+n]
}

// conditional is I(f;C|s): what f and s tell together, H(C) + H(f,s) - H(f,s,C), less
// I(s;C). A class without s, or without f, has in it what it has of f.within.
func (u *universe) conditional(f, s *set) int64 {
	v, both := int64(0), 0
	rest := s.cells // in the order of the classes, as those of f
	for k := range f.cells {
		x := &f.cells[k]
		at := 0
		for at < len(rest) && rest[at].class < x.class {
			at++
		}
		if rest = rest[at:]; len(rest) == 0 {
			break
		}
		y := &rest[0]
		if y.class != x.class {
			continue
		}
		n := common(f, s, x.ids, y.ids, u.first[x.class], u.first[x.class+1])
		both += n
		v += u.table(len(x.ids), len(y.ids), int(x.all), n) + u.entropy[x.all] - x.apart - y.apart
	}
	return known(v+s.split+f.within-u.table(f.size, s.size, u.size(), both), 2*f.elements)
}

// A wide is a whole number of 128 bits: sums over any number of chosen terms are
// exact, so that no rounding decides between candidates.
type wide struct {
	hi int64
	lo uint64
}

// whole is v.
func whole(v int64) wide { return wide{v >> 63, uint64(v)} }

// plus is x + v.
func (x wide) plus(v int64) wide {
	return x.add(whole(v))
}

// add is x + y.
func (x wide) add(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return wide{x.hi + y.hi + int64(carry), lo}
}

// plusProduct is x + m·v, for m and v of at least 0.
func (x wide) plusProduct(m, v int64) wide {
	hi, lo := bits.Mul64(uint64(m), uint64(v))
	return x.add(wide{int64(hi), lo})
}

// less says that x < y.
func (x wide) less(y wide) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// float is x as a float64, off by no more than two roundings.
func (x wide) float() float64 {
	if x.hi < 0 { // as its opposite: a small one would cancel
		lo, borrow := bits.Sub64(0, x.lo, 0)
		return -wide{-x.hi - int64(borrow), lo}.float()
	}
	return float64(float64(x.hi)*(1<<64)) + float64(x.lo)
}
