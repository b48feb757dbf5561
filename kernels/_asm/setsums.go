package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A cellLoop makes the loop of a kernel over terms whose classes are the bits of a word and whose
// cells are bytes: it takes one cell after the other, in turn for one of two registers, and the place of its class is that of the lowest bit that is left.
type cellLoop struct {
	*assembler
	table reg.Register
	i     reg.GPVirtual // the term
}

// fewCells is the number of cells up to which a term takes no branch for each: where there is no cell, it
// takes the first element of the table.
const fewCells = 3

// setCells makes a function over the terms of the parameter sets with the cells of the parameter
// a and a table of so many numbers, 1 or 2, for each class and row. cell gets which register is in
// turn, the documents of a cell, and which number of the table is the first for it.
func (a *assembler) setCells(name, signature string, numbers int, prepare func(l *cellLoop), begin func(),
	cell func(k int, docs, place reg.GPVirtual), end func(),
) {
	a.function(name+"AVX2", signature, name+"AVX2 works like "+name+"Generic.")
	l := &cellLoop{assembler: a, table: a.pointer("table"), i: a.GP64()}
	sets, cells, left, last := a.pointer("sets"), a.pointer("a"), a.length("a"), a.length("table")
	a.SHRQ(U8(6), last)
	a.DECQ(last)
	prepare(l)
	a.XORL(l.i.As32(), l.i.As32())

	a.Label("term")
	set, n := a.GP64(), a.GP64()
	a.MOVQ(at(sets, l.i, 8, 0), set)
	a.TESTQ(set, a.param("beyond"))
	a.JNZ(LabelRef("wrong"))
	a.POPCNTQ(set, n)
	a.SUBQ(n, left)
	a.JB(LabelRef("wrong"))
	begin()
	take := func(k int, docs, class reg.GPVirtual) {
		place := a.GP64()
		a.CMPQ(docs, last)
		a.JA(LabelRef("wrong"))
		a.MOVQ(docs, place)
		a.SHLQ(U8(5+numbers), place)
		a.LEAQ(at(place, class, uint8(numbers), 0), place)
		cell(k, docs, place)
		a.BLSRQ(set, set)
	}
	there, bytes := a.GP64(), a.GP64()
	a.CMPQ(n, U8(fewCells))
	a.JA(LabelRef("many"))
	a.LEAQ(at(left, n, 1, 0), there) // the cells of this term and those behind it
	a.CMPQ(there, U8(4))             // bytes that are loaded
	a.JB(LabelRef("many"))
	a.MOVL(from(cells, 0), bytes.As32())
	a.ADDQ(n, cells)
	a.SHLL(U8(3), n.As32())
	a.BZHIL(n.As32(), bytes.As32(), bytes.As32()) // zeros behind its cells
	for k := range fewCells {
		docs, class := a.GP64(), a.GP64()
		a.MOVBLZX(bytes.As8(), docs.As32())
		a.SHRL(U8(8), bytes.As32())
		a.TZCNTQ(set, class)
		a.ANDL(U8(63), class.As32()) // 0 where no bit is left
		take(k%2, docs, class)
	}
	a.JMP(LabelRef("end"))

	a.Label("many")
	a.TESTQ(set, set)
	a.JZ(LabelRef("end"))
	a.Label("cell")
	for k := range 2 {
		docs, class := a.GP64(), a.GP64()
		a.MOVBLZX(from(cells, k), docs.As32())
		a.TZCNTQ(set, class)
		take(k, docs, class)
		if k == 0 {
			a.JZ(LabelRef("odd"))
		}
	}
	a.LEAQ(from(cells, 2), cells)
	a.JNZ(LabelRef("cell"))
	a.JMP(LabelRef("end"))
	a.Label("odd")
	a.INCQ(cells)
	a.Label("end")
	end()
	a.INCQ(l.i)
	a.CMPQ(l.i, a.lengthOf("sets"))
	a.JB(LabelRef("term"))
	a.TESTQ(left, left)
	a.JNZ(LabelRef("wrong"))
	a.returnTruth(true)
	a.Label("wrong")
	a.returnTruth(false)
}

const setSumsSignature = "func(dst [][2]float64, met []uint64, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool"

// setSums has a form for terms of few cells, and one for terms of many.
func setSums(a *assembler) {
	setFewSums(a)
	spreadSums(a)
}

// spreadSums adds up what the table has for all classes: the first row, of zeros, for those without
// the term.
func spreadSums(a *assembler) {
	const signature = "func(dst [][2]float64, met, sets []uint64, a []byte, table *[256*64][2]float64, patterns *[256][8]uint32, beyond uint64) (terms, cells int)"
	var (
		table reg.Register
		docs  reg.VecVirtual
		sums  [4]reg.VecVirtual
	)
	a.spread("spreadSums", signature, []string{"a"}, func(l *spreadLoop) {
		table, docs = a.Load(a.Param("table"), a.GP64()), a.XMM()
		for i := range sums {
			sums[i] = a.XMM()
		}
	}, func(l *spreadLoop) {
		a.clear(docs)
		for _, s := range sums {
			a.clear(s)
		}
		of := a.GP64()
		l.each(func(cells []reg.VecVirtual) {
			for h := range 2 {
				rows := l.words(cells[0], h)
				a.VPADDD(rows, docs, docs)
				a.VPSLLD(U8(7), rows, rows) // numbers of a row
				if h == 0 {
					a.LEAQ(at(table, l.class, 2, 0), of)
				}
				for k := 0; k < 4; k += 2 {
					first, second := a.GP64(), a.GP64()
					if k == 0 {
						a.VMOVQ(rows, second)
					} else {
						a.VPEXTRQ(U8(1), rows, second)
					}
					a.MOVL(second.As32(), first.As32())
					a.SHRQ(U8(32), second)
					a.VADDPD(at(of, first, 8, 16*(4*h+k)), sums[k], sums[k])
					a.VADDPD(at(of, second, 8, 16*(4*h+k+1)), sums[k+1], sums[k+1])
				}
			}
		})
		a.VADDPD(sums[1], sums[0], sums[0])
		a.VADDPD(sums[3], sums[2], sums[2])
		a.VADDPD(sums[2], sums[0], sums[0])
		element, n := a.GP64(), a.XMM()
		a.LEAQ(at(l.i, l.i, 1, 0), element)
		a.VMOVUPD(sums[0], at(a.pointer("dst"), element, 8, 0))
		a.VPSHUFD(U8(0x4E), docs, n)
		a.VPADDD(n, docs, docs)
		a.VPSHUFD(U8(0xE1), docs, n)
		a.VPADDD(n, docs, docs)
		a.VMOVD(docs, element.As32())
		a.MOVQ(element, at(a.pointer("met"), l.i, 8, 0))
	})
}

// setFewSums adds up what the table has for each cell, to two sums in turn.
func setFewSums(a *assembler) {
	var (
		dst, met reg.Register
		loop     *cellLoop
	)
	docs, sums := a.GP64(), [2]reg.VecVirtual{a.XMM(), a.XMM()}
	a.setCells("setFewSums", setSumsSignature, 2, func(l *cellLoop) {
		loop, dst, met = l, a.pointer("dst"), a.pointer("met")
	}, func() {
		a.XORL(docs.As32(), docs.As32())
		a.clear(sums[0])
		a.clear(sums[1])
	}, func(k int, cell, place reg.GPVirtual) {
		a.ADDQ(cell, docs)
		a.VADDPD(at(loop.table, place, 8, 0), sums[k], sums[k])
	}, func() {
		a.VADDPD(sums[1], sums[0], sums[0])
		a.VMOVUPD(sums[0], from(dst, 0))
		a.ADDQ(U8(16), dst)
		a.MOVQ(docs, at(met, loop.i, 8, 0))
	})
}
