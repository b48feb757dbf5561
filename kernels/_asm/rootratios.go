package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rootRatios takes four numbers at once. With AVX-512 a root and a division of eight take as long
// as two of four.
func rootRatios(a *assembler) {
	a.function("rootRatiosAVX2", "func(dst, x, squares []float64, factor float64)", "rootRatiosAVX2 works like rootRatiosGeneric.")
	dst, of, squares, n := a.pointer("dst"), a.pointer("x"), a.pointer("squares"), a.length("dst")
	i, factor, zero := a.GP64(), a.YMM(), a.YMM()
	a.VBROADCASTSD(a.param("factor"), factor)
	a.clear(zero)
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(quad), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	x, y, positive := a.YMM(), a.YMM(), a.YMM()
	a.VMOVUPD(at(of, i, 8, 0), x)
	a.VSQRTPD(at(squares, i, 8, 0), y)
	a.VMULPD(factor, y, y)
	a.VDIVPD(y, x, y)
	a.above(x, zero, positive)
	a.VBLENDVPD(positive, y, x, x)
	a.VMOVUPD(x, at(dst, i, 8, 0))
	a.ADDQ(U8(quad), i)
	a.SUBQ(U8(quad), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(quad), n)
	a.JZ(LabelRef("done"))
	a.Label("one") // up to three times
	u, v, mask := a.XMM(), a.XMM(), a.XMM()
	a.VMOVSD(at(of, i, 8, 0), u)
	a.VMOVSD(at(squares, i, 8, 0), v)
	a.VSQRTSD(v, v, v)
	a.VMULSD(factor.AsX(), v, v)
	a.VDIVSD(v, u, v)
	a.above(u, zero.AsX(), mask)
	a.VBLENDVPD(mask, v, u, u)
	a.VMOVSD(u, at(dst, i, 8, 0))
	a.INCQ(i)
	a.DECQ(n)
	a.JNZ(LabelRef("one"))
	a.Label("done")
	a.leave()
}

// above sets the lanes of mask where x > y, which NaN is not.
func (a *assembler) above(x, y, mask reg.Register) { a.VCMPPD(U8(0x1E), y, x, mask) }
