package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A segmentLoop makes the loop of deviationMaxima, which has one number for each segment of cells, of
// which each has a class with two numbers in a table. It takes one segment after the other:
// four cells at once if the segment has no more, else eight, so that the number of rounds, which
// cannot be predicted, is one for most segments. Behind its end a vector has cells of the next
// segments, which are masked. AVX-512 gains nothing: classes are looked up one by one, and
// eight lanes at once, with steps over the ends of segments, took 1.5 times as long.
type segmentLoop struct {
	*assembler
	classes reg.Register
	table   reg.Register
	column  reg.Register // of float64
	dst, i  reg.GPVirtual

	segments reg.GPVirtual
	start    reg.Register
	left     reg.GPVirtual // the cells that are left
	zero     reg.VecVirtual
	pairs    [2]reg.VecVirtual // of classPairs: avo thinks that a load of half a register needs the other half
}

const (
	quad     = 4 // numbers of a vector
	twoQuads = 2 * quad
)

// run makes the loop: begin begins a segment, and end stores what it has. cells takes the four cells from
// the given one on; where mask has no bits, there is none. nil is a mask of all. Where there are no cells of
// a segment, classes and the column have others, or zeros.
func (l *segmentLoop) run(begin func(), cells func(first int, mask reg.VecVirtual), end func()) {
	a, left, segments, start := l.assembler, l.left, l.segments, l.start
	first, n, behind, lane := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.XORL(l.i.As32(), l.i.As32())
	a.MOVQ(from(start, 0), first)
	masks := a.laneMasks()

	a.Label("segment")
	a.MOVQ(at(start, l.i, 8, 8), n)
	a.SUBQ(first, n)
	a.ADDQ(n, first)
	a.CMPQ(n, left)
	a.JA(LabelRef("wrong"))
	begin()
	a.TESTQ(n, n)
	a.JZ(LabelRef("end"))
	a.Label("cells")
	a.CMPQ(left, U8(twoQuads))
	a.JB(LabelRef("rest"))
	a.Label("vectors")
	a.CMPQ(n, U8(quad))
	a.JA(LabelRef("eight"))
	maskOf := func(quads int) reg.VecVirtual {
		m := a.YMM()
		a.VMOVUPD(at(lane, behind, 8, 8*quad*quads), m)
		return m
	}
	maskBehind := func() {
		a.LEAQ(masks, lane)
		a.MOVL(U32(twoQuads), behind.As32())
		a.SUBQ(n, behind)
	}
	maskBehind()
	cells(0, maskOf(0))
	a.Label("passed")
	a.LEAQ(at(l.column, n, 8, 0), l.column)
	a.LEAQ(at(l.classes, n, 4, 0), l.classes)
	a.SUBQ(n, left)
	a.Label("end")
	end()
	a.INCQ(l.i)
	a.CMPQ(l.i, segments)
	a.JB(LabelRef("segment"))
	a.returnTruth(true)

	a.Label("eight")
	a.CMPQ(n, U8(twoQuads))
	a.JB(LabelRef("masked"))
	cells(0, nil)
	cells(quad, nil)
	a.ADDQ(U8(8*twoQuads), l.column)
	a.ADDQ(U8(4*twoQuads), l.classes)
	a.SUBQ(U8(twoQuads), left)
	a.SUBQ(U8(twoQuads), n)
	a.JA(LabelRef("cells"))
	a.JMP(LabelRef("end"))
	a.Label("masked")
	maskBehind()
	cells(0, maskOf(0))
	cells(quad, maskOf(1))
	a.JMP(LabelRef("passed"))

	a.Label("rest")
	l.copyRest(left)
	a.JMP(LabelRef("vectors"))
	a.Label("wrong")
	a.returnTruth(false)
}

// copyRest copies fewer than eight cells, the last of all, to where class 0 is behind them as
// often as a vector needs. From here on left is larger than what is there, by eight.
func (l *segmentLoop) copyRest(left reg.GPVirtual) {
	copiedClasses := l.AllocLocal(3 * 4 * twoQuads)
	copied := l.AllocLocal(3 * 8 * twoQuads)
	for j := range 3 * twoQuads / quad {
		l.VMOVUPD(l.zero.AsX(), copiedClasses.Offset(4*quad*j))
		l.VMOVUPD(l.zero, copied.Offset(8*quad*j))
	}
	j, number, class := l.GP64(), l.XMM(), l.GP32()
	l.XORL(j.As32(), j.As32())
	l.Label("copy")
	l.VMOVSD(at(l.column, j, 8, 0), number)
	l.VMOVSD(number, copied.Idx(j, 8))
	l.MOVL(at(l.classes, j, 4, 0), class)
	l.MOVL(class, copiedClasses.Idx(j, 4))
	l.INCQ(j)
	l.CMPQ(j, left)
	l.JB(LabelRef("copy"))
	l.LEAQ(copiedClasses, l.classes)
	l.LEAQ(copied, l.column)
	l.ADDQ(U8(twoQuads), left)
}

// laneMasks is eight words of all ones and eight of 0: from place 8-n on there are the masks of
// the first n of eight lanes.
func (a *assembler) laneMasks() Mem {
	if a.masks == nil {
		m := a.words("laneMasks", slices.Concat(slices.Repeat([]Constant{^U64(0)}, twoQuads), slices.Repeat([]Constant{U64(0)}, twoQuads))...)
		a.masks = &m
	}
	return *a.masks
}

// classPairs loads the two numbers that the table has for each of four classes, from the given
// one on: by a load of 16 bytes for each class. A gather of one number takes as long as all
// four, and several times as long on some CPUs.
func (l *segmentLoop) classPairs(first int) (sizes, weights reg.VecVirtual) {
	even, odd := l.pairs[0], l.pairs[1]
	for lane := range quad {
		class, v := l.GP64(), even
		if lane%2 == 1 {
			v = odd
		}
		l.MOVL(from(l.classes, 4*(first+lane)), class.As32())
		l.ADDL(class.As32(), class.As32())
		if m := at(l.table, class, 8, 0); lane < 2 {
			l.VMOVUPD(m, v.AsX())
		} else {
			l.VINSERTF128(U8(1), m, v, v)
		}
	}
	sizes, weights = l.YMM(), l.YMM()
	l.VUNPCKLPD(odd, even, sizes)
	l.VUNPCKHPD(odd, even, weights)
	return sizes, weights
}

// checkClasses jumps to the label wrong if a class is not below size.
func (l *segmentLoop) checkClasses(size reg.GPVirtual) {
	const lanes = 8
	last, valid, v, known, i, left := l.YMM(), l.YMM(), l.YMM(), l.YMM(), l.GP64(), l.GP64()
	l.LEAQ(from(size, -1), left)
	l.VMOVD(left.As32(), last.AsX())
	l.VPBROADCASTD(last.AsX(), last)
	l.VPCMPEQD(valid, valid, valid)
	l.XORL(i.As32(), i.As32())
	l.MOVQ(l.left, left)
	l.SUBQ(U8(lanes), left)
	l.JB(LabelRef("ones"))
	l.Label("check")
	l.VMOVDQU(at(l.classes, i, 4, 0), v)
	l.VPMINUD(v, last, known)
	l.VPCMPEQD(v, known, known)
	l.VPAND(known, valid, valid)
	l.ADDQ(U8(lanes), i)
	l.SUBQ(U8(lanes), left)
	l.JAE(LabelRef("check"))
	bits := l.GP32()
	l.VMOVMSKPS(valid, bits)
	l.CMPL(bits, U32(0xFF))
	l.JNE(LabelRef("wrong"))
	l.Label("ones")
	l.ADDQ(U8(lanes), left)
	l.JZ(LabelRef("checked"))
	l.Label("one")
	class := l.GP64()
	l.MOVL(at(l.classes, i, 4, 0), class.As32())
	l.CMPQ(class, size)
	l.JAE(LabelRef("wrong"))
	l.INCQ(i)
	l.DECQ(left)
	l.JNZ(LabelRef("one"))
	l.Label("checked")
}
