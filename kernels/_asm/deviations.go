package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const deviationsSignature = "func(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) bool"

// deviations computes all forms by one code: the absolute value is taken by a mask, which is
// all ones otherwise, and a branch that always goes the same way leaves out the second
// multiplication.
func deviations(a *assembler) {
	a.deviations("deviationsAVX512", 8)
	a.deviations("deviationsAVX2", 4)
}

func (a *assembler) deviations(name string, lanes int) {
	const squared, absolute = 0, 1
	a.function(name, deviationsSignature, name+" works like deviationsGeneric.")
	docs, of, form := a.pointer("a"), a.pointer("of"), a.GP32()
	all, bits, zero := a.vector(lanes), a.vector(lanes), a.vector(lanes)
	a.cells(lanes, [2]string{"sizes", "weights"}, func() {
		a.VBROADCASTSD(a.param("n"), all)
		a.MOVBLZX(NewParamAddr("form", 6*24+8), form) // behind six slices and a number; avo does not look into a named type
		mask := a.GP64()
		a.MOVQ(I32(-1), mask)
		a.CMPL(form, U8(absolute))
		a.JNE(LabelRef("signs"))
		a.SHRQ(U8(1), mask)
		a.Label("signs")
		a.VMOVQ(mask, bits.AsX())
		a.VPBROADCASTQ(bits.AsX(), bits)
		a.clear(zero)
	}, func(size, weight reg.VecVirtual, load func(reg.Register) reg.VecVirtual) reg.VecVirtual {
		d, expected := load(docs), load(of)
		a.VMULPD(all, d, d)
		a.VMULPD(size, expected, expected)
		a.VSUBPD(expected, d, d)
		a.VMULPD(weight, d, weight)
		once := a.label("once")
		a.CMPL(form, U8(squared))
		a.JNE(LabelRef(once))
		a.VMULPD(weight, d, weight)
		a.Label(once)
		return a.keys(weight, bits, zero, lanes)
	})
}

// keys takes the absolute values, if bits says so, and makes keys of numbers.
func (a *assembler) keys(v, bits, zero reg.VecVirtual, lanes int) reg.VecVirtual {
	turned := a.vector(lanes)
	if lanes == 8 {
		a.VPANDQ(bits, v, v)
		a.VPSRAQ(U8(63), v, turned)
		a.VPSRLQ(U8(1), turned, turned)
		a.VPXORQ(turned, v, v)
		return v
	}
	a.VPAND(bits, v, v)
	a.VPCMPGTQ(v, zero, turned)
	a.VPSRLQ(U8(1), turned, turned)
	a.VPXOR(turned, v, v)
	return v
}
