package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

const addBytesSignature = "func(dst, x []float64, values []byte)"

// addBytes widens bytes to 32-bit numbers, these to float64, and adds them to those of x: 16 bytes
// at once, in AVX2 eight.
func addBytes(a *assembler) {
	a.addBytesAVX512()
	a.addBytesAVX2()
}

func (a *assembler) addBytesAVX512() {
	a.function("addBytesAVX512", addBytesSignature, "addBytesAVX512 works like addBytesGeneric.")
	dst, x, values, n := a.pointer("dst"), a.pointer("x"), a.pointer("values"), a.length("values")
	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(16), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	for j := range 2 {
		words, v := a.YMM(), a.ZMM()
		a.VPMOVZXBD(at(values, i, 1, 8*j), words)
		a.VCVTDQ2PD(words, v)
		a.VADDPD(at(x, i, 8, 64*j), v, v)
		a.VMOVUPD(v, at(dst, i, 8, 64*j))
	}
	a.ADDQ(U8(16), i)
	a.SUBQ(U8(16), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(16), n)
	a.JZ(LabelRef("done"))
	a.Label("eight") // up to twice
	bits, rest := a.GP32(), a.K()
	a.MOVL(I32(-1), bits)
	a.BZHIL(n.As32(), bits, bits)
	a.KMOVB(bits, rest)
	words, v := a.YMM(), a.ZMM()
	a.VPMOVZXBD_Z(at(values, i, 1, 0), rest, words)
	a.VCVTDQ2PD(words, v)
	sum := a.ZMM()
	a.VMOVUPD_Z(at(x, i, 8, 0), rest, sum)
	a.VADDPD(sum, v, v)
	a.VMOVUPD(v, rest, at(dst, i, 8, 0))
	a.ADDQ(U8(8), i)
	a.SUBQ(U8(8), n)
	a.JA(LabelRef("eight"))
	a.Label("done")
	a.leave()
}

func (a *assembler) addBytesAVX2() {
	a.function("addBytesAVX2", addBytesSignature, "addBytesAVX2 works like addBytesGeneric.")
	dst, x, values, n := a.pointer("dst"), a.pointer("x"), a.pointer("values"), a.length("values")
	i := a.GP64()
	a.inVectors(n, i, 8, func() {
		for j := range 2 {
			words, v := a.XMM(), a.YMM()
			a.VPMOVZXBD(at(values, i, 1, 4*j), words)
			a.VCVTDQ2PD(words, v)
			a.VADDPD(at(x, i, 8, 32*j), v, v)
			a.VMOVUPD(v, at(dst, i, 8, 32*j))
		}
	}, func() {
		word, v := a.GP32(), a.XMM()
		a.MOVBLZX(at(values, i, 1, 0), word)
		a.clear(v)
		a.VCVTSI2SDL(word, v, v)
		a.VADDSD(at(x, i, 8, 0), v, v)
		a.VMOVSD(v, at(dst, i, 8, 0))
	})
}
