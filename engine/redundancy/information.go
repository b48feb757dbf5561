package redundancy

import (
	"math"

	"github.com/termsift/termsift/engine/score"
)

// This file computes information from counts, in units of 2^-bits/M nats for M
// pairs: M times an entropy is a sum of n ln n over the counts of a table, and the
// elements of [score.FixedEntropy] are whole numbers. So a sum has the same bits in
// whatever order, and is off by the rounding of its elements alone, half a unit each:
// 1e-17 nats in 20 Newsgroups.

// information is what the formulas share.
type information struct {
	entropy []int64 // n ln n
	bits    int
	pairs   int
}

func newInformation(pairs int) *information {
	t := score.NewFixedEntropy(pairs)
	return &information{entropy: t.Of, bits: t.Bits, pairs: pairs}
}

// nats turns units into nats.
func (i *information) nats(v wide) float64 {
	if i.pairs == 0 {
		return 0
	}
	return math.Ldexp(v.float()/float64(i.pairs), -i.bits)
}

// split is n ln n of the two parts of n pairs, one of which has a.
func (i *information) split(a, n int) int64 { return i.entropy[a] + i.entropy[n-a] }

// counts are what the formulas want of one term.
type counts struct {
	size     int   // pairs with the term
	split    int64 // of all pairs
	within   int64 // Σ over the classes of their split less n ln n: 0 for absent ones
	elements int64 // that make the relevance
}

// count makes them from the classes where the term occurs.
func (i *information) count(u *universe, cells int, cell func(k int) (class uint32, n int)) counts {
	c := counts{elements: 3 + 3*int64(cells)}
	for k := range cells {
		class, n := cell(k)
		c.size += n
		c.within += i.split(n, u.in(class)) - i.entropy[u.in(class)]
	}
	c.split = i.split(c.size, i.pairs)
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
func (i *information) relevance(f *counts) int64 {
	return known(i.entropy[i.pairs]-f.split+f.within, f.elements)
}

// most is H(f), raised so that no information about f exceeds it by roundings.
func (i *information) most(f *counts) int64 { return i.entropy[i.pairs] - f.split + 2*f.elements }

// mutual is I(f;s).
func (i *information) mutual(f, s *set) int64 {
	n := common(f, s, f.ids, s.ids, 0, uint32(i.pairs))
	return known(i.entropy[i.pairs]-f.split-s.split+i.table(f.size, s.size, i.pairs, n), 9)
}

// table is n ln n of the four parts that sets of a and b make of all, with n in
// common.
func (i *information) table(a, b, all, n int) int64 {
	h := i.entropy
	return h[n] + h[a-n] + h[b-n] + h[all-a-b+n]
}

// conditional is I(f;C|s): what f and s tell together, H(C) + H(f,s) - H(f,s,C), less
// I(s;C). A class without s, or without f, has in it what it has of f.within.
func (i *information) conditional(u *universe, f, s *set) int64 {
	v, both := int64(0), 0
	for k := range f.cells {
		x := &f.cells[k]
		y := s.cell(x.class)
		if y == nil {
			continue
		}
		n := common(f, s, x.ids, y.ids, u.first[x.class], u.first[x.class+1])
		both += n
		v += i.table(len(x.ids), len(y.ids), int(x.all), n) + i.entropy[x.all] - x.apart - y.apart
	}
	return i.rest(f, s, v, both)
}

// rest makes I(f;C|s) of what the classes with both give, and of the pairs that they
// have in common.
func (i *information) rest(f, s *set, v int64, both int) int64 {
	return known(v+s.split+f.within-i.table(f.size, s.size, i.pairs, both), 2*f.elements)
}
