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
	a.inVectors(n, i, quad, func() {
		x, y, positive := a.YMM(), a.YMM(), a.YMM()
		a.VMOVUPD(at(of, i, 8, 0), x)
		a.VSQRTPD(at(squares, i, 8, 0), y)
		a.VMULPD(factor, y, y)
		a.VDIVPD(y, x, y)
		a.above(x, zero, positive)
		a.VBLENDVPD(positive, y, x, x)
		a.VMOVUPD(x, at(dst, i, 8, 0))
	}, func() {
		x, y, positive := a.XMM(), a.XMM(), a.XMM()
		a.VMOVSD(at(of, i, 8, 0), x)
		a.VMOVSD(at(squares, i, 8, 0), y)
		a.VSQRTSD(y, y, y)
		a.VMULSD(factor.AsX(), y, y)
		a.VDIVSD(y, x, y)
		a.above(x, zero.AsX(), positive)
		a.VBLENDVPD(positive, y, x, x)
		a.VMOVSD(x, at(dst, i, 8, 0))
	})
}

// above sets the lanes of mask where x > y, which NaN is not.
func (a *assembler) above(x, y, mask reg.Register) { a.VCMPPD(U8(0x1E), y, x, mask) }
