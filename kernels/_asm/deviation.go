package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const maxDeviationsSignature = "func(dst []float64, of uint8, counts []uint32, stride int, sizes, weights []float64, total float64, occurrences []float64)"

// deviation writes one loop for each kind of maximum. d is exact by the contract,
// so that its subtraction may be fused; the products by the weight and by d are
// separate instructions. A maximum has the value met so far for its second
// source, which is what the instruction gives when one of the two is NaN.
func deviation(a *assembler) {
	infinity := a.words64("infinity", math.Float64bits(math.Inf(-1)))
	a.maxDeviationsAVX512(infinity)
	a.maxDeviationsAVX2(infinity)
}

// deviations are the kinds, in the order of their numbers.
var deviations = []string{"signed", "absolute", "square"}

// rows is what the loops over terms and classes of both forms share.
type rows struct {
	dst, counts, stride, sizes, weights, occurrences reg.Register
	classes, terms                                   reg.GPVirtual
	infinity                                         Mem
}

// deviationRows loads the arguments. The stride becomes bytes.
func (a *assembler) deviationRows(infinity Mem) *rows {
	r := &rows{
		dst: a.pointer("dst"), counts: a.pointer("counts"), sizes: a.pointer("sizes"), weights: a.pointer("weights"),
		occurrences: a.pointer("occurrences"), classes: a.length("sizes"), terms: a.length("occurrences"), infinity: infinity,
	}
	stride := a.GP64()
	a.Load(a.Param("stride"), stride)
	a.SHLQ(U8(2), stride)
	r.stride = stride
	return r
}

// forKinds branches to the loop of the kind asked for. body writes the loop over
// the classes of a term, of which there are some, and leaves its maximum in the
// lowest lane of a register.
func (a *assembler) forKinds(r *rows, body func(kind string) reg.VecVirtual) {
	kind := a.GP64()
	a.MOVBQZX(a.param("of"), kind)
	for i, name := range deviations[1:] {
		a.CMPQ(kind, U8(i+1))
		a.JE(LabelRef(name))
	}
	for _, name := range deviations {
		a.Label(name)
		found := body(name)
		zero := a.XMM()
		a.clear(zero)
		a.VADDSD(zero, found.AsX(), found.AsX()) // -0 and 0 do not tell which of them came first
		a.VMOVSD(found.AsX(), from(r.dst, 0))
		a.ADDQ(U8(8), r.dst)
		a.ADDQ(U8(8), r.occurrences)
		a.ADDQ(r.stride, r.counts)
		a.DECQ(r.terms)
		a.JNZ(LabelRef(name))
		a.leave()
	}
}

// highest reduces two lanes to one.
func (a *assembler) highest(v reg.VecVirtual) reg.VecVirtual {
	high := a.XMM()
	a.VUNPCKHPD(v.AsX(), v.AsX(), high)
	a.VMAXSD(high, v.AsX(), high)
	return high
}

// valueOf turns d into what is to be the largest. sign has the sign bits; v is
// overwritten.
func (a *assembler) valueOf(kind string, weights Op, d, v, sign reg.VecVirtual) reg.VecVirtual {
	a.VMULPD(weights, d, v)
	switch kind {
	case "absolute":
		a.VANDNPD(v, sign, v)
	case "square":
		a.VMULPD(v, d, v)
	}
	return v
}

func (a *assembler) maxDeviationsAVX512(infinity Mem) {
	a.function("maxDeviationsAVX512", maxDeviationsSignature, "maxDeviationsAVX512 works like maxDeviationsGeneric.")
	r := a.deviationRows(infinity)
	total, sign := a.ZMM(), a.ZMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VPTERNLOGD(U8(0xFF), sign, sign, sign)
	a.VPSLLQ(U8(63), sign, sign)
	rest, tail := a.K(), a.GP64()
	a.MOVQ(r.classes, tail)
	a.ANDQ(U8(7), tail)
	a.firstLanes(tail, rest)
	a.ANDQ(I8(-8), r.classes) // those in whole vectors

	a.forKinds(r, func(kind string) reg.VecVirtual {
		largest, occurrences, i := a.ZMM(), a.ZMM(), a.GP64()
		a.VBROADCASTSD(r.infinity, largest)
		a.VBROADCASTSD(from(r.occurrences, 0), occurrences)
		a.XORL(i.As32(), i.As32())
		a.TESTQ(r.classes, r.classes)
		a.JZ(LabelRef(kind + "Tail"))
		a.Label(kind + "Vector")
		d, v := a.ZMM(), a.ZMM()
		a.VMULPD(at(r.sizes, i, 8, 0), occurrences, v)
		a.VCVTUDQ2PD(at(r.counts, i, 4, 0), d)
		a.VFMSUB213PD(v, total, d)
		v = a.valueOf(kind, at(r.weights, i, 8, 0), d, v, sign)
		a.VMAXPD(largest, v, largest)
		a.ADDQ(U8(8), i)
		a.CMPQ(i, r.classes)
		a.JB(LabelRef(kind + "Vector"))
		a.Label(kind + "Tail")
		a.TESTQ(tail, tail)
		a.JZ(LabelRef(kind + "Fold"))
		weights := a.ZMM()
		a.VMOVUPD_Z(at(r.sizes, i, 8, 0), rest, v)
		a.VMOVUPD_Z(at(r.weights, i, 8, 0), rest, weights)
		a.VCVTUDQ2PD_Z(at(r.counts, i, 4, 0), rest, d)
		a.VMULPD(v, occurrences, v)
		a.VFMSUB213PD(v, total, d)
		v = a.valueOf(kind, weights, d, v, sign)
		a.VMAXPD(largest, v, rest, largest)
		a.Label(kind + "Fold")
		half, quarter := a.YMM(), a.XMM()
		a.VEXTRACTF64X4(U8(1), largest, half)
		a.VMAXPD(half, largest.AsY(), half)
		a.VEXTRACTF128(U8(1), half, quarter)
		a.VMAXPD(quarter, half.AsX(), quarter)
		return a.highest(quarter)
	})
}

func (a *assembler) maxDeviationsAVX2(infinity Mem) {
	a.function("maxDeviationsAVX2", maxDeviationsSignature, "maxDeviationsAVX2 works like maxDeviationsGeneric.")
	r := a.deviationRows(infinity)
	total, sign, two52 := a.YMM(), a.YMM(), a.YMM()
	a.VBROADCASTSD(a.param("total"), total)
	a.VPCMPEQD(sign, sign, sign)
	a.VPSLLQ(U8(63), sign, sign)
	a.VBROADCASTSD(a.words64("two52", math.Float64bits(1<<52)), two52)
	tail := a.GP64()
	a.MOVQ(r.classes, tail)
	a.ANDQ(U8(3), tail)
	lanes, wide, not := a.firstLanesAVX2(tail), a.YMM(), a.YMM()
	a.VPMOVSXDQ(lanes.AsX(), wide)
	a.VPCMPEQD(not, not, not)
	a.VPXOR(not, wide, not)
	a.ANDQ(I8(-4), r.classes) // those in whole vectors

	// deviate takes four counts, zero-extended to 64 bits: put into the fraction of
	// 2^52 they become 2^52 + count. Both registers are overwritten.
	deviate := func(d, size, occurrences reg.VecVirtual) {
		a.VPOR(two52, d, d)
		a.VSUBPD(two52, d, d)
		a.VMULPD(total, d, d)
		a.VMULPD(size, occurrences, size)
		a.VSUBPD(size, d, d)
	}
	a.forKinds(r, func(kind string) reg.VecVirtual {
		largest, occurrences, i := a.YMM(), a.YMM(), a.GP64()
		a.VBROADCASTSD(r.infinity, largest)
		a.VBROADCASTSD(from(r.occurrences, 0), occurrences)
		a.XORL(i.As32(), i.As32())
		a.TESTQ(r.classes, r.classes)
		a.JZ(LabelRef(kind + "Tail"))
		a.Label(kind + "Vector")
		d, v := a.YMM(), a.YMM()
		a.VPMOVZXDQ(at(r.counts, i, 4, 0), d)
		a.VMOVUPD(at(r.sizes, i, 8, 0), v)
		deviate(d, v, occurrences)
		v = a.valueOf(kind, at(r.weights, i, 8, 0), d, v, sign)
		a.VMAXPD(largest, v, largest)
		a.ADDQ(U8(4), i)
		a.CMPQ(i, r.classes)
		a.JB(LabelRef(kind + "Vector"))
		a.Label(kind + "Tail")
		a.TESTQ(tail, tail)
		a.JZ(LabelRef(kind + "Fold"))
		weights := a.YMM()
		a.VPMASKMOVD(at(r.counts, i, 4, 0), lanes.AsX(), d.AsX())
		a.VPMOVZXDQ(d.AsX(), d)
		a.VMASKMOVPD(at(r.sizes, i, 8, 0), wide, v)
		a.VMASKMOVPD(at(r.weights, i, 8, 0), wide, weights)
		deviate(d, v, occurrences)
		v = a.valueOf(kind, weights, d, v, sign)
		a.VORPD(not, v, v) // lanes that do not count become NaN, which never is the largest
		a.VMAXPD(largest, v, largest)
		a.Label(kind + "Fold")
		half := a.XMM()
		a.VEXTRACTF128(U8(1), largest, half)
		a.VMAXPD(half, largest.AsX(), half)
		return a.highest(half)
	})
}
