package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const setMomentsSignature = "func(largest, within []float64, sets []uint64, a, s, q []byte, of []float64, classes [][4]float64, n float64, beyond uint64) bool"

// setMoments takes eight cells a round and loads a record of 32 bytes for each, the first three
// numbers of which it transposes. To spread the cells over all classes, as setMaxima does, would
// take seven rounds of 50 classes where most terms have two to four.
func setMoments(a *assembler) {
	setMomentsAVX2(a)
	identity := a.identity()
	least := a.words64("leastMoment", 0xFFF0000000000000)         // -Inf
	magnitude := a.words64("momentMagnitude", 0x7FFFFFFFFFFFFFFF) // all but the sign
	const sumsAt, squaresAt, slotSize = 2 * setVector, 4 * setVector, 6 * setVector
	var (
		classes                                         reg.Register
		lanes, number, lowest, sign, zero, most, sum, e reg.VecVirtual
	)
	a.sets("setMoments", setMomentsSignature, []string{"a", "s", "q"}, slotSize, func(l *setLoop) {
		classes = a.pointer("classes")
		lanes, number, lowest, sign, zero, most, sum, e = a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
		a.VMOVDQU64(identity, lanes)
		a.VBROADCASTSD(a.param("n"), number)
		a.VBROADCASTSD(least, lowest)
		a.VBROADCASTSD(magnitude, sign)
		a.clear(zero)
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		records := a.ZMM()
		a.VPCOMPRESSB_Z(lanes, l.classes, records)
		columns, few := append([]reg.VecVirtual{records}, cells...), l.label("few")
		half := func(offset int) {
			words := make([]reg.VecVirtual, len(columns))
			for i, c := range columns {
				words[i] = a.ZMM()
				a.VPMOVZXBW(c.AsY(), words[i])
			}
			a.VPSLLW(U8(2), words[0], words[0]) // numbers of a record
			a.VPADDW(words[1], words[2], words[2])
			a.VPADDW(words[2], words[3], words[3])
			a.VMOVDQU64(words[0], from(slot, offset))
			a.VMOVDQU64(words[2], from(slot, sumsAt+offset))
			a.VMOVDQU64(words[3], from(slot, squaresAt+offset))
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
		a.VMOVAPD(lowest, most)
		a.clear(sum)
		a.VBROADCASTSD(at(a.pointer("of"), term, 8, 0), e)
		a.Label("round")
		sizes, inverses, roots := l.records(classes, p)
		s, q, d, square, present := a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.K()
		a.KMOVB(bits.As32(), present)
		a.SHRQ(U8(vector), bits)
		a.VPMOVZXWQ(from(p, sumsAt), s)
		a.VCVTUQQ2PD(s, s)
		a.VPMOVZXWQ(from(p, squaresAt), q)
		a.VCVTUQQ2PD(q, q)
		a.VMULPD(s, s, square)
		a.VMULPD(sizes, q, q)
		a.VSUBPD(square, q, q)
		a.VMULPD(inverses, q, q)
		a.VADDPD(q, sum, sum)
		a.VMULPD(number, s, s)
		a.VMULPD(e, sizes, d)
		a.VSUBPD(d, s, s)
		a.VMULPD(roots, s, s)
		a.VANDPD(sign, s, s)
		a.VMAXPD(s, most, present, most)
		a.ADDQ(U8(2*vector), p)
		a.SUBQ(U8(vector), n)
		a.JA(LabelRef("round"))
		l.storeLargest(most, at(a.pointer("largest"), term, 8, 0), zero)
		l.storeFolded(sum, at(a.pointer("within"), term, 8, 0))
	})
}

// records loads the first three numbers of the records of eight classes, whose places are words.
func (l *setLoop) records(table, places reg.Register) (first, second, third reg.VecVirtual) {
	var two [4]reg.VecVirtual // records of cells 0 and 2, 1 and 3, 4 and 6, 5 and 7
	for i := range two {
		two[i] = l.ZMM()
		low, high := l.GP64(), l.GP64()
		cell := i%2 + i/2*4
		l.MOVWLZX(from(places, 2*cell), low.As32())
		l.MOVWLZX(from(places, 2*(cell+2)), high.As32())
		l.VMOVUPD(at(table, low, 8, 0), two[i].AsY())
		l.VINSERTF64X4(U8(1), at(table, high, 8, 0), two[i], two[i])
	}
	var even, odd [2]reg.VecVirtual // first and third numbers, second ones
	for i := range even {
		even[i], odd[i] = l.ZMM(), l.ZMM()
		l.VUNPCKLPD(two[2*i+1], two[2*i], even[i])
		l.VUNPCKHPD(two[2*i+1], two[2*i], odd[i])
	}
	first, second, third = l.ZMM(), l.ZMM(), l.ZMM()
	l.VSHUFF64X2(U8(0x88), even[1], even[0], first)
	l.VSHUFF64X2(U8(0x88), odd[1], odd[0], second)
	l.VSHUFF64X2(U8(0xDD), even[1], even[0], third)
	return first, second, third
}

// setMomentsAVX2 takes one cell after the other, the place of whose class is that of the lowest bit
// that is left. A vector has what belongs to the sum of squares below, and what belongs to the
// deviation above: of the two products of each the difference is made at once. There is a sum for
// each of eight lanes.
func setMomentsAVX2(a *assembler) {
	least := a.words64("leastOfCells", 0xFFF0000000000000, 0xFFF0000000000000) // -Inf
	size := a.words64("sizeAbove", 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF)     // all but the sign above
	a.function("setMomentsAVX2", setMomentsSignature, "setMomentsAVX2 works like setMomentsGeneric.")
	sets, docs, more, squares, classes := a.pointer("sets"), a.pointer("a"), a.pointer("s"), a.pointer("q"), a.pointer("classes")
	i, passed, end, set, round := a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	number, expected, most := a.XMM(), a.XMM(), a.XMM()
	var sums [vector]reg.VecVirtual
	for k := range sums {
		sums[k] = a.XMM()
	}
	a.VMOVDDUP(a.param("n"), number)
	a.XORL(i.As32(), i.As32())
	a.XORL(end.As32(), end.As32())

	a.Label("term")
	a.MOVQ(end, passed)
	a.MOVQ(at(sets, i, 8, 0), set)
	a.TESTQ(set, a.param("beyond"))
	a.JNZ(LabelRef("wrong"))
	a.POPCNTQ(set, end)
	a.ADDQ(passed, end)
	a.CMPQ(end, a.lengthOf("a"))
	a.JA(LabelRef("wrong"))
	a.MOVQ(passed, round)
	a.VMOVDDUP(at(a.pointer("of"), i, 8, 0), expected)
	a.VMOVUPD(least, most)
	for _, s := range sums {
		a.clear(s)
	}
	a.TESTQ(set, set)
	a.JZ(LabelRef("end"))
	a.Label("cells")
	for k, sum := range sums {
		s, q, class := a.GP64(), a.GP64(), a.GP64()
		a.MOVBLZX(at(docs, round, 1, k), s.As32())
		a.MOVBLZX(at(more, round, 1, k), q.As32())
		a.ADDL(q.As32(), s.As32())
		a.MOVBLZX(at(squares, round, 1, k), q.As32())
		a.ADDL(s.As32(), q.As32())
		a.TZCNTQ(set, class)
		a.SHLQ(U8(5), class)
		v, w, x := a.XMM(), a.XMM(), a.XMM()
		a.VCVTSI2SDQ(q, expected, v) // q and of
		a.VCVTSI2SDQ(s, number, w)   // s and n
		a.VMOVDDUP(at(classes, class, 1, 0), x)
		a.VMULPD(x, v, v)
		a.VMOVDDUP(w, x)
		a.VMULPD(x, w, w)
		a.VSUBPD(w, v, v)
		a.VMULPD(at(classes, class, 1, 8), v, v)
		a.VANDPD(size, v, v)
		a.VADDPD(v, sum, sum)
		a.VMAXPD(v, most, most)
		a.BLSRQ(set, set)
		if k < vector-1 {
			a.JZ(LabelRef("end"))
		}
	}
	a.LEAQ(from(round, vector), round)
	a.JNZ(LabelRef("cells"))
	a.Label("end")
	for n := vector / 2; n > 0; n /= 2 {
		for k := range n {
			a.VADDSD(sums[k+n], sums[k], sums[k])
		}
	}
	a.VMOVSD(sums[0], at(a.pointer("within"), i, 8, 0))
	a.VMOVHPD(most, at(a.pointer("largest"), i, 8, 0))
	a.INCQ(i)
	a.CMPQ(i, a.lengthOf("sets"))
	a.JB(LabelRef("term"))
	a.CMPQ(end, a.lengthOf("a"))
	a.JNE(LabelRef("wrong"))
	a.returnTruth(true)
	a.Label("wrong")
	a.returnTruth(false)
}
