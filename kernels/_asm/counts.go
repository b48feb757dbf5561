package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	addCountsSignature = "func(sums, index []uint32, values []float32, largest uint32) bool"
	notEqual           = 4 // predicates of VCMPPS and VPCMPUD; true for NaN
	notLess            = 5
	greater            = 6
)

// addCounts checks a vector of elements at once and adds them one by one, while the
// next are on their way from memory: to convert a row first and add it then takes as
// long as plain Go. Places are compared with those one further on, so that the loop is
// over pairs; the last element has none.
func addCounts(a *assembler) {
	a.addCountsAVX512()
	a.addCountsAVX2()
}

// An adder is what both forms have in registers.
type adder struct {
	*assembler
	sums, index, values reg.Register
	n, i                reg.GPVirtual
	counts              Mem // of a vector, on the stack
}

func (a *assembler) newAdder(lanes int) adder {
	r := adder{a, a.pointer("sums"), a.pointer("index"), a.pointer("values"), a.length("values"), a.GP64(), a.AllocLocal(4 * lanes)}
	a.XORL(r.i.As32(), r.i.As32())
	return r
}

// prefetch asks for what is 1024 bytes on, where the rows that follow are mostly: 13 %
// faster, the processor alone does not look beyond a page.
func (r adder) prefetch() {
	r.PREFETCHT0(at(r.index, r.i, 4, 1024))
	r.PREFETCHT0(at(r.values, r.i, 4, 1024))
}

// add adds a whole vector of counts, two to a load: loads are what there is most of.
func (r adder) add(lanes int) {
	for j := 0; j < lanes; j += 2 {
		two, first, counts := r.GP64(), r.GP64(), r.GP64()
		r.MOVQ(at(r.index, r.i, 4, 4*j), two)
		r.MOVQ(r.counts.Offset(4*j), counts)
		r.MOVL(two.As32(), first.As32())
		r.ADDL(counts.As32(), at(r.sums, first, 4, 0))
		r.SHRQ(U8(32), two)
		r.SHRQ(U8(32), counts)
		r.ADDL(counts.As32(), at(r.sums, two, 4, 0))
	}
	r.ADDQ(U8(lanes), r.i)
}

// leave adds the n elements of the last vector, at least one, and returns true, or
// false behind the label wrong.
func (r adder) leave() {
	place, count, j := r.GP64(), r.GP32(), r.GP64()
	r.LEAQ(at(r.index, r.i, 4, 0), r.index)
	counts := r.GP64()
	r.LEAQ(r.counts, counts)
	r.XORL(j.As32(), j.As32())
	r.Label("one")
	r.MOVL(at(r.index, j, 4, 0), place.As32())
	r.MOVL(at(counts, j, 4, 0), count)
	r.ADDL(count, at(r.sums, place, 4, 0))
	r.INCQ(j)
	r.CMPQ(j, r.n)
	r.JB(LabelRef("one"))
	result := r.GP8()
	r.MOVB(U8(1), result)
	r.VZEROUPPER()
	r.Store(result, r.ReturnIndex(0))
	r.RET()
	r.Label("wrong")
	r.XORB(result, result)
	r.VZEROUPPER()
	r.Store(result, r.ReturnIndex(0))
	r.RET()
}

func (a *assembler) addCountsAVX512() {
	a.function("addCountsAVX512", addCountsSignature, "addCountsAVX512 works like addCountsGeneric.")
	r := a.newAdder(16)
	largest, limit := a.ZMM(), a.ZMM()
	bound := a.GP32()
	a.MOVL(a.param("largest"), bound)
	a.VPBROADCASTD(bound, largest)
	last := a.length("sums")
	a.DECQ(last)
	a.VPBROADCASTD(last.As32(), limit)
	// check converts values and goes to wrong unless all are counts, their places in
	// lanes of some within the sums, and none of the bits of order is set.
	check := func(place, v reg.VecVirtual, order reg.Register) {
		whole, back := a.ZMM(), a.ZMM()
		other, large, far := a.K(), a.K(), a.K()
		a.VCVTTPS2UDQ(v, whole)
		a.VMOVDQU32(whole, r.counts)
		a.VCVTUDQ2PS(whole, back)
		a.VCMPPS(U8(notEqual), v, back, other)
		a.VPCMPUD(U8(greater), largest, whole, large)
		a.VPCMPUD(U8(greater), limit, place, far)
		a.KORW(order, other, other)
		a.KORW(large, far, far)
		a.KORTESTW(other, far)
		a.JNZ(LabelRef("wrong"))
	}
	place, next, v, order := a.ZMM(), a.ZMM(), a.ZMM(), a.K()
	a.SUBQ(U8(17), r.n) // a vector of pairs
	a.JB(LabelRef("tail"))
	a.Label("vector")
	r.prefetch()
	a.VMOVDQU32(at(r.index, r.i, 4, 0), place)
	a.VPCMPUD(U8(notLess), at(r.index, r.i, 4, 4), place, order)
	a.VMOVUPS(at(r.values, r.i, 4, 0), v)
	check(place, v, order)
	r.add(16)
	a.SUBQ(U8(16), r.n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(16), r.n) // pairs
	pairs, rest := a.K(), a.K()
	a.firstLanes(r.n, pairs)
	a.INCQ(r.n)
	a.firstLanes(r.n, rest)
	a.VMOVDQU32_Z(at(r.index, r.i, 4, 0), rest, place)
	a.VMOVDQU32_Z(at(r.index, r.i, 4, 4), pairs, next)
	a.VPCMPUD(U8(notLess), next, place, pairs, order)
	a.VMOVUPS_Z(at(r.values, r.i, 4, 0), rest, v)
	check(place, v, order)
	r.leave()
}

func (a *assembler) addCountsAVX2() {
	a.function("addCountsAVX2", addCountsSignature, "addCountsAVX2 works like addCountsGeneric.")
	r := a.newAdder(8)
	largest, limit := a.YMM(), a.YMM()
	bound := a.GP32()
	a.MOVL(a.param("largest"), bound)
	a.VMOVD(bound, largest.AsX())
	a.VPBROADCASTD(largest.AsX(), largest)
	last := a.length("sums")
	a.DECQ(last)
	a.VMOVD(last.As32(), limit.AsX())
	a.VPBROADCASTD(limit.AsX(), limit)
	place, next, v := a.YMM(), a.YMM(), a.YMM()
	// order marks places that are not below the next. AVX2 compares no unsigned numbers,
	// but knows the larger of two.
	order := func() {
		a.VPMAXUD(place, next, next)
		a.VPCMPEQD(place, next, next)
	}
	// check is as above. A value below 0 or too large for the conversion becomes 1<<31.
	check := func() {
		whole, back, far := a.YMM(), a.YMM(), a.YMM()
		a.VCVTTPS2DQ(v, whole)
		a.VMOVDQU(whole, r.counts)
		a.VCVTDQ2PS(whole, back)
		a.VCMPPS(U8(notEqual), v, back, back)
		a.VPOR(back, next, next)
		a.VPMAXUD(largest, whole, whole)
		a.VPXOR(largest, whole, whole) // not 0 where it was larger
		a.VPOR(whole, next, next)
		a.VPMAXUD(limit, place, far)
		a.VPXOR(limit, far, far)
		a.VPOR(far, next, next)
		a.VPTEST(next, next)
		a.JNZ(LabelRef("wrong"))
	}
	a.SUBQ(U8(9), r.n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	r.prefetch()
	a.VMOVDQU(at(r.index, r.i, 4, 0), place)
	a.VMOVDQU(at(r.index, r.i, 4, 4), next)
	order()
	a.VMOVUPS(at(r.values, r.i, 4, 0), v)
	check()
	r.add(8)
	a.SUBQ(U8(8), r.n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(8), r.n)
	pairs := a.firstLanesAVX2(r.n)
	a.VPMASKMOVD(at(r.index, r.i, 4, 4), pairs, next)
	a.INCQ(r.n)
	rest := a.firstLanesAVX2(r.n)
	a.VPMASKMOVD(at(r.index, r.i, 4, 0), rest, place)
	a.VPMASKMOVD(at(r.values, r.i, 4, 0), rest, v)
	order()
	a.VPAND(pairs, next, next)
	check()
	r.leave()
}
