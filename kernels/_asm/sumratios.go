package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

const sumRatiosSignature = "func(dst []float64, sums [][2]float64, met []uint64, all uint64, high, low, least, divisor, factor float64) bool"

// sumRatios takes four terms at once: a division of four takes as long as one.
func sumRatios(a *assembler) {
	a.function("sumRatiosAVX2", sumRatiosSignature, "sumRatiosAVX2 works like sumRatiosGeneric.")
	dst, sums, met, n := a.pointer("dst"), a.pointer("sums"), a.pointer("met"), a.length("dst")
	more, least, divisor, factor, all, right := a.YMM(), a.YMM(), a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.VMOVSD(a.param("high"), more.AsX())
	a.VMOVHPD(a.param("low"), more.AsX(), more.AsX())
	a.VINSERTF128(U8(1), more.AsX(), more, more)
	a.VBROADCASTSD(a.param("least"), least)
	a.VBROADCASTSD(a.param("divisor"), divisor)
	a.VBROADCASTSD(a.param("factor"), factor)
	a.VPBROADCASTQ(a.param("all"), all)
	a.VPCMPEQQ(right, right, right)
	a.SUBQ(U8(quad), n)
	a.JB(LabelRef("tail"))

	a.Label("vectors")
	v, w, equal := a.YMM(), a.YMM(), a.YMM()
	a.VADDPD(from(sums, 0), more, v)
	a.VADDPD(from(sums, 32), more, w)
	a.VHADDPD(w, v, v) // of terms 0, 2, 1 and 3
	a.VPERMPD(U8(0xD8), v, v)
	a.VCMPPD(U8(0x1D), least, v, w) // not below
	a.VPCMPEQQ(from(met, 0), all, equal)
	a.VPAND(w, right, right)
	a.VPAND(equal, right, right)
	a.VDIVPD(divisor, v, v)
	a.VMULPD(factor, v, v)
	a.VMOVUPD(v, from(dst, 0))
	a.ADDQ(U8(64), sums)
	a.ADDQ(U8(32), met)
	a.ADDQ(U8(32), dst)
	a.SUBQ(U8(quad), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(quad), n)
	a.JZ(LabelRef("done"))
	a.Label("one") // up to three times
	x, y, same := a.XMM(), a.XMM(), a.YMM()
	a.VADDPD(from(sums, 0), more.AsX(), x)
	a.VHADDPD(x, x, x) // the same in both lanes
	a.VCMPPD(U8(0x1D), least.AsX(), x, y)
	a.VINSERTF128(U8(1), y, y.AsY(), y.AsY())
	a.VPAND(y.AsY(), right, right)
	a.VPBROADCASTQ(from(met, 0), same)
	a.VPCMPEQQ(all, same, same)
	a.VPAND(same, right, right)
	a.VDIVSD(divisor.AsX(), x, x)
	a.VMULSD(factor.AsX(), x, x)
	a.VMOVSD(x, from(dst, 0))
	a.ADDQ(U8(16), sums)
	a.ADDQ(U8(8), met)
	a.ADDQ(U8(8), dst)
	a.DECQ(n)
	a.JNZ(LabelRef("one"))

	a.Label("done")
	signs, truth := a.GP32(), a.GP8()
	a.VMOVMSKPD(right, signs)
	a.CMPL(signs, U8(1<<quad-1))
	a.SETEQ(truth)
	a.VZEROUPPER()
	a.Store(truth, a.ReturnIndex(0))
	a.RET()
}
