package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deviationMaxima computes all forms by one code: the absolute value is taken by a mask, which is
// all ones otherwise, and both one product with the weight and two are there.
func deviationMaxima(a *assembler) {
	least := a.words("leastNumber", U64(0xFFF0000000000000)) // -Inf
	a.function("deviationMaximaAVX2", "func(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool",
		"deviationMaximaAVX2 works like deviationMaximaGeneric.")
	l := &segmentLoop{
		assembler: a, zero: a.YMM(), pairs: [2]reg.VecVirtual{a.YMM(), a.YMM()}, left: a.length("classes"), dst: a.pointer("dst").(reg.GPVirtual),
		segments: a.length("dst"), start: a.pointer("start"), classes: a.pointer("classes"), table: a.pointer("table"), column: a.pointer("a"),
	}
	a.clear(l.zero)
	l.i = a.GP64()
	l.checkClasses(a.length("table"))
	of := a.pointer("of")
	all, sign, squares, expected := a.YMM(), a.YMM(), a.YMM(), a.YMM()
	lowest, largest := a.YMM(), a.YMM()
	a.deviationForm(all, sign, squares)
	a.VBROADCASTSD(least, lowest)
	l.run(func() {
		a.VBROADCASTSD(at(of, l.i, 8, 0), expected)
		a.VMOVAPD(lowest, largest)
	}, func(first int, mask reg.VecVirtual) {
		sizes, weights := l.classPairs(first)
		d, v := a.YMM(), a.YMM()
		a.VMULPD(from(l.column, 8*first), all, d)
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
	}, func() {
		x, y := a.XMM(), a.XMM()
		a.VEXTRACTF128(U8(1), largest, y)
		a.VMAXPD(largest.AsX(), y, x)
		a.VPERMILPD(U8(1), x, y)
		a.VMAXPD(y, x, x)
		a.VADDPD(l.zero.AsX(), x, x) // no -0
		a.VMOVSD(x, at(l.dst, l.i, 8, 0))
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

// planeColumns is the number of columns that planeMaxima takes at a time. The last ones overlap
// those before, so that there is no loop for the rest: there must be so many.
const planeColumns = 8

// planeMaxima goes over the planes of a few columns, first for their sums, then for the
// deviations: each form has a loop of its own.
func planeMaxima(a *assembler) {
	least := a.words("leastOfPlanes", U64(0xFFF0000000000000))      // -Inf
	magnitude := a.words("planeMagnitude", U64(0x7FFFFFFFFFFFFFFF)) // all but the sign
	a.function("planeMaximaAVX2", "func(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation)",
		"planeMaximaAVX2 works like planeMaximaGeneric. There must be 8 columns.")
	dst, df, counts := a.pointer("dst"), a.pointer("df"), a.pointer("counts")
	stride, skipped, planes, table := a.GP64(), a.GP64(), a.GP64(), a.pointer("table")
	all, lowest, sign, zero := a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.Load(a.Param("stride"), stride)
	a.ADDQ(stride, stride) // bytes
	a.Load(a.Param("first"), skipped)
	a.Load(a.Param("planes"), planes)
	a.SUBQ(skipped, planes) // that are added up
	a.IMULQ(stride, skipped)
	a.VBROADCASTSD(a.param("n"), all)
	a.VBROADCASTSD(least, lowest)
	a.VBROADCASTSD(magnitude, sign)
	a.clear(zero)

	i, plane, left := a.GP64(), a.GP64(), a.GP64()
	a.XORL(i.As32(), i.As32())
	a.Label("columns")
	sum, x := a.YMM(), a.YMM()
	a.clear(sum)
	a.LEAQ(at(counts, i, 2, 0), plane)
	a.ADDQ(skipped, plane)
	a.MOVQ(planes, left)
	a.TESTQ(left, left)
	a.JZ(LabelRef("added"))
	a.Label("add")
	a.PREFETCHT0(from(plane, cacheLine)) // the CPU foresees few planes at a time
	a.VPMOVZXWD(from(plane, 0), x)
	a.VPADDD(x, sum, sum)
	a.ADDQ(stride, plane)
	a.DECQ(left)
	a.JNZ(LabelRef("add"))
	a.Label("added")
	a.VMOVDQU(sum, at(df, i, 4, 0))
	expected, largest := [2]reg.VecVirtual{a.YMM(), a.YMM()}, [2]reg.VecVirtual{a.YMM(), a.YMM()}
	a.VCVTDQ2PD(sum.AsX(), expected[0])
	a.VEXTRACTI128(U8(1), sum, sum.AsX())
	a.VCVTDQ2PD(sum.AsX(), expected[1])
	a.VMOVAPD(lowest, largest[0])
	a.VMOVAPD(lowest, largest[1])

	class := a.GP64()
	a.MOVQ(table, class)
	a.LEAQ(at(counts, i, 2, 0), plane)
	a.Load(a.Param("table").Len(), left)
	a.TESTQ(left, left)
	a.JZ(LabelRef("largest"))
	maxima := func(finish func(v, d reg.VecVirtual)) {
		loop := a.label("classes")
		a.Label(loop)
		size, weight := a.YMM(), a.YMM()
		a.VBROADCASTSD(from(class, 0), size)
		a.VBROADCASTSD(from(class, 8), weight)
		for half := range expected {
			d, v := a.YMM(), a.YMM()
			a.VPMOVZXWD(from(plane, planeColumns*half), d.AsX())
			a.VCVTDQ2PD(d.AsX(), d)
			a.VMULPD(all, d, d)
			a.VMULPD(size, expected[half], v)
			a.VSUBPD(v, d, d)
			a.VMULPD(weight, d, v)
			finish(v, d)
			a.VMAXPD(v, largest[half], largest[half])
		}
		a.ADDQ(U8(16), class)
		a.ADDQ(stride, plane)
		a.DECQ(left)
		a.JNZ(LabelRef(loop))
	}
	const absolute = 1
	a.CMPB(NewParamAddr("form", 5*24+8), U8(absolute)) // avo does not look into a named type
	a.JE(LabelRef("absolute"))
	a.JA(LabelRef("signed"))
	maxima(func(v, d reg.VecVirtual) { a.VMULPD(d, v, v) })
	a.JMP(LabelRef("largest"))
	a.Label("absolute")
	maxima(func(v, _ reg.VecVirtual) { a.VANDPD(sign, v, v) })
	a.JMP(LabelRef("largest"))
	a.Label("signed")
	maxima(func(_, _ reg.VecVirtual) {})
	a.Label("largest")
	for half := range largest {
		a.VADDPD(zero, largest[half], largest[half]) // no -0
		a.VMOVUPD(largest[half], at(dst, i, 8, 32*half))
	}

	end := a.length("dst")
	a.ADDQ(U8(planeColumns), i)
	a.CMPQ(i, end)
	a.JAE(LabelRef("done"))
	a.SUBQ(U8(planeColumns), end)
	a.CMPQ(i, end)
	a.CMOVQHI(end, i)
	a.JMP(LabelRef("columns"))
	a.Label("done")
	a.leave()
}
