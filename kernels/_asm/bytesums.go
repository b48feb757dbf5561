package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	sumByteSegmentsSignature = "func(sums, squares []uint64, values []byte, bounds []uint32)"
	// turnsBefore64 is how often a vector of bytes may be added to 32-bit lanes of
	// squares. A lane gets the squares of four bytes each time, at most 4·255²:
	// 16,384 times that is below 2^32.
	turnsBefore64 = 16384
)

// byteSums adds up bytes by VPSADBW and squares of 16-bit words by VPMADDWD, both
// of which add neighbours too. (VPMADDUBSW would save the widening to words, but
// it takes one of its sources for signed bytes.)
func byteSums(a *assembler) {
	a.sumByteSegmentsAVX512()
	a.sumByteSegmentsAVX2()
}

// foldByteSums adds up the 64-bit lanes of sums and of squares and stores both.
// Only the lower two halves of the registers are left.
func (a *assembler) foldByteSums(s, q reg.VecVirtual, sums, squares Mem) {
	low, high, t := a.XMM(), a.XMM(), a.XMM()
	a.VEXTRACTI128(U8(1), s.AsY(), low)
	a.VPADDQ(low, s.AsX(), low)
	a.VEXTRACTI128(U8(1), q.AsY(), high)
	a.VPADDQ(high, q.AsX(), high)
	a.VPUNPCKLQDQ(high, low, t)
	a.VPUNPCKHQDQ(high, low, high)
	a.VPADDQ(high, t, t)
	a.VMOVLPS(t, sums)
	a.VMOVHPS(t, squares)
}

// byteTurns loops over whole vectors from place to end, of which there are none or
// more. It calls add to add the vector at place, and widen to empty the 32-bit
// lanes before they can overflow.
func (a *assembler) byteTurns(place, end reg.GPVirtual, vector int, add, widen func()) {
	stop := a.GP64()
	a.CMPQ(place, end)
	a.JAE(LabelRef("rest"))
	a.Label("turns")
	a.LEAQ(from(place, vector*turnsBefore64), stop)
	a.CMPQ(stop, end)
	a.CMOVQHI(end, stop)
	a.Label("turn")
	add()
	a.ADDQ(I32(int32(vector)), place)
	a.CMPQ(place, stop)
	a.JB(LabelRef("turn"))
	a.CMPQ(place, end)
	a.JAE(LabelRef("rest"))
	widen()
	a.JMP(LabelRef("turns"))
	a.Label("rest")
}

func (a *assembler) sumByteSegmentsAVX512() {
	a.function("sumByteSegmentsAVX512", sumByteSegmentsSignature, "sumByteSegmentsAVX512 works like sumByteSegmentsGeneric.")
	sums, squares, values, bounds := a.pointer("sums"), a.pointer("squares"), a.pointer("values"), a.pointer("bounds")
	n, i := a.length("sums"), a.GP64()
	zero, low := a.ZMM(), a.ZMM()
	a.clear(zero)
	a.VPTERNLOGD(U8(0xFF), low, low, low)
	a.VPSRLQ(U8(32), low, low)
	a.XORL(i.As32(), i.As32())

	a.Label("segment")
	place, end, rest := a.cut(bounds, i, 64)
	s, q, wide, v := a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
	t, u := a.ZMM(), a.ZMM()
	a.clear(s)
	a.clear(q)
	a.clear(wide)
	add := func() {
		a.VPSADBW(zero, v, t)
		a.VPADDQ(t, s, s)
		a.VPUNPCKLBW(zero, v, t)
		a.VPUNPCKHBW(zero, v, u)
		a.VPMADDWD(t, t, t)
		a.VPMADDWD(u, u, u)
		a.VPADDD(t, u, u)
		a.VPADDD(u, q, q)
	}
	widen := func() {
		a.VPANDQ(low, q, t)
		a.VPADDQ(t, wide, wide)
		a.VPSRLQ(U8(32), q, q)
		a.VPADDQ(q, wide, wide)
		a.clear(q)
	}
	a.byteTurns(place, end, 64, func() {
		a.VMOVDQU64(at(values, place, 1, 0), v)
		add()
	}, widen)
	k, bits := a.K(), a.GP64()
	a.MOVQ(I32(-1), bits)
	a.BZHIQ(rest, bits, bits)
	a.KMOVQ(bits, k)
	a.VMOVDQU8_Z(at(values, end, 1, 0), k, v)
	add()
	widen()
	a.VEXTRACTI64X4(U8(1), s, t.AsY())
	a.VPADDQ(t.AsY(), s.AsY(), s.AsY())
	a.VEXTRACTI64X4(U8(1), wide, t.AsY())
	a.VPADDQ(t.AsY(), wide.AsY(), wide.AsY())
	a.foldByteSums(s, wide, at(sums, i, 8, 0), at(squares, i, 8, 0))
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("segment"))
	a.leave()
}

// sumByteSegmentsAVX2 has no masked load of bytes: the rest is loaded with what
// follows it or, near the end of the values, with what precedes it, and the others
// are cleared. Below 32 values there is room for neither.
func (a *assembler) sumByteSegmentsAVX2() {
	const set = ^uint64(0)
	table := a.words64("bytesBetween", set, set, set, set, 0, 0, 0, 0, set, set, set, set)

	a.function("sumByteSegmentsAVX2", sumByteSegmentsSignature, "sumByteSegmentsAVX2 works like sumByteSegmentsGeneric.")
	sums, squares, values, bounds := a.pointer("sums"), a.pointer("squares"), a.pointer("values"), a.pointer("bounds")
	n, i := a.length("sums"), a.GP64()
	zero, low := a.YMM(), a.YMM()
	a.clear(zero)
	a.VPCMPEQD(low, low, low)
	a.VPSRLQ(U8(32), low, low)
	a.XORL(i.As32(), i.As32())

	a.Label("segment")
	place, end, rest := a.cut(bounds, i, 32)
	s, q, wide, v := a.YMM(), a.YMM(), a.YMM(), a.YMM()
	t, u := a.YMM(), a.YMM()
	a.clear(s)
	a.clear(q)
	a.clear(wide)
	add := func() {
		a.VPSADBW(zero, v, t)
		a.VPADDQ(t, s, s)
		a.VPUNPCKLBW(zero, v, t)
		a.VPUNPCKHBW(zero, v, u)
		a.VPMADDWD(t, t, t)
		a.VPMADDWD(u, u, u)
		a.VPADDD(t, u, u)
		a.VPADDD(u, q, q)
	}
	widen := func() {
		a.VPAND(low, q, t)
		a.VPADDQ(t, wide, wide)
		a.VPSRLQ(U8(32), q, q)
		a.VPADDQ(q, wide, wide)
		a.clear(q)
	}
	a.byteTurns(place, end, 32, func() {
		a.VMOVDQU(at(values, place, 1, 0), v)
		add()
	}, widen)
	masks, mask, after := a.GP64(), a.GP64(), a.GP64()
	a.LEAQ(table, masks)
	a.MOVL(U32(32), mask.As32())
	a.SUBQ(rest, mask)
	a.LEAQ(from(end, 32), after)
	a.CMPQ(after, a.memory(a.Param("values").Len()))
	a.JBE(LabelRef("load"))
	a.SUBQ(mask, end) // 32 bytes before the end of the rest
	a.JB(LabelRef("few"))
	a.LEAQ(from(rest, 32), mask)
	a.Label("load")
	a.VMOVDQU(at(values, end, 1, 0), v)
	a.VPAND(at(masks, mask, 1, 0), v, v)
	add()
	widen()
	a.foldByteSums(s, wide, at(sums, i, 8, 0), at(squares, i, 8, 0))
	a.Label("next")
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("segment"))
	a.leave()

	// All of the values are less than a vector: no turn has added anything.
	a.Label("few")
	a.ADDQ(mask, end)
	sum, square, value := a.GP64(), a.GP64(), a.GP64()
	a.XORL(sum.As32(), sum.As32())
	a.XORL(square.As32(), square.As32())
	a.TESTQ(rest, rest)
	a.JZ(LabelRef("store"))
	a.Label("byte")
	a.MOVBLZX(at(values, end, 1, 0), value.As32())
	a.ADDL(value.As32(), sum.As32())
	a.IMULL(value.As32(), value.As32())
	a.ADDL(value.As32(), square.As32())
	a.INCQ(end)
	a.DECQ(rest)
	a.JNZ(LabelRef("byte"))
	a.Label("store")
	a.MOVQ(sum, at(sums, i, 8, 0))
	a.MOVQ(square, at(squares, i, 8, 0))
	a.JMP(LabelRef("next"))
}
