package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

const widenBytesSignature = "func(dst []uint32, values []byte)"

// widenBytes takes 32 bytes at once, then eight, then one after the other.
func widenBytes(a *assembler) {
	a.function("widenBytesAVX2", widenBytesSignature, "widenBytesAVX2 works like widenBytesGeneric.")
	dst, values, n := a.pointer("dst"), a.pointer("values"), a.length("values")
	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	for _, bytes := range []int{32, 8} {
		loop, rest := a.label("vectors"), a.label("rest")
		a.SUBQ(U8(bytes), n)
		a.JB(LabelRef(rest))
		a.Label(loop)
		for j := 0; j < bytes; j += 8 {
			v := a.YMM()
			a.VPMOVZXBD(at(values, i, 1, j), v)
			a.VMOVDQU(v, at(dst, i, 4, 4*j))
		}
		a.ADDQ(U8(bytes), i)
		a.SUBQ(U8(bytes), n)
		a.JAE(LabelRef(loop))
		a.Label(rest)
		a.ADDQ(U8(bytes), n)
	}
	a.JZ(LabelRef("done"))
	a.Label("one")
	word := a.GP32()
	a.MOVBLZX(at(values, i, 1, 0), word)
	a.MOVL(word, at(dst, i, 4, 0))
	a.INCQ(i)
	a.DECQ(n)
	a.JNZ(LabelRef("one"))
	a.Label("done")
	a.leave()
}
