package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// aboveFloors adds as 64-bit numbers, which a sum of 33 bits needs, and makes them numbers by the bits
// of 2^52, whose last bit is 1: eight at once. With AVX-512 the loop would still read and write as
// many bytes.
func aboveFloors(a *assembler) {
	a.function("aboveFloorsAVX2", "func(dst []float64, floors []uint32, over []byte)", "aboveFloorsAVX2 works like aboveFloorsGeneric.")
	dst, floors, over, n := a.pointer("dst"), a.pointer("floors"), a.pointer("over"), a.length("dst")
	i, bits := a.GP64(), a.YMM()
	a.VBROADCASTSD(a.words64("aboveFloorsBits", 0x4330000000000000), bits)
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(8), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	for j := range 2 {
		sum, more := a.YMM(), a.YMM()
		a.VPMOVZXDQ(at(floors, i, 4, 16*j), sum)
		a.VPMOVZXBQ(at(over, i, 1, 4*j), more)
		a.VPADDQ(more, sum, sum)
		a.VPOR(bits, sum, sum)
		a.VSUBPD(bits, sum, sum)
		a.VMOVUPD(sum, at(dst, i, 8, 32*j))
	}
	a.ADDQ(U8(8), i)
	a.SUBQ(U8(8), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(8), n)
	a.JZ(LabelRef("done"))
	a.Label("one") // up to seven times
	sum, more, v := a.GP64(), a.GP32(), a.XMM()
	a.MOVL(at(floors, i, 4, 0), sum.As32())
	a.MOVBLZX(at(over, i, 1, 0), more)
	a.ADDQ(more.As64(), sum)
	a.clear(v)
	a.VCVTSI2SDQ(sum, v, v)
	a.VMOVSD(v, at(dst, i, 8, 0))
	a.INCQ(i)
	a.DECQ(n)
	a.JNZ(LabelRef("one"))
	a.Label("done")
	a.leave()
}
