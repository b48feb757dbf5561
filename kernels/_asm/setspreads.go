package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const setSpreadsSignature = "func(dst []float64, sets []uint64, a, s []byte, classes [][2]float64, n, square float64, beyond uint64) bool"

// setSpreads takes eight cells a round, as setMoments does. To spread the cells over all classes
// takes 1.6 times as long where a term is in 15 of 50: there are four products a class.
func setSpreads(a *assembler) {
	setSpreadsAVX2(a)
	identity := a.identity()
	const sumsAt, totalAt, slotSize = 2 * setVector, 4 * setVector, 5 * setVector
	var (
		classes                          reg.Register
		lanes, number, zero, sum, met, e reg.VecVirtual
	)
	a.sets("setSpreads", setSpreadsSignature, []string{"a", "s"}, slotSize, func(l *setLoop) {
		classes = a.pointer("classes")
		lanes, number, zero, sum, met, e = a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
		a.VMOVDQU64(identity, lanes)
		a.VBROADCASTSD(a.param("n"), number)
		a.clear(zero)
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		a.VMOVSD(l.total(cells, zero), from(slot, totalAt))
		places, few := a.ZMM(), l.label("few")
		a.VPCOMPRESSB_Z(lanes, l.classes, places)
		columns := append([]reg.VecVirtual{places}, cells...)
		half := func(offset int) {
			words := make([]reg.VecVirtual, len(columns))
			for i, c := range columns {
				words[i] = a.ZMM()
				a.VPMOVZXBW(c.AsY(), words[i])
			}
			a.VPADDW(words[0], words[0], words[0]) // numbers of a pair
			a.VPADDW(words[1], words[2], words[2])
			a.VMOVDQU64(words[0], from(slot, offset))
			a.VMOVDQU64(words[2], from(slot, sumsAt+offset))
		}
		half(0)
		a.CMPQ(l.n, U8(setVector/2))
		a.JBE(LabelRef(few))
		for _, c := range columns {
			a.VEXTRACTI64X4(U8(1), c, c.AsY())
		}
		half(setVector)
		a.Label(few)
	}, func(l *setLoop, term reg.GPVirtual, slot reg.Register) {
		n, p, bits := a.GP64(), a.GP64(), a.GP64()
		a.POPCNTQ(at(l.sets, term, 8, 0), n)
		a.MOVQ(I32(-1), bits)
		a.BZHIQ(n, bits, bits)
		a.MOVQ(slot, p)
		a.clear(sum)
		a.clear(met)
		a.VBROADCASTSD(from(slot, totalAt), e)
		a.Label("round")
		sizes, inverses := l.pairs(classes, p)
		d, expected, present := a.ZMM(), a.ZMM(), a.K()
		a.KMOVB(bits.As32(), present)
		a.SHRQ(U8(vector), bits)
		a.VPMOVZXWQ(from(p, sumsAt), d)
		a.VCVTUQQ2PD(d, d)
		a.VMULPD(number, d, d)
		a.VMULPD(e, sizes, expected)
		a.VSUBPD(expected, d, d)
		a.VMULPD(d, d, d)
		a.VMULPD_Z(inverses, d, present, d)
		a.VADDPD(d, sum, sum)
		a.VADDPD(sizes, met, present, met)
		a.ADDQ(U8(2*vector), p)
		a.SUBQ(U8(vector), n)
		a.JA(LabelRef("round"))

		// as Spread does
		all, mean, others, spread := number.AsX(), a.XMM(), a.XMM(), l.folded(sum)
		a.VDIVSD(all, e.AsX(), mean)
		a.VMULSD(mean, mean, mean)
		a.VSUBSD(l.folded(met), all, others)
		a.VMULSD(mean, others, others)
		a.VDIVSD(a.param("square"), spread, spread)
		a.VADDSD(spread, others, others)
		a.VDIVSD(all, others, others)
		a.VMOVSD(others, at(a.pointer("dst"), term, 8, 0))
	})
}

// total leaves the sum of the bytes of columns of cells as a number.
func (l *setLoop) total(cells []reg.VecVirtual, zero reg.VecVirtual) reg.VecVirtual {
	sum, y, low, high := l.ZMM(), l.YMM(), l.XMM(), l.XMM()
	l.VPSADBW(zero, cells[0], sum)
	for _, c := range cells[1:] {
		v := l.ZMM()
		l.VPSADBW(zero, c, v)
		l.VPADDQ(v, sum, sum)
	}
	l.VEXTRACTI64X4(U8(1), sum, y)
	l.VPADDQ(sum.AsY(), y, y)
	l.VEXTRACTI128(U8(1), y, low)
	l.VPADDQ(y.AsX(), low, low)
	l.VPSHUFD(U8(0x4E), low, high)
	l.VPADDQ(high, low, low)
	l.VCVTUQQ2PD(low, low)
	return low
}

// pairs loads the two numbers that a table has for eight classes, whose places are words.
func (l *setLoop) pairs(table, places reg.Register) (first, second reg.VecVirtual) {
	var two [2]reg.VecVirtual // the even cells, the odd ones
	for i := range two {
		two[i] = l.ZMM()
		upper := l.YMM()
		for j, v := range []reg.VecVirtual{two[i], upper} {
			low, high := l.place(places, 4*j+i), l.place(places, 4*j+i+2)
			l.VMOVUPD(at(table, low, 8, 0), v.AsX())
			l.VINSERTF128(U8(1), at(table, high, 8, 0), v.AsY(), v.AsY())
		}
		l.VINSERTF64X4(U8(1), upper, two[i], two[i])
	}
	first, second = l.ZMM(), l.ZMM()
	l.VUNPCKLPD(two[1], two[0], first)
	l.VUNPCKHPD(two[1], two[0], second)
	return first, second
}

// place loads one of the places, which are words.
func (l *setLoop) place(places reg.Register, i int) reg.Register {
	place := l.GP64()
	l.MOVWLZX(from(places, 2*i), place.As32())
	return place
}

// setSpreadsAVX2 makes the form for AVX2.
func setSpreadsAVX2(a *assembler) {
	var classes reg.Register
	var number, total, met reg.VecVirtual
	a.setLanes("setSpreads", setSpreadsSignature, func(*laneLoop) {
		classes = a.pointer("classes")
		number, total, met = a.XMM(), a.XMM(), a.XMM()
		a.VMOVSD(a.param("n"), number)
	}, func(l *laneLoop) {
		a.totalOf(l.docs, l.more, l.next, l.end, total)
		a.clear(met)
	}, func(l *laneLoop, k int, s, class reg.GPVirtual) {
		d, e := a.XMM(), a.XMM()
		a.SHLQ(U8(4), class)
		a.VCVTSI2SDQ(s, number, d)
		a.VMULSD(number, d, d)
		a.VMULSD(at(classes, class, 1, 0), total, e)
		a.VADDSD(at(classes, class, 1, 0), met, met)
		a.VSUBSD(e, d, d)
		a.VMULSD(d, d, d)
		a.VMULSD(at(classes, class, 1, 8), d, d)
		a.VADDSD(d, l.sums[k], l.sums[k])
	}, func(l *laneLoop, sum reg.VecVirtual) {
		a.VDIVSD(number, total, total) // as Spread does
		a.VMULSD(total, total, total)
		a.VSUBSD(met, number, met)
		a.VMULSD(total, met, met)
		a.VDIVSD(a.param("square"), sum, sum)
		a.VADDSD(sum, met, met)
		a.VDIVSD(number, met, met)
		a.VMOVSD(met, at(a.pointer("dst"), l.i, 8, 0))
	})
}

// totalOf leaves the sum of the bytes [begin, end) of two columns as a number. It takes eight of each
// at once, the last ones by a shift of the eight before the end.
func (a *assembler) totalOf(first, second reg.Register, begin, end reg.GPVirtual, total reg.VecVirtual) {
	next, word, zero, x := a.GP64(), a.GP64(), a.XMM(), a.XMM()
	add := func() {
		a.VMOVQ(word, x)
		a.VPSADBW(zero, x, x)
		a.VPADDQ(x, total, total)
	}
	a.clear(zero)
	a.clear(total)
	a.LEAQ(from(begin, 8), next)
	a.JMP(LabelRef("whole"))
	a.Label("eight")
	for _, column := range []reg.Register{first, second} {
		a.MOVQ(at(column, next, 1, -8), word)
		add()
	}
	a.ADDQ(U8(8), next)
	a.Label("whole")
	a.CMPQ(next, end)
	a.JBE(LabelRef("eight"))
	a.SUBQ(end, next) // bytes of eight that are none of the term
	a.CMPQ(next, U8(8))
	a.JE(LabelRef("total"))
	a.CMPQ(end, U8(8))
	a.JB(LabelRef("first"))
	a.SHLQ(U8(3), next)
	for _, column := range []reg.Register{first, second} {
		a.MOVQ(at(column, end, 1, -8), word)
		a.SHRXQ(next, word, word)
		add()
	}
	a.JMP(LabelRef("total"))
	a.Label("first") // there are no eight before the end
	a.MOVQ(begin, next)
	a.Label("byte")
	for _, column := range []reg.Register{first, second} {
		a.MOVBLZX(at(column, next, 1, 0), word.As32())
		add()
	}
	a.INCQ(next)
	a.CMPQ(next, end)
	a.JB(LabelRef("byte"))
	a.Label("total")
	a.VMOVQ(total, word)
	a.VCVTSI2SDQ(word, zero, total)
}
