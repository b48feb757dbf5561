package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const countArraySignature = "func(counts []uint32, values []byte, bounds []uint32)"

// array finds the rank of every bound: a binary search whose steps are
// conditional moves narrows the values down to a window of one vector, and the
// values in it below the bound are counted at once. Since the values ascend, the
// window may be moved down to end where the values end: no load needs a mask.
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

// search narrows size values down to a window of so many. It gives the place of
// the first value of the window, with the window inside the values.
func (a *assembler) search(values, size, bound reg.GPVirtual, window int) reg.GPVirtual {
	base, rest := a.GP64(), a.GP64()
	a.XORL(base.As32(), base.As32())
	a.MOVQ(size, rest)
	narrow, found := a.label("narrow"), a.label("found")
	a.CMPQ(rest, U8(window))
	a.JBE(LabelRef(found))
	a.Label(narrow)
	half, next, value := a.GP64(), a.GP64(), a.GP32()
	a.MOVQ(rest, half)
	a.SHRQ(U8(1), half)
	a.LEAQ(at(base, half, 1, 0), next)
	a.MOVWLZX(at(values, next, 2, -2), value)
	a.SUBQ(half, rest)
	a.CMPL(value, bound.As32())
	a.CMOVQCS(next, base)
	a.CMPQ(rest, U8(window))
	a.JA(LabelRef(narrow))
	a.Label(found)
	end := a.GP64()
	a.LEAQ(from(size, -window), end)
	a.CMPQ(base, end)
	a.CMOVQHI(end, base)
	return base
}

func (a *assembler) countArrayAVX512() {
	a.function("countArrayAVX512", countArraySignature, "countArrayAVX512 works like countArrayGeneric.")
	counts, values, bounds := a.pointer("counts"), a.pointer("values").(reg.GPVirtual), a.pointer("bounds")
	n, size, zero := a.length("counts"), a.length("values"), a.GP64()
	a.SHRQ(U8(1), size)
	a.XORL(zero.As32(), zero.As32())

	// top is bound-1 in every lane: v < bound becomes v <= top, since 65,536 does
	// not fit. No value is below bound 0, which the caller of top sees to.
	top := func(bound reg.GPVirtual) reg.VecVirtual {
		t, v := a.GP32(), a.ZMM()
		a.LEAL(from(bound, -1), t)
		a.VPBROADCASTW(t, v)
		return v
	}
	const notLess = 5 // predicate of VPCMPUW

	a.CMPQ(size, U8(32))
	a.JAE(LabelRef("large"))
	few, members := a.ZMM(), a.K() // few values stay in one register
	a.firstLanes(size, members)
	a.VMOVDQU16_Z(from(values, 0), members, few)
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		less, r := a.K(), a.GP64()
		a.VPCMPUW(U8(notLess), few, top(bound), members, less)
		a.KMOVD(less, r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()

	a.Label("large")
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		base := a.search(values, size, bound, 32)
		less, r := a.K(), a.GP64()
		a.VPCMPUW(U8(notLess), at(values, base, 2, 0), top(bound), less)
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

	// atMost marks both bytes of each value v <= bound-1, that is the minimum of
	// the two is v.
	atMost := func(bound reg.GPVirtual, v Op) reg.VecVirtual {
		t, x, y := a.GP32(), a.XMM(), a.YMM()
		a.LEAL(from(bound, -1), t)
		a.VMOVD(t, x)
		a.VPBROADCASTW(x, y)
		least := a.YMM()
		a.VPMINUW(v, y, least)
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
		r := a.GP64()
		a.VPMOVMSKB(atMost(bound, few), r.As32())
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
	a.differences(counts, bounds, n, func(bound reg.GPVirtual) reg.GPVirtual {
		base := a.search(values, size, bound, 16)
		r := a.GP64()
		a.VPMOVMSKB(atMost(bound, at(values, base, 2, 0)), r.As32())
		a.POPCNTL(r.As32(), r.As32())
		a.SHRL(U8(1), r.As32())
		a.ADDL(base.As32(), r.As32())
		a.TESTL(bound.As32(), bound.As32())
		a.CMOVLEQ(zero.As32(), r.As32())
		return r
	})
	a.leave()
}
