package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A cellLoop makes the loops of kernels over cells, of which each has a class with two
// numbers in tables: eight cells at once, in AVX2 four. The last ones are read and written
// under a mask, in the same code.
type cellLoop struct {
	*assembler
	lanes   int
	i       reg.GPVirtual
	classes reg.Register
	tables  [2]reg.Register
	most    reg.VecVirtual // AVX-512: the number of classes; AVX2: the last class
	valid   reg.Register   // where all classes were in range
	lanesOf reg.Register   // of the cells at hand, if they are the last: a mask
	quads   reg.VecVirtual // AVX2: the same, of 64 bits
}

// cells makes a function that computes a vector from each vector of cells. compute gets the
// two numbers of the classes and a function that loads a column of float64; what it returns
// is stored.
func (a *assembler) cells(lanes int, tables [2]string, prepare func(), compute func(first, second reg.VecVirtual, load func(column reg.Register) reg.VecVirtual) reg.VecVirtual) {
	l := &cellLoop{assembler: a, lanes: lanes, i: a.GP64()}
	dst, n := a.pointer("dst"), a.length("classes")
	l.classes = a.pointer("classes")
	for j, name := range tables {
		l.tables[j] = a.pointer(name)
	}
	l.begin(tables[0])
	prepare()
	a.XORL(l.i.As32(), l.i.As32())
	a.SUBQ(U8(lanes), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	v := l.numbers(compute, false)
	a.VMOVUPD(v, at(dst, l.i, 8, 0))
	a.ADDQ(U8(lanes), l.i)
	a.SUBQ(U8(lanes), n)
	a.JAE(LabelRef("vectors"))
	a.Label("tail")
	a.ADDQ(U8(lanes), n)
	a.JZ(LabelRef("done"))
	l.last(n)
	v = l.numbers(compute, true)
	if lanes == 8 {
		a.VMOVUPD(v, l.lanesOf, at(dst, l.i, 8, 0))
	} else {
		a.VMASKMOVPD(v, l.quads, at(dst, l.i, 8, 0))
	}
	a.Label("done")
	l.end()
}

// begin prepares the look at the classes.
func (l *cellLoop) begin(table string) {
	classes := l.length(table)
	if l.lanes == 8 {
		l.most, l.valid = l.YMM(), l.K()
		l.VPBROADCASTD(classes.As32(), l.most.AsY())
		l.KXNORB(l.valid, l.valid, l.valid)
		return
	}
	last, valid := l.XMM(), l.XMM()
	l.DECQ(classes)
	l.VMOVD(classes.As32(), last)
	l.VPBROADCASTD(last, last)
	l.VPCMPEQD(valid, valid, valid)
	l.most, l.valid = last, valid
}

// last makes the masks of the last n cells.
func (l *cellLoop) last(n reg.GPVirtual) {
	if l.lanes == 8 {
		l.lanesOf = l.K()
		bits := l.GP32()
		l.MOVL(I32(-1), bits)
		l.BZHIL(n.As32(), bits, bits)
		l.KMOVB(bits, l.lanesOf)
		return
	}
	lanes := l.firstLanesAVX2(n).(reg.VecVirtual)
	l.lanesOf, l.quads = lanes.AsX(), l.YMM()
	l.VPMOVSXDQ(lanes.AsX(), l.quads)
}

// numbers computes a vector of cells; under the masks if they are the last.
func (l *cellLoop) numbers(compute func(first, second reg.VecVirtual, load func(reg.Register) reg.VecVirtual) reg.VecVirtual, last bool) reg.VecVirtual {
	if l.lanes == 8 {
		return l.numbersAVX512(compute, last)
	}
	classes, known, mask := l.XMM(), l.XMM(), l.YMM()
	if last {
		l.VPMASKMOVD(at(l.classes, l.i, 4, 0), l.lanesOf, classes)
	} else {
		l.VMOVDQU(at(l.classes, l.i, 4, 0), classes)
	}
	l.VPMINUD(classes, l.most, known)
	l.VPCMPEQD(classes, known, known)
	l.VPAND(known, l.valid, l.valid)
	var of [2]reg.VecVirtual
	for j, table := range l.tables {
		of[j] = l.YMM()
		l.VPMOVSXDQ(known, mask) // a class out of range is not read
		l.clear(of[j])
		l.VGATHERDPD(mask, at(table, classes, 8, 0), of[j])
	}
	return compute(of[0], of[1], func(column reg.Register) reg.VecVirtual {
		v := l.YMM()
		if last {
			l.VMASKMOVPD(at(column, l.i, 8, 0), l.quads, v)
		} else {
			l.VMOVUPD(at(column, l.i, 8, 0), v)
		}
		return v
	})
}

func (l *cellLoop) numbersAVX512(compute func(first, second reg.VecVirtual, load func(reg.Register) reg.VecVirtual) reg.VecVirtual, last bool) reg.VecVirtual {
	const less = 1
	classes, known := l.YMM(), l.K()
	if last {
		l.VMOVDQU32_Z(at(l.classes, l.i, 4, 0), l.lanesOf, classes)
	} else {
		l.VMOVDQU32(at(l.classes, l.i, 4, 0), classes)
	}
	l.VPCMPUD(U8(less), l.most.AsY(), classes, known)
	l.KANDB(known, l.valid, l.valid)
	var of [2]reg.VecVirtual
	for j, table := range l.tables {
		of[j] = l.ZMM()
		mask := l.K()
		l.KMOVB(known, mask) // a class out of range is not read
		l.clear(of[j])
		l.VGATHERDPD(at(table, classes, 8, 0), mask, of[j])
	}
	return compute(of[0], of[1], func(column reg.Register) reg.VecVirtual {
		v := l.ZMM()
		if last {
			l.VMOVUPD_Z(at(column, l.i, 8, 0), l.lanesOf, v)
		} else {
			l.VMOVUPD(at(column, l.i, 8, 0), v)
		}
		return v
	})
}

// end returns whether all classes were in range.
func (l *cellLoop) end() {
	bits := l.GP32()
	if l.lanes == 8 {
		l.KMOVB(l.valid, bits)
		l.CMPB(bits.As8(), U8(0xFF))
	} else {
		l.VMOVMSKPS(l.valid, bits)
		l.CMPB(bits.As8(), U8(0xF))
	}
	truth := l.GP8()
	l.SETEQ(truth)
	l.VZEROUPPER()
	l.Store(truth, l.ReturnIndex(0))
	l.RET()
}

// vector makes a vector of so many numbers of 64 bits.
func (a *assembler) vector(lanes int) reg.VecVirtual {
	if lanes == 8 {
		return a.ZMM()
	}
	return a.YMM()
}

// returnTruth ends the function with a result of true or false.
func (a *assembler) returnTruth(truth bool) {
	r := a.GP8()
	value := U8(0)
	if truth {
		value = 1
	}
	a.MOVB(value, r)
	a.VZEROUPPER()
	a.Store(r, a.ReturnIndex(0))
	a.RET()
}
