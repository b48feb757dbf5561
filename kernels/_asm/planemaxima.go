package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planeColumns is the number of columns that planeMaxima takes at a time. The last ones overlap
// those before, so that there is no loop for the rest: there must be so many.
const planeColumns = 8

// planeMaxima goes over the planes of a few columns, first for their sums, then for the
// deviations: each form has a loop of its own.
func planeMaxima(a *assembler) {
	least := a.words64("leastOfPlanes", 0xFFF0000000000000)      // -Inf
	magnitude := a.words64("planeMagnitude", 0x7FFFFFFFFFFFFFFF) // all but the sign
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
