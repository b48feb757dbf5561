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

// setMomentsAVX2 makes the form for AVX2. A vector has what belongs to the sum of squares below,
// and what belongs to the deviation above: of the two products of each the difference is made at
// once.
func setMomentsAVX2(a *assembler) {
	least := a.words64("leastOfCells", 0xFFF0000000000000, 0xFFF0000000000000) // -Inf
	size := a.words64("sizeAbove", 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF)     // all but the sign above
	var squares, classes reg.Register
	var number, expected, most reg.VecVirtual
	a.setLanes("setMoments", setMomentsSignature, func(*laneLoop) {
		squares, classes = a.pointer("q"), a.pointer("classes")
		number, expected, most = a.XMM(), a.XMM(), a.XMM()
		a.VMOVDDUP(a.param("n"), number)
	}, func(l *laneLoop) {
		a.VMOVDDUP(at(a.pointer("of"), l.i, 8, 0), expected)
		a.VMOVUPD(least, most)
	}, func(l *laneLoop, k int, s, class reg.GPVirtual) {
		q, v, w, x := a.GP64(), a.XMM(), a.XMM(), a.XMM()
		a.MOVBLZX(at(squares, l.next, 1, k), q.As32())
		a.ADDL(s.As32(), q.As32())
		a.SHLQ(U8(5), class)
		a.VCVTSI2SDQ(q, expected, v) // q and of
		a.VCVTSI2SDQ(s, number, w)   // s and n
		a.VMOVDDUP(at(classes, class, 1, 0), x)
		a.VMULPD(x, v, v)
		a.VMOVDDUP(w, x)
		a.VMULPD(x, w, w)
		a.VSUBPD(w, v, v)
		a.VMULPD(at(classes, class, 1, 8), v, v)
		a.VANDPD(size, v, v)
		a.VADDPD(v, l.sums[k], l.sums[k])
		a.VMAXPD(v, most, most)
	}, func(l *laneLoop, sum reg.VecVirtual) {
		a.VMOVSD(sum, at(a.pointer("within"), l.i, 8, 0))
		a.VMOVHPD(most, at(a.pointer("largest"), l.i, 8, 0))
	})
}
