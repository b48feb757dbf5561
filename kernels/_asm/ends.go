package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const countEndsSignature = "func(counts, ends []uint32)"

// ends is a prefix maximum in registers: log2(lanes) steps, each the maximum
// with the lanes 1, 2, 4, ... below, and then with the last maximum of the
// vector before. Only that last step waits for the vector before.
func ends(a *assembler) {
	a.countEndsAVX512()
	a.countEndsAVX2()
}

func (a *assembler) countEndsAVX512() {
	a.function("countEndsAVX512", countEndsSignature, "countEndsAVX512 works like countEndsGeneric.")
	counts, ends, n := a.pointer("counts"), a.pointer("ends"), a.length("ends")
	zero, top, last, before := a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
	a.clear(zero)
	a.VPTERNLOGD(U8(0xFF), last, last, last)
	a.VPSRLD(U8(28), last, last) // 15 in every lane
	a.clear(top)                 // the last maximum, in every lane
	a.clear(before)              // the maxima of the vector before

	step := func(v reg.VecVirtual) (difference reg.VecVirtual) {
		for _, lanes := range []uint8{1, 2, 4, 8} {
			moved := a.ZMM()
			a.VALIGND(U8(16-lanes), zero, v, moved)
			a.VPMAXUD(moved, v, v)
		}
		localTop, difference := a.ZMM(), a.ZMM()
		a.VPERMD(v, last, localTop)
		a.VPMAXUD(top, v, v)
		a.VPMAXUD(top, localTop, top)
		a.VALIGND(U8(15), before, v, difference)
		a.VPSUBD(difference, v, difference)
		a.VMOVDQA64(v, before)
		return difference
	}

	a.SUBQ(U8(16), n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	v := a.ZMM()
	a.VMOVDQU32(from(ends, 0), v)
	a.VMOVDQU32(zero, from(ends, 0))
	a.VMOVDQU32(step(v), from(counts, 0))
	a.ADDQ(U8(64), ends)
	a.ADDQ(U8(64), counts)
	a.SUBQ(U8(16), n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(16), n)
	a.JZ(LabelRef("done"))
	rest := a.K()
	a.firstLanes(n, rest)
	a.VMOVDQU32_Z(from(ends, 0), rest, v)
	a.storeFirst(n, lanesTo{step(v), counts}, lanesTo{zero, ends})
	a.Label("done")
	a.leave()
}

func (a *assembler) countEndsAVX2() {
	a.function("countEndsAVX2", countEndsSignature, "countEndsAVX2 works like countEndsGeneric.")
	counts, ends, n := a.pointer("counts"), a.pointer("ends"), a.length("ends")
	zero, top, last, middle, up, before := a.YMM(), a.YMM(), a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.clear(zero)
	a.clear(top)
	a.clear(before)
	a.VPCMPEQD(last, last, last)
	a.VPSRLD(U8(29), last, last) // 7 in every lane
	a.VMOVDQU(a.words32("lane3", 0, 0, 0, 0, 3, 3, 3, 3), middle)
	a.VMOVDQU(a.words32("lanesUp", 7, 0, 1, 2, 3, 4, 5, 6), up)

	a.SUBQ(U8(8), n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	v, moved := a.YMM(), a.YMM()
	a.VMOVDQU(from(ends, 0), v)
	a.VMOVDQU(zero, from(ends, 0))
	a.VPSLLDQ(U8(4), v, moved) // within each half
	a.VPMAXUD(moved, v, v)
	a.VPSLLDQ(U8(8), v, moved)
	a.VPMAXUD(moved, v, v)
	a.VPERMD(v, middle, moved) // the last lane of the lower half
	a.VPBLENDD(U8(0x0F), zero, moved, moved)
	a.VPMAXUD(moved, v, v)
	a.VPERMD(v, last, moved)
	a.VPMAXUD(top, v, v)
	a.VPMAXUD(top, moved, top)
	shifted := a.YMM()
	a.VPERMD(v, up, shifted) // lane 0 has the last one, for the next turn
	a.VPBLENDD(U8(1), before, shifted, moved)
	a.VPSUBD(moved, v, v)
	a.VMOVDQU(v, from(counts, 0))
	a.VMOVDQA(shifted, before)
	a.ADDQ(U8(32), ends)
	a.ADDQ(U8(32), counts)
	a.SUBQ(U8(8), n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(8), n)
	a.JZ(LabelRef("done"))
	maximum, clear, i := a.GP32(), a.GP32(), a.GP64()
	a.VMOVD(top.AsX(), maximum)
	a.XORL(clear, clear)
	a.XORL(i.As32(), i.As32())
	a.Label("one")
	end, old := a.GP32(), a.GP32()
	a.MOVL(at(ends, i, 4, 0), end)
	a.MOVL(clear, at(ends, i, 4, 0))
	a.MOVL(maximum, old)
	a.CMPL(end, maximum)
	a.CMOVLHI(end, maximum)
	a.MOVL(maximum, end)
	a.SUBL(old, end)
	a.MOVL(end, at(counts, i, 4, 0))
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("one"))
	a.Label("done")
	a.leave()
}
