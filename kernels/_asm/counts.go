package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// addCounts checks a vector of elements at once and adds them one by one, while the
// next are on their way from memory: to convert a row first and add it then takes as
// long as plain Go. Places are compared with those one further on, so that the loop is
// over pairs; the last element has none.
func addCounts(a *assembler) {
	const (
		lanes    = 8
		ahead    = 1024 // bytes: where the rows that follow are mostly
		notEqual = 4    // predicate of VCMPPS; true for NaN
	)
	a.function("addCountsAVX2", "func(sums, index []uint32, values []float32, largest uint32) bool", "addCountsAVX2 works like addCountsGeneric.")
	sums, index, values := a.pointer("sums"), a.pointer("index"), a.pointer("values")
	n, i, counts := a.length("values"), a.GP64(), a.AllocLocal(4*lanes)
	a.XORL(i.As32(), i.As32())
	broadcast := func(word reg.Register) reg.VecVirtual {
		v := a.YMM()
		a.VMOVD(word, v.AsX())
		a.VPBROADCASTD(v.AsX(), v)
		return v
	}
	bound, last := a.GP32(), a.length("sums")
	a.MOVL(a.param("largest"), bound)
	a.DECQ(last)
	largest, limit := broadcast(bound), broadcast(last.As32())
	place, next, v := a.YMM(), a.YMM(), a.YMM()
	// order marks places that are not below the next. AVX2 compares no unsigned numbers,
	// but knows the larger of two.
	order := func() {
		a.VPMAXUD(place, next, next)
		a.VPCMPEQD(place, next, next)
	}
	// check converts values and goes to wrong unless all are counts, their places are
	// within the sums, and none is marked in next. A value below 0 or too large for the
	// conversion becomes 1<<31.
	check := func() {
		whole, back, far := a.YMM(), a.YMM(), a.YMM()
		a.VCVTTPS2DQ(v, whole)
		a.VMOVDQU(whole, counts)
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
	a.SUBQ(U8(lanes+1), n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	a.PREFETCHT0(at(index, i, 4, ahead))
	a.PREFETCHT0(at(values, i, 4, ahead))
	a.VMOVDQU(at(index, i, 4, 0), place)
	a.VMOVDQU(at(index, i, 4, 4), next)
	order()
	a.VMOVUPS(at(values, i, 4, 0), v)
	check()
	for j := 0; j < lanes; j += 2 { // two to a load: loads are what there is most of
		two, first, both := a.GP64(), a.GP64(), a.GP64()
		a.MOVQ(at(index, i, 4, 4*j), two)
		a.MOVQ(counts.Offset(4*j), both)
		a.MOVL(two.As32(), first.As32())
		a.ADDL(both.As32(), at(sums, first, 4, 0))
		a.SHRQ(U8(32), two)
		a.SHRQ(U8(32), both)
		a.ADDL(both.As32(), at(sums, two, 4, 0))
	}
	a.ADDQ(U8(lanes), i)
	a.SUBQ(U8(lanes), n)
	a.JAE(LabelRef("vector"))

	a.Label("tail")
	a.ADDQ(U8(lanes), n)
	pairs := a.firstLanes(n)
	a.VPMASKMOVD(at(index, i, 4, 4), pairs, next)
	a.INCQ(n)
	rest := a.firstLanes(n)
	a.VPMASKMOVD(at(index, i, 4, 0), rest, place)
	a.VPMASKMOVD(at(values, i, 4, 0), rest, v)
	order()
	a.VPAND(pairs, next, next)
	check()
	word, count, j := a.GP64(), a.GP32(), a.GP64()
	a.LEAQ(at(index, i, 4, 0), index)
	a.LEAQ(counts, values)
	a.XORL(j.As32(), j.As32())
	a.Label("one")
	a.MOVL(at(index, j, 4, 0), word.As32())
	a.MOVL(at(values, j, 4, 0), count)
	a.ADDL(count, at(sums, word, 4, 0))
	a.INCQ(j)
	a.CMPQ(j, n)
	a.JB(LabelRef("one"))
	a.returnTruth(true)
	a.Label("wrong")
	a.returnTruth(false)
}
