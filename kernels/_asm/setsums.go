package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
