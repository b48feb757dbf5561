package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const setTableMaximaSignature = "func(dst []float64, sets []uint64, a []byte, table []float64, beyond uint64) bool"

// setTableMaxima takes eight cells a round: the number of rounds is what a CPU predicts worst.
// Where there is no cell, it takes the first element of the table.
func setTableMaxima(a *assembler) {
	setTableMaximaAVX2(a)
	identity := a.identity()
	var (
		dst, table, beyond reg.Register
		lanes, limit       reg.VecVirtual
		maxima             [4]reg.VecVirtual
	)
	a.sets("setTableMaxima", setTableMaximaSignature, []string{"a"}, 2*setVector, func(l *setLoop) {
		dst, table, lanes, beyond = a.pointer("dst"), a.pointer("table"), a.ZMM(), a.K()
		a.VMOVDQU64(identity, lanes)
		for i := range maxima {
			maxima[i] = a.XMM()
		}
		limit = l.lastRow("table")
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		a.VPCMPUB(U8(6), limit, cells[0], beyond) // above
		a.KORTESTQ(beyond, beyond)
		a.JNZ(LabelRef("wrong"))
		l.storePlaces(1, cells[0], lanes, slot)
	}, func(l *setLoop, term reg.GPVirtual, slot reg.Register) {
		n, p := a.GP64(), a.GP64()
		a.POPCNTQ(at(l.sets, term, 8, 0), n)
		a.MOVQ(slot, p)
		for i := range maxima {
			a.VMOVSD(from(table, 0), maxima[i])
		}
		a.Label("round")
		for k := range vector {
			place, m := a.GP64(), maxima[k%len(maxima)]
			a.MOVWLZX(from(p, 2*k), place.As32())
			a.VMAXSD(at(table, place, 8, 0), m, m)
		}
		a.ADDQ(U8(2*vector), p)
		a.SUBQ(U8(vector), n)
		a.JA(LabelRef("round"))
		a.VMAXSD(maxima[1], maxima[0], maxima[0])
		a.VMAXSD(maxima[3], maxima[2], maxima[2])
		a.VMAXSD(maxima[2], maxima[0], maxima[0])
		a.VMOVSD(maxima[0], at(dst, term, 8, 0))
	})
}

// setTableMaximaAVX2 keeps two maxima in turn.
func setTableMaximaAVX2(a *assembler) {
	var (
		dst  reg.Register
		loop *cellLoop
	)
	maxima := [2]reg.VecVirtual{a.XMM(), a.XMM()}
	a.setCells("setTableMaxima", setTableMaximaSignature, 1, func(l *cellLoop) {
		loop, dst = l, a.pointer("dst")
	}, func() {
		a.VMOVSD(from(loop.table, 0), maxima[0])
		a.VMOVAPD(maxima[0], maxima[1])
	}, func(k int, _, place reg.GPVirtual) {
		a.VMAXSD(at(loop.table, place, 8, 0), maxima[k], maxima[k])
	}, func() {
		a.VMAXSD(maxima[1], maxima[0], maxima[0])
		a.VMOVSD(maxima[0], at(dst, loop.i, 8, 0))
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
	rows, v := l.length(table).(reg.GPVirtual), l.ZMM()
	l.SHRQ(U8(6), rows)
	l.DECQ(rows)
	l.VPBROADCASTB(rows.As32(), v)
	return v
}

// storePlaces stores the places that the cells of a term have in a table of 64 classes a row, of
// so many numbers each, as words; 0 where there is no cell.
func (l *setLoop) storePlaces(numbers int, rows, lanes reg.VecVirtual, dst reg.Register) {
	classes, upper, y := l.ZMM(), l.label("few"), l.YMM()
	l.VPCOMPRESSB_Z(lanes, l.classes, classes)
	half := func(offset int) {
		r, c := l.ZMM(), l.ZMM()
		l.VPMOVZXBW(rows.AsY(), r)
		l.VPMOVZXBW(classes.AsY(), c)
		if numbers == 2 {
			l.VPADDW(c, c, c)
		}
		l.VPSLLW(U8(5+numbers), r, r)
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
