package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const maxDeviationSignature = "func(counts []uint32, sizes, weights []float64, total, occurrences float64) (signed, absolute, square float64)"

// deviation multiplies and subtracts in separate instructions, as the contract
// says. Each maximum has the value met so far for its second source, which is
// what the instruction gives when one of the two is NaN. The largest |v| is that
// of the largest and the smallest v.
func deviation(a *assembler) {
	infinity := a.words64("infinity", math.Float64bits(math.Inf(1)))
	a.maxDeviationAVX512(infinity)
	a.maxDeviationAVX2(infinity)
}

// extremes are the largest and smallest v and the largest d·v of every lane.
type extremes struct{ largest, smallest, square reg.VecVirtual }

// start sets the extremes of nothing. infinity is +Inf in memory; it is negated.
func (a *assembler) start(e extremes, infinity Mem, sign Op) {
	a.VBROADCASTSD(infinity, e.smallest)
	a.VXORPD(sign, e.smallest, e.largest)
	a.VMOVAPD(e.largest, e.square)
}

// fold reduces four lanes to one, stores the results and returns. Zero is added
// where -0 and 0 do not tell which of them came first.
func (a *assembler) fold(e extremes, sign reg.VecVirtual) {
	half := func(v reg.VecVirtual) reg.VecVirtual {
		h := a.XMM()
		a.VEXTRACTF128(U8(1), v.AsY(), h)
		return h
	}
	v, q, t := half(e.largest), half(e.square), half(e.smallest)
	a.VMAXPD(e.largest.AsX(), v, v)
	a.VMAXPD(e.square.AsX(), q, q)
	a.VMINPD(e.smallest.AsX(), t, t)
	a.VXORPD(sign.AsX(), t, t) // the largest of -v
	low := a.XMM()
	a.VUNPCKLPD(t, v, low)
	a.VUNPCKHPD(t, v, v)
	a.VMAXPD(low, v, v) // of v and of -v
	a.VUNPCKHPD(q, q, t)
	a.VMAXSD(t, q, q)
	a.VUNPCKHPD(v, v, t)
	a.VMAXSD(t, v, t)
	zero := a.XMM()
	a.clear(zero)
	for _, r := range []struct {
		v    reg.VecVirtual
		name string
	}{{v, "signed"}, {t, "absolute"}, {q, "square"}} {
		a.VADDSD(zero, r.v, r.v)
		a.VMOVSD(r.v, a.result(r.name))
	}
	a.leave()
}

func (a *assembler) maxDeviationAVX512(infinity Mem) {
	a.function("maxDeviationAVX512", maxDeviationSignature, "maxDeviationAVX512 works like maxDeviationGeneric.")
	counts, sizes, weights, n := a.pointer("counts"), a.pointer("sizes"), a.pointer("weights"), a.length("counts")
	total, occurrences := a.ZMM(), a.ZMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VBROADCASTSD(a.param("occurrences"), occurrences)
	e, sign := extremes{a.ZMM(), a.ZMM(), a.ZMM()}, a.ZMM()
	a.VPTERNLOGD(U8(0xFF), sign, sign, sign)
	a.VPSLLQ(U8(63), sign, sign)
	a.start(e, infinity, sign)

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
	a.VMULPD(v, d, d)
	a.VMAXPD(e.largest, v, e.largest)
	a.VMINPD(e.smallest, v, e.smallest)
	a.VMAXPD(e.square, d, e.square)
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
	a.VMULPD(v, d, d)
	a.VMAXPD(e.largest, v, rest, e.largest)
	a.VMINPD(e.smallest, v, rest, e.smallest)
	a.VMAXPD(e.square, d, rest, e.square)
	a.Label("fold")
	half := a.YMM()
	a.VEXTRACTF64X4(U8(1), e.largest, half)
	a.VMAXPD(half, e.largest.AsY(), e.largest.AsY())
	a.VEXTRACTF64X4(U8(1), e.smallest, half)
	a.VMINPD(half, e.smallest.AsY(), e.smallest.AsY())
	a.VEXTRACTF64X4(U8(1), e.square, half)
	a.VMAXPD(half, e.square.AsY(), e.square.AsY())
	a.fold(e, sign)
}

func (a *assembler) maxDeviationAVX2(infinity Mem) {
	a.function("maxDeviationAVX2", maxDeviationSignature, "maxDeviationAVX2 works like maxDeviationGeneric.")
	counts, sizes, weights, n := a.pointer("counts"), a.pointer("sizes"), a.pointer("weights"), a.length("counts")
	total, occurrences := a.YMM(), a.YMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VBROADCASTSD(a.param("occurrences"), occurrences)
	e, sign, two52 := extremes{a.YMM(), a.YMM(), a.YMM()}, a.YMM(), a.YMM()
	a.VPCMPEQD(sign, sign, sign)
	a.VPSLLQ(U8(63), sign, sign)
	a.start(e, infinity, sign)
	a.VBROADCASTSD(a.words64("two52", math.Float64bits(1<<52)), two52)

	// follow takes four counts, zero-extended to 64 bits: put into the fraction of
	// 2^52 they become 2^52 + count. Lanes that do not count become NaN, which
	// never is an extreme. d and size are overwritten.
	follow := func(d, size reg.VecVirtual, weights, not Op) {
		a.VPOR(two52, d, d)
		a.VSUBPD(two52, d, d)
		a.VMULPD(total, d, d)
		a.VMULPD(size, occurrences, size)
		a.VSUBPD(size, d, d)
		if not != nil {
			a.VORPD(not, d, d)
		}
		v := size
		a.VMULPD(weights, d, v)
		a.VMULPD(v, d, d)
		a.VMAXPD(e.largest, v, e.largest)
		a.VMINPD(e.smallest, v, e.smallest)
		a.VMAXPD(e.square, d, e.square)
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
	a.fold(e, sign)
}
