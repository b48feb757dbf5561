package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const sumSegmentsSignature = "func(sums, squares []float64, values []float32, bounds []uint32)"

// sums has one accumulator of eight lanes for the sums and one for the squares;
// more of them would give other bits. Squares are multiplied and added apart,
// though exact ones could be fused: the accumulator waits three cycles for an
// addition, four for a fused one.
//
// A segment is whole vectors and a masked rest of 1 to 8 values, so that those up
// to 8 need no branch that depends on the length, empty ones neither. Adding the
// zeros of a mask changes nothing: no sum is -0, since it began with 0.
func sums(a *assembler) {
	a.sumSegmentsAVX512()
	a.sumSegmentsAVX2()
}

// cut loads the bounds of segment i: its first value, where the rest begins, and
// the length of the rest, from 1 to a whole vector unless the segment is empty.
func (a *assembler) cut(bounds, i reg.Register, vector int) (first, end, rest reg.GPVirtual) {
	first, end, rest = a.GP64(), a.GP64(), a.GP64()
	zero := a.GP64()
	a.MOVL(at(bounds, i, 4, 0), first.As32())
	a.MOVL(at(bounds, i, 4, 4), rest.As32())
	a.XORL(zero.As32(), zero.As32())
	a.SUBQ(first, rest)
	a.CMOVQCS(zero, rest) // bounds that do not ascend: empty
	a.LEAQ(from(rest, -1), end)
	a.ANDQ(I8(-vector), end)
	a.CMOVQMI(zero, end)
	a.SUBQ(end, rest)
	a.ADDQ(first, end)
	return first, end, rest
}

// foldSums adds up four lanes of sums and of squares as the contract says and
// stores both.
func (a *assembler) foldSums(s, q reg.VecVirtual, sums, squares Mem) {
	low, high, t := a.XMM(), a.XMM(), a.XMM()
	a.VEXTRACTF128(U8(1), s.AsY(), low)
	a.VADDPD(low, s.AsX(), low) // (0+4)+(2+6), (1+5)+(3+7)
	a.VEXTRACTF128(U8(1), q.AsY(), high)
	a.VADDPD(high, q.AsX(), high)
	a.VUNPCKLPD(high, low, t)
	a.VUNPCKHPD(high, low, high)
	a.VADDPD(high, t, t)
	a.VMOVLPD(t, sums)
	a.VMOVHPD(t, squares)
}

func (a *assembler) sumSegmentsAVX512() {
	a.function("sumSegmentsAVX512", sumSegmentsSignature, "sumSegmentsAVX512 works like sumSegmentsGeneric.")
	sums, squares, values, bounds := a.pointer("sums"), a.pointer("squares"), a.pointer("values"), a.pointer("bounds")
	n, i := a.length("sums"), a.GP64()
	a.XORL(i.As32(), i.As32())
	a.Label("segment")
	place, end, rest := a.cut(bounds, i, 8)
	s, q, v, w := a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
	a.clear(s)
	a.clear(q)
	a.CMPQ(place, end)
	a.JAE(LabelRef("rest"))
	a.Label("eight")
	a.VCVTPS2PD(at(values, place, 4, 0), v)
	a.VADDPD(v, s, s)
	a.VMULPD(v, v, v)
	a.VADDPD(v, q, q)
	a.ADDQ(U8(8), place)
	a.CMPQ(place, end)
	a.JB(LabelRef("eight"))
	a.Label("rest")
	k := a.K()
	a.firstLanes(rest, k)
	a.VCVTPS2PD_Z(at(values, end, 4, 0), k, v)
	a.VADDPD(v, s, s)
	a.VMULPD(v, v, v)
	a.VADDPD(v, q, q)
	a.VEXTRACTF64X4(U8(1), s, w.AsY())
	a.VADDPD(w.AsY(), s.AsY(), s.AsY())
	a.VEXTRACTF64X4(U8(1), q, w.AsY())
	a.VADDPD(w.AsY(), q.AsY(), q.AsY())
	a.foldSums(s, q, at(sums, i, 8, 0), at(squares, i, 8, 0))
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("segment"))
	a.leave()
}

// sumSegmentsAVX2 keeps lanes 0 to 3 and 4 to 7 in registers of their own.
func (a *assembler) sumSegmentsAVX2() {
	a.function("sumSegmentsAVX2", sumSegmentsSignature, "sumSegmentsAVX2 works like sumSegmentsGeneric.")
	sums, squares, values, bounds := a.pointer("sums"), a.pointer("squares"), a.pointer("values"), a.pointer("bounds")
	n, i := a.length("sums"), a.GP64()
	a.XORL(i.As32(), i.As32())
	a.Label("segment")
	place, end, rest := a.cut(bounds, i, 8)
	s, q, v := [2]reg.VecVirtual{a.YMM(), a.YMM()}, [2]reg.VecVirtual{a.YMM(), a.YMM()}, [2]reg.VecVirtual{a.YMM(), a.YMM()}
	for half := range s {
		a.clear(s[half])
		a.clear(q[half])
	}
	add := func() {
		for half := range s {
			a.VADDPD(v[half], s[half], s[half])
			a.VMULPD(v[half], v[half], v[half])
			a.VADDPD(v[half], q[half], q[half])
		}
	}
	a.CMPQ(place, end)
	a.JAE(LabelRef("rest"))
	a.Label("eight")
	a.VCVTPS2PD(at(values, place, 4, 0), v[0])
	a.VCVTPS2PD(at(values, place, 4, 16), v[1])
	add()
	a.ADDQ(U8(8), place)
	a.CMPQ(place, end)
	a.JB(LabelRef("eight"))
	a.Label("rest")
	a.VMASKMOVPS(at(values, end, 4, 0), a.firstLanesAVX2(rest), v[0])
	a.VEXTRACTF128(U8(1), v[0], v[1].AsX())
	a.VCVTPS2PD(v[0].AsX(), v[0])
	a.VCVTPS2PD(v[1].AsX(), v[1])
	add()
	a.VADDPD(s[1], s[0], s[0])
	a.VADDPD(q[1], q[0], q[0])
	a.foldSums(s[0], q[0], at(sums, i, 8, 0), at(squares, i, 8, 0))
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("segment"))
	a.leave()
}
