package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const maxDeviationSignature = "func(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute, square float64)"

// deviation multiplies and subtracts in separate instructions, as the contract
// says. Each maximum has the value met so far for its second source, which is
// what the instruction gives when one of the two is NaN.
func deviation(a *assembler) {
	lowest := a.words64("lowest", math.Float64bits(math.Inf(-1)))
	a.maxDeviationAVX512(lowest)
	a.maxDeviationAVX2(lowest)
}

// foldMaxima leaves the largest of each and returns. Zero is added where -0 and 0
// do not tell which of them came first.
func (a *assembler) foldMaxima(signed, absolute, square reg.VecVirtual) {
	fold := func(v reg.VecVirtual) reg.VecVirtual {
		half := a.XMM()
		a.VEXTRACTF128(U8(1), v.AsY(), half)
		a.VMAXPD(v.AsX(), half, half)
		return half
	}
	s, m, q, t := fold(signed), fold(absolute), fold(square), a.XMM()
	a.VUNPCKLPD(m, s, t)
	a.VUNPCKHPD(m, s, s)
	a.VMAXPD(t, s, s)
	a.VUNPCKHPD(q, q, t)
	a.VMAXSD(t, q, q)
	zero := a.XMM()
	a.clear(zero)
	a.VADDPD(zero, s, s)
	a.VADDSD(zero, q, q)
	a.VMOVLPD(s, a.result("signed"))
	a.VMOVHPD(s, a.result("absolute"))
	a.VMOVSD(q, a.result("square"))
	a.leave()
}

func (a *assembler) maxDeviationAVX512(lowest Mem) {
	a.function("maxDeviationAVX512", maxDeviationSignature, "maxDeviationAVX512 works like maxDeviationGeneric.")
	counts, sizes, weights, n := a.pointer("counts"), a.pointer("sizes"), a.pointer("weights"), a.length("counts")
	total, occurrences := a.ZMM(), a.ZMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VBROADCASTSD(a.param("occurrences"), occurrences)
	signed, absolute, square := a.ZMM(), a.ZMM(), a.ZMM()
	a.VBROADCASTSD(lowest, signed)
	a.VMOVAPD(signed, absolute)
	a.VMOVAPD(signed, square)
	magnitude := a.ZMM()
	a.VPTERNLOGD(U8(0xFF), magnitude, magnitude, magnitude)
	a.VPSRLQ(U8(1), magnitude, magnitude)

	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(8), n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	v, d, expected := a.ZMM(), a.ZMM(), a.ZMM()
	a.VCVTUDQ2PD(at(counts, i, 4, 0), v)
	a.VMULPD(total, v, v)
	a.VMULPD(at(sizes, i, 8, 0), occurrences, expected)
	a.VSUBPD(expected, v, d)
	a.VMULPD(at(weights, i, 8, 0), d, v)
	a.VMAXPD(signed, v, signed)
	a.VMULPD(v, d, d)
	a.VMAXPD(square, d, square)
	a.VANDPD(magnitude, v, v)
	a.VMAXPD(absolute, v, absolute)
	a.ADDQ(U8(8), i)
	a.SUBQ(U8(8), n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(8), n)
	a.JZ(LabelRef("fold"))
	rest := a.K()
	a.firstLanes(n, rest)
	a.VCVTUDQ2PD_Z(at(counts, i, 4, 0), rest, v)
	a.VMULPD(total, v, v)
	a.VMULPD_Z(at(sizes, i, 8, 0), occurrences, rest, expected)
	a.VSUBPD(expected, v, d)
	a.VMULPD_Z(at(weights, i, 8, 0), d, rest, v)
	a.VMAXPD(signed, v, rest, signed)
	a.VMULPD(v, d, d)
	a.VMAXPD(square, d, rest, square)
	a.VANDPD(magnitude, v, v)
	a.VMAXPD(absolute, v, rest, absolute)
	a.Label("fold")
	for _, v := range []reg.VecVirtual{signed, absolute, square} {
		half := a.YMM()
		a.VEXTRACTF64X4(U8(1), v, half)
		a.VMAXPD(half, v.AsY(), v.AsY())
	}
	a.foldMaxima(signed, absolute, square)
}

func (a *assembler) maxDeviationAVX2(lowest Mem) {
	a.function("maxDeviationAVX2", maxDeviationSignature, "maxDeviationAVX2 works like maxDeviationGeneric.")
	counts, sizes, weights, n := a.pointer("counts"), a.pointer("sizes"), a.pointer("weights"), a.length("counts")
	total, occurrences := a.YMM(), a.YMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VBROADCASTSD(a.param("occurrences"), occurrences)
	signed, absolute, square, magnitude, two52 := a.YMM(), a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.VBROADCASTSD(lowest, signed)
	a.VMOVAPD(signed, absolute)
	a.VMOVAPD(signed, square)
	a.VPCMPEQD(magnitude, magnitude, magnitude)
	a.VPSRLQ(U8(1), magnitude, magnitude)
	a.VBROADCASTSD(a.words64("two52", math.Float64bits(1<<52)), two52)

	// follow takes four counts, zero-extended to 64 bits: put into the fraction of
	// 2^52 they become 2^52 + count. Lanes that do not count become NaN, which
	// never is a maximum.
	follow := func(v, size reg.VecVirtual, weight Op, not Op) {
		a.VPOR(two52, v, v)
		a.VSUBPD(two52, v, v)
		a.VMULPD(total, v, v)
		a.VMULPD(size, occurrences, size)
		a.VSUBPD(size, v, size) // d
		a.VMULPD(weight, size, v)
		if not != nil {
			a.VORPD(not, v, v)
		}
		a.VMAXPD(signed, v, signed)
		a.VMULPD(v, size, size)
		a.VMAXPD(square, size, square)
		a.VANDPD(magnitude, v, v)
		a.VMAXPD(absolute, v, absolute)
	}
	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(4), n)
	a.JB(LabelRef("tail"))
	a.Label("vector")
	v, size := a.YMM(), a.YMM()
	a.VPMOVZXDQ(at(counts, i, 4, 0), v)
	a.VMOVUPD(at(sizes, i, 8, 0), size)
	follow(v, size, at(weights, i, 8, 0), nil)
	a.ADDQ(U8(4), i)
	a.SUBQ(U8(4), n)
	a.JAE(LabelRef("vector"))
	a.Label("tail")
	a.ADDQ(U8(4), n)
	a.JZ(LabelRef("fold"))
	lanes, wide, weight := a.firstLanesAVX2(n), a.YMM(), a.YMM()
	a.VPMOVSXDQ(lanes.AsX(), wide)
	a.VPMASKMOVD(at(counts, i, 4, 0), lanes.AsX(), v.AsX())
	a.VPMOVZXDQ(v.AsX(), v)
	a.VMASKMOVPD(at(sizes, i, 8, 0), wide, size)
	a.VMASKMOVPD(at(weights, i, 8, 0), wide, weight)
	not := a.YMM()
	a.VPCMPEQD(not, not, not)
	a.VPXOR(not, wide, not)
	follow(v, size, weight, not)
	a.Label("fold")
	a.foldMaxima(signed, absolute, square)
}
