package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deviationMaxima computes all forms by one code: the absolute value is taken by a mask, which is
// all ones otherwise, and both one product with the weight and two are there.
func deviationMaxima(a *assembler) {
	least := a.words64("leastNumber", 0xFFF0000000000000) // -Inf
	a.segments("deviationMaxima", "func(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool",
		[]string{"a"}, func(l *segmentLoop) segmentBody {
			l.checkClasses(a.length("table"))
			of := a.pointer("of")
			all, sign, squares, expected := a.YMM(), a.YMM(), a.YMM(), a.YMM()
			lowest, largest := a.YMM(), a.YMM()
			a.deviationForm(all, sign, squares)
			a.VBROADCASTSD(least, lowest)
			return segmentBody{
				begin: func() {
					a.VBROADCASTSD(at(of, l.i, 8, 0), expected)
					a.VMOVAPD(lowest, largest)
				},
				cells: func(first int, mask reg.VecVirtual) {
					sizes, weights := l.classPairs(first)
					d, v := a.YMM(), a.YMM()
					a.VMULPD(from(l.columns[0], 8*first), all, d)
					a.VMULPD(sizes, expected, sizes)
					a.VSUBPD(sizes, d, d)
					a.VMULPD(weights, d, weights)
					a.VMULPD(weights, d, v)
					a.VBLENDVPD(squares, v, weights, v)
					a.VANDPD(sign, v, v)
					if mask != nil {
						a.VBLENDVPD(mask, v, lowest, v)
					}
					a.VMAXPD(v, largest, largest)
				},
				end: func() {
					x, y := a.XMM(), a.XMM()
					a.VEXTRACTF128(U8(1), largest, y)
					a.VMAXPD(largest.AsX(), y, x)
					a.VPERMILPD(U8(1), x, y)
					a.VMAXPD(y, x, x)
					a.VADDPD(l.zero.AsX(), x, x) // no -0
					a.VMOVSD(x, at(l.dst, l.i, 8, 0))
				},
			}
		})
}

// deviationForm reads the parameters n and form, which is behind six slices and a number (avo
// does not look into a named type): all gets n, sign the mask of an absolute value where that is
// asked for, and squares all bits where squares are.
func (a *assembler) deviationForm(all, sign, squares reg.VecVirtual) {
	const squared, absolute = 0, 1
	form, mask := a.GP32(), a.GP64()
	a.VBROADCASTSD(a.param("n"), all)
	a.MOVBLZX(NewParamAddr("form", 6*24+8), form)
	a.MOVQ(I32(-1), mask)
	a.CMPL(form, U8(absolute))
	a.JNE(LabelRef("signs"))
	a.SHRQ(U8(1), mask)
	a.Label("signs")
	a.VMOVQ(mask, sign.AsX())
	a.VPBROADCASTQ(sign.AsX(), sign)
	a.XORL(mask.As32(), mask.As32())
	a.CMPL(form, U8(squared))
	a.SETEQ(mask.As8())
	a.NEGQ(mask)
	a.VMOVQ(mask, squares.AsX())
	a.VPBROADCASTQ(squares.AsX(), squares)
}
