package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A spreadLoop makes the loop of a kernel over terms whose classes are the bits of a word and whose
// cells are bytes. It spreads the bytes over eight classes at a
// time by a shuffle, whose pattern is that of the eight bits: a class without the term has 0.
// No branch depends on the number of cells.
//
// The function made of it reads up to spreadSlack bytes behind the cells of a term. It ends before the
// first term for which there are not so many, and returns how many terms and cells it has done; -1
// terms if a set has bits of the parameter beyond.
type spreadLoop struct {
	*assembler
	sets   reg.Register
	i      reg.GPVirtual // the term
	set    reg.GPVirtual // its classes that are left
	cell   reg.GPVirtual // its first cell that is left
	class  reg.GPVirtual // the first of eight classes, in bytes of a column of numbers
	first  reg.GPVirtual // the first cell of the term
	groups reg.GPVirtual // the end of class

	patterns reg.Register
	bits     reg.GPVirtual // the pattern of eight classes
	columns  []reg.Register
}

// spreadSlack is the number of bytes that must be there behind the cells of a term.
const spreadSlack = 8

// spread makes a function over the terms of the parameter sets, with cells in some columns of bytes.
// term makes the code of a term.
func (a *assembler) spread(name, signature string, columns []string, prepare, term func(l *spreadLoop)) {
	a.function(name+"AVX2", signature, name+"AVX2 computes the first terms; see spreadTerms.")
	l := &spreadLoop{assembler: a, sets: a.pointer("sets"), i: a.GP64(), set: a.GP64(), cell: a.GP64(), class: a.GP64(), first: a.GP64(), groups: a.GP64()}
	l.patterns, l.bits = a.Load(a.Param("patterns"), a.GP64()), a.GP64()
	for _, c := range columns {
		l.columns = append(l.columns, a.pointer(c))
	}
	a.MOVQ(a.param("beyond"), l.groups)
	a.NOTQ(l.groups)
	a.LZCNTQ(l.groups, l.groups)
	a.NEGQ(l.groups)
	a.ADDQ(I32(64+7), l.groups) // classes, and those that fill up the last eight
	a.ANDQ(I32(-8), l.groups)
	a.SHLQ(U8(3), l.groups)
	prepare(l)
	a.XORL(l.i.As32(), l.i.As32())
	a.XORL(l.first.As32(), l.first.As32())

	a.Label("term")
	end := a.GP64()
	a.MOVQ(at(l.sets, l.i, 8, 0), end)
	a.TESTQ(end, a.param("beyond"))
	a.JNZ(LabelRef("wrong"))
	a.POPCNTQ(end, end)
	a.LEAQ(at(l.first, end, 1, spreadSlack), end)
	a.CMPQ(end, a.lengthOf(columns[0]))
	a.JA(LabelRef("end"))
	term(l)
	a.MOVQ(l.cell, l.first)
	a.INCQ(l.i)
	a.CMPQ(l.i, a.lengthOf("sets"))
	a.JB(LabelRef("term"))
	a.Label("end")
	a.MOVQ(l.i, a.result("terms"))
	a.MOVQ(l.first, a.result("cells"))
	a.leave()
	a.Label("wrong")
	a.MOVQ(I32(-1), l.i)
	a.MOVQ(l.i, a.result("terms"))
	a.leave()
}

// each makes the loop over the classes of a term, eight at a time. group gets eight bytes of each
// column, twice, of which those of the classes come first.
func (l *spreadLoop) each(group func(cells []reg.VecVirtual)) {
	next := l.label("classes")
	l.MOVQ(l.first, l.cell)
	l.MOVQ(at(l.sets, l.i, 8, 0), l.set)
	l.XORL(l.class.As32(), l.class.As32())
	l.Label(next)
	n := l.GP64()
	l.MOVBLZX(l.set.As8(), l.bits.As32())
	l.SHRQ(U8(8), l.set)
	l.POPCNTL(l.bits.As32(), n.As32())
	l.SHLQ(U8(5), l.bits)
	var cells []reg.VecVirtual
	for _, c := range l.columns {
		v := l.YMM()
		l.VPBROADCASTQ(at(c, l.cell, 1, 0), v)
		cells = append(cells, v)
	}
	l.ADDQ(n, l.cell)
	group(cells)
	l.ADDQ(U8(64), l.class)
	l.CMPQ(l.class, l.groups)
	l.JB(LabelRef(next))
}

// words makes 32-bit words of the bytes of four of eight classes, the first ones or the last.
func (l *spreadLoop) words(cells reg.VecVirtual, half int) reg.VecVirtual {
	v := l.XMM()
	l.VPSHUFB(at(l.patterns, l.bits, 1, 16*half), cells.AsX(), v)
	return v
}

// allWords makes 32-bit words of the bytes of eight classes.
func (l *spreadLoop) allWords(cells reg.VecVirtual) reg.VecVirtual {
	v := l.YMM()
	l.VPSHUFB(at(l.patterns, l.bits, 1, 0), cells, v)
	return v
}

// storeLargest stores the largest lane of two vectors, no -0.
func (a *assembler) storeLargest(v [2]reg.VecVirtual, dst Mem, zero reg.VecVirtual) {
	x, y := a.XMM(), a.XMM()
	a.VMAXPD(v[0], v[1], v[0])
	a.VEXTRACTF128(U8(1), v[0], x)
	a.VMAXPD(v[0].AsX(), x, x)
	a.VPERMILPD(U8(1), x, y)
	a.VMAXPD(y, x, x)
	a.VADDPD(zero, x, x)
	a.VMOVSD(x, dst)
}
