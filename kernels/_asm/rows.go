package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowMaxima goes over the rows that segments of places name. Eight numbers are computed for a row,
// however short it is; those behind it are overwritten by the next.
func rowMaxima(a *assembler) {
	const rowBytes, width = 64, 32
	a.function("rowMaximaAVX2", "func(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool", "rowMaximaAVX2 works like rowMaximaGeneric.")
	dst, rows, known := a.pointer("dst"), a.pointer("table"), a.length("table")
	places, left, start, segments := a.pointer("places"), a.length("places"), a.pointer("start"), a.length("start")
	i, first, n, place, shift, size := a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.DECQ(segments)
	a.MOVQ(a.param("log"), shift)
	a.SUBQ(U8(rowBytes/8-1), known)
	a.SHRXQ(shift, known, known)
	a.ADDQ(U8(3), shift) // of a row in bytes
	a.MOVL(U32(1), size.As32())
	a.SHLXQ(shift, size, size)
	a.XORL(i.As32(), i.As32())
	a.MOVQ(from(start, 0), first)
	least, largest := a.YMM(), []reg.VecVirtual{a.YMM(), a.YMM()}
	a.VPBROADCASTQ(a.param("least"), least)

	a.Label("segment")
	a.MOVQ(at(start, i, 8, 8), n)
	a.SUBQ(first, n)
	a.ADDQ(n, first)
	a.CMPQ(n, left)
	a.JA(LabelRef("wrong"))
	a.SUBQ(n, left)
	for _, v := range largest {
		a.VMOVUPD(least, v)
	}
	a.TESTQ(n, n)
	a.JZ(LabelRef("end"))
	a.Label("places")
	a.MOVL(from(places, 0), place.As32())
	a.CMPQ(place, known)
	a.JAE(LabelRef("wrong"))
	a.SHLXQ(shift, place, place)
	for j, v := range largest {
		numbers, larger := a.YMM(), a.YMM()
		a.VMOVDQU(at(rows, place, 1, j*width), numbers)
		a.VPCMPGTQ(v, numbers, larger)
		a.VBLENDVPD(larger, numbers, v, v)
	}
	a.ADDQ(U8(4), places)
	a.DECQ(n)
	a.JNZ(LabelRef("places"))
	a.Label("end")
	for j, v := range largest {
		a.VMOVUPD(v, from(dst, j*width))
	}
	a.ADDQ(size, dst)
	a.INCQ(i)
	a.CMPQ(i, segments)
	a.JB(LabelRef("segment"))
	a.returnTruth(true)
	a.Label("wrong")
	a.returnTruth(false)
}
