package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const setSumsSignature = "func(dst [][2]float64, met []uint64, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool"

// setSums takes eight cells a round, because the number of rounds is what a CPU predicts worst, and
// both numbers of an element at once. Where there is no cell, it takes the first element of the table.
func setSums(a *assembler) {
	setFewSums(a)
	spreadSums(a)
	identity := a.identity()
	var (
		dst, met, table, beyond reg.Register
		lanes, limit, zero      reg.VecVirtual
		sums                    [4]reg.VecVirtual
	)
	a.sets("setSums", setSumsSignature, []string{"a"}, 2*setVector, func(l *setLoop) {
		dst, met, table, beyond = a.pointer("dst"), a.pointer("met"), a.pointer("table"), a.K()
		lanes, zero = a.ZMM(), a.ZMM()
		a.VMOVDQU64(identity, lanes)
		a.clear(zero)
		for i := range sums {
			sums[i] = a.XMM()
		}
		limit = l.lastRow("table")
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		a.VPCMPUB(U8(6), limit, cells[0], beyond) // above
		a.KORTESTQ(beyond, beyond)
		a.JNZ(LabelRef("wrong"))
		docs, y, x := a.ZMM(), a.YMM(), a.XMM()
		a.VPSADBW(zero, cells[0], docs)
		a.VEXTRACTI64X4(U8(1), docs, y)
		a.VPADDQ(docs.AsY(), y, y)
		a.VEXTRACTI128(U8(1), y, x)
		a.VPADDQ(y.AsX(), x, x)
		a.VPSHUFD(U8(0x4E), x, y.AsX())
		a.VPADDQ(y.AsX(), x, x)
		a.VMOVQ(x, at(met, l.i, 8, 0))
		l.storePlaces(cells[0], lanes, slot)
	}, func(l *setLoop, term reg.GPVirtual, slot reg.Register) {
		n, p := a.GP64(), a.GP64()
		a.POPCNTQ(at(l.sets, term, 8, 0), n)
		a.MOVQ(slot, p)
		for _, s := range sums {
			a.clear(s)
		}
		a.Label("round")
		for k := range vector {
			place, s := a.GP64(), sums[k%len(sums)]
			a.MOVWLZX(from(p, 2*k), place.As32())
			a.VADDPD(at(table, place, 8, 0), s, s)
		}
		a.ADDQ(U8(2*vector), p)
		a.SUBQ(U8(vector), n)
		a.JA(LabelRef("round"))
		a.VADDPD(sums[1], sums[0], sums[0])
		a.VADDPD(sums[3], sums[2], sums[2])
		a.VADDPD(sums[2], sums[0], sums[0])
		element := a.GP64()
		a.LEAQ(at(term, term, 1, 0), element)
		a.VMOVUPD(sums[0], at(dst, element, 8, 0))
	})
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

// identity is the bytes 0, 1, ... 63.
func (a *assembler) identity() Mem {
	var words []uint64
	for i := range uint64(vector) {
		words = append(words, 0x0706050403020100+i*0x0808080808080808)
	}
	return a.words64("identity", words...)
}

// lastRow is the last row of a table of a row for each class as bytes, in all lanes.
func (l *setLoop) lastRow(table string) reg.VecVirtual {
	rows, v := l.length(table), l.ZMM()
	l.SHRQ(U8(6), rows)
	l.DECQ(rows)
	l.VPBROADCASTB(rows.As32(), v)
	return v
}

// storePlaces stores the places that the cells of a term have in a table of 64 classes a row, two
// numbers each, as words; 0 where there is no cell.
func (l *setLoop) storePlaces(rows, lanes reg.VecVirtual, dst reg.Register) {
	classes, upper, y := l.ZMM(), l.label("few"), l.YMM()
	l.VPCOMPRESSB_Z(lanes, l.classes, classes)
	half := func(offset int) {
		r, c := l.ZMM(), l.ZMM()
		l.VPMOVZXBW(rows.AsY(), r)
		l.VPMOVZXBW(classes.AsY(), c)
		l.VPADDW(c, c, c)
		l.VPSLLW(U8(7), r, r)
		l.VPADDW(c, r, r)
		l.VMOVDQU64(r, from(dst, offset))
	}
	half(0)
	l.CMPQ(l.n, U8(setVector/2))
	l.JBE(LabelRef(upper))
	l.VEXTRACTI64X4(U8(1), rows, y)
	l.VMOVDQA(y, rows.AsY())
	l.VEXTRACTI64X4(U8(1), classes, y)
	l.VMOVDQA(y, classes.AsY())
	half(setVector)
	l.Label(upper)
}
