package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

const repeatSignature = "func(dst, values []float64, start []int) bool"

// repeat stores whole vectors where that many elements are left, whatever the length of a
// segment: the next one overwrites what is too much.
func repeat(a *assembler) {
	a.repeat("repeatAVX512", 8)
	a.repeat("repeatAVX2", 4)
}

func (a *assembler) repeat(name string, lanes int) {
	a.function(name, repeatSignature, name+" works like repeatGeneric.")
	dst, left := a.pointer("dst"), a.length("dst")
	values, segments, start := a.pointer("values"), a.length("values"), a.pointer("start")
	i, first, n, behind := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.XORL(i.As32(), i.As32())
	a.MOVQ(at(start, i, 8, 0), first)

	a.Label("segment")
	a.MOVQ(at(start, i, 8, 8), n)
	a.SUBQ(first, n)
	a.ADDQ(n, first)
	a.MOVQ(left, behind)
	a.CMPQ(n, left)
	a.JA(LabelRef("wrong"))
	a.SUBQ(n, left)
	v := a.vector(lanes)
	a.VBROADCASTSD(at(values, i, 8, 0), v)
	a.CMPQ(n, U8(lanes))
	a.JBE(LabelRef("end"))
	a.Label("vectors")
	a.VMOVUPD(v, from(dst, 0))
	a.ADDQ(U8(8*lanes), dst)
	a.SUBQ(U8(lanes), behind)
	a.SUBQ(U8(lanes), n)
	a.CMPQ(n, U8(lanes))
	a.JA(LabelRef("vectors"))
	a.Label("end") // up to a vector
	a.CMPQ(behind, U8(lanes))
	a.JB(LabelRef("few"))
	a.VMOVUPD(v, from(dst, 0))
	a.Label("next")
	a.LEAQ(at(dst, n, 8, 0), dst)
	a.INCQ(i)
	a.CMPQ(i, segments)
	a.JB(LabelRef("segment"))
	a.returnTruth(true)

	a.Label("few") // fewer elements than a vector has are left of dst
	a.TESTQ(n, n)
	a.JZ(LabelRef("next"))
	a.Label("one")
	a.VMOVSD(v.AsX(), from(dst, 0))
	a.ADDQ(U8(8), dst)
	a.DECQ(n)
	a.JNZ(LabelRef("one"))
	a.JMP(LabelRef("next"))

	a.Label("wrong")
	a.returnTruth(false)
}
