package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const countArraySignature = "func(counts []uint32, values []byte, bounds []uint32)"

// array finds the rank of every bound: a binary search whose steps are
// conditional moves narrows the values down to a window of one vector, and the
// values in it below the bound are counted at once.
//
// Each search begins anew. From the rank of the last bound it would be shorter,
// but would have to wait for it; so the CPU runs several of them at once.
func array(a *assembler) {
	a.countArrayAVX512()
	a.countArrayAVX2()
}

// differences adds to each count the difference of the ranks of its two bounds.
// rank writes the code for one bound.
func (a *assembler) differences(counts, bounds, n reg.Register, rank func(bound reg.GPVirtual) reg.GPVirtual) {
	bound, last, i := a.GP64(), a.GP32(), a.GP64()
	a.MOVL(from(bounds, 0), bound.As32())
	a.MOVL(rank(bound).As32(), last)
	a.XORL(i.As32(), i.As32())
	again := a.label("bound")
	a.Label(again)
	a.MOVL(at(bounds, i, 4, 4), bound.As32())
	next := rank(bound)
	a.SUBL(last, next.As32())
	a.ADDL(next.As32(), at(counts, i, 4, 0))
	a.ADDL(next.As32(), last)
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef(again))
}

// A search narrows ascending values down to a window of one vector.
type search struct {
	values, first, rest reg.GPVirtual
	window              int
}

// search prepares a search in window values or more. Its steps are powers of two,
// which need the fewest instructions: the first, f, is the largest below size, or
// the window. Where value f-1 is too small, the answer is in the last f values,
// else in the first f; the two overlap.
func (a *assembler) search(values, size reg.GPVirtual, window int) search {
	first, rest, bit := a.GP64(), a.GP64(), a.GP64()
	a.LEAQ(from(size, -1), bit)
	a.ORQ(U32(window), bit)
	a.BSRQ(bit, bit)
	a.XORL(first.As32(), first.As32())
	a.BTSQ(bit, first)
	a.MOVQ(size, rest)
	a.SUBQ(first, rest)
	return search{values, first, rest, window}
}

// find gives the place of the first value of the window. top is the bound less
// one; 16 bits of it are compared. The steps from 1,024 down, all that an array
// container has, are written out: 28 ns for five bounds in 4,096 values instead of
// 33 by a loop.
func (a *assembler) find(s search, top reg.GPVirtual) reg.GPVirtual {
	base, half, next := a.GP64(), a.GP64(), a.GP64()
	a.XORL(base.As32(), base.As32())
	a.CMPW(top.As16(), at(s.values, s.first, 2, -2))
	a.CMOVQCC(s.rest, base)
	step := func(place Mem) {
		a.LEAQ(place, next)
		a.CMPW(top.As16(), at(s.values, next, 2, -2))
		a.CMOVQCC(next, base)
	}
	const largest = 1024
	few, steps := a.label("few"), a.label("steps")
	a.CMPQ(s.first, U8(64))
	a.JBE(LabelRef(few))
	a.CMPQ(s.first, U32(2*largest))
	a.JBE(LabelRef(steps))
	a.MOVQ(s.first, half)
	again := a.label("narrow")
	a.Label(again)
	a.SHRQ(U8(1), half)
	step(at(base, half, 1, 0))
	a.CMPQ(half, U32(2*largest))
	a.JA(LabelRef(again))
	a.Label(steps)
	for h := largest; h >= s.window; h /= 2 {
		if h == 32 {
			a.Label(few)
		}
		smaller := a.label("below")
		a.CMPQ(s.first, U32(h))
		a.JBE(LabelRef(smaller))
		step(from(base, h))
		a.Label(smaller)
	}
	return base
}

func (a *assembler) countArrayAVX512() {
	a.function("countArrayAVX512", countArraySignature, "countArrayAVX512 works like countArrayGeneric.")
	counts, values, bounds := a.pointer("counts"), a.pointer("values").(reg.GPVirtual), a.pointer("bounds")
	n, size, zero := a.length("counts"), a.length("values"), a.GP64()
	a.SHRQ(U8(1), size)
	a.XORL(zero.As32(), zero.As32())

	// topOf is bound-1: v < bound becomes v <= top, since 65,536 does not fit in
	// 16 bits. No value is below bound 0, for which top is wrong.
	topOf := func(bound reg.GPVirtual) (reg.GPVirtual, reg.VecVirtual) {
		top, v := a.GP64(), a.ZMM()
		a.LEAL(from(bound, -1), top.As32())
		a.VPBROADCASTW(top.As32(), v)
		return top, v
	}
	const notLess = 5 // predicate of VPCMPUW

	a.CMPQ(size, U8(32))
	a.JAE(LabelRef("large"))
	few, members := a.ZMM(), a.K() // few values stay in one register
	a.firstLanes(size, members)
	a.VMOVDQU16_Z(from(values, 0), members, few)
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		less, r := a.K(), a.GP64()
		_, top := topOf(bound)
		a.VPCMPUW(U8(notLess), few, top, members, less)
		a.KMOVD(less, r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()

	a.Label("large")
	s := a.search(values, size, 32)
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		top, topLanes := topOf(bound)
		base, less, r := a.find(s, top), a.K(), a.GP64()
		a.VPCMPUW(U8(notLess), at(values, base, 2, 0), topLanes, less)
		a.KMOVD(less, r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.ADDL(base.As32(), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()
}

// countArrayAVX2 has no masks: up to 15 values are loaded in pairs, and an odd
// one at the end is compared by itself.
func (a *assembler) countArrayAVX2() {
	a.function("countArrayAVX2", countArraySignature, "countArrayAVX2 works like countArrayGeneric.")
	counts, values, bounds := a.pointer("counts"), a.pointer("values").(reg.GPVirtual), a.pointer("bounds")
	n, size, zero := a.length("counts"), a.length("values"), a.GP64()
	a.SHRQ(U8(1), size)
	a.XORL(zero.As32(), zero.As32())

	// atMost marks both bytes of each value v <= top, that is the minimum of the
	// two is v.
	atMost := func(top reg.GPVirtual, v Op) reg.VecVirtual {
		x, least := a.XMM(), a.YMM()
		a.VMOVD(top.As32(), x)
		a.VPBROADCASTW(x, least)
		a.VPMINUW(v, least, least)
		a.VPCMPEQW(v, least, least)
		return least
	}

	a.CMPQ(size, U8(16))
	a.JAE(LabelRef("large"))
	pairs, bits, odd := a.GP64(), a.GP64(), a.GP64()
	few := a.YMM()
	a.MOVQ(size, pairs)
	a.SHRQ(U8(1), pairs)
	a.VPMASKMOVD(from(values, 0), a.firstLanesAVX2(pairs), few)
	a.MOVL(U32(1<<16), odd.As32()) // below no bound
	a.TESTQ(U32(1), size)
	a.JZ(LabelRef("even"))
	a.MOVWLZX(at(values, size, 2, -2), odd.As32())
	a.Label("even")
	a.MOVL(I32(-1), bits.As32())
	a.SHLL(U8(2), pairs.As32())
	a.BZHIL(pairs.As32(), bits.As32(), bits.As32())
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		top, r := a.GP64(), a.GP64()
		a.LEAL(from(bound, -1), top.As32())
		a.VPMOVMSKB(atMost(top, few), r.As32())
		a.ANDL(bits.As32(), r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.SHRL(U8(1), r.As32())
		a.CMPL(odd.As32(), bound.As32())
		a.ADCL(U8(0), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()

	a.Label("large")
	s := a.search(values, size, 16)
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		top, r := a.GP64(), a.GP64()
		a.LEAL(from(bound, -1), top.As32())
		base := a.find(s, top)
		a.VPMOVMSKB(atMost(top, at(values, base, 2, 0)), r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.SHRL(U8(1), r.As32())
		a.ADDL(base.As32(), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()
}
