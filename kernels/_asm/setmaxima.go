package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const setMaximaSignature = "func(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, n float64, beyond uint64, form Deviation) bool"

// setMaxima spreads the bytes of a term over all classes, so that sizes and weights are not looked
// up: 0.4 of the time of a look-up for each cell where a term is in 28 of 50 classes. What is
// expected of the classes is computed once for terms of the same number of documents. The forms
// of a deviation have code of their own.
func setMaxima(a *assembler) {
	spreadMaxima(a)
	least := a.words64("leastOfSet", 0xFFF0000000000000)    // -Inf
	magnitude := a.words64("magnitude", 0x7FFFFFFFFFFFFFFF) // all but the sign
	var (
		dst, of, weights, vectors, valid            reg.Register
		row, last                                   reg.GPVirtual // row has expected numbers, and a byte for each class behind them
		number, lowest, largest, zero, sign, escape reg.VecVirtual
	)
	finish := func(l *setLoop, t reg.GPVirtual, slot reg.Register) {
		df := a.GP64()
		a.MOVL(at(of, t, 4, 0), df.As32())
		a.CMPL(df.As32(), last.As32())
		a.JE(LabelRef("expected"))
		a.MOVL(df.As32(), last.As32())
		sizes, x := a.pointer("sizes"), a.ZMM()
		a.VCVTSI2SDQ(df, zero.AsX(), x.AsX())
		a.VBROADCASTSD(x.AsX(), x)
		for j := range setVector / vector {
			e := a.ZMM()
			a.VMULPD(from(sizes, 64*j), x, e)
			a.VMOVUPD(e, from(row, 64*j))
		}
		a.Label("expected")
		a.VMOVAPD(lowest, largest)
		const absolute = 1
		a.CMPB(NewParamAddr("form", 6*24+16), U8(absolute)) // avo does not look into a named type
		a.JE(LabelRef("absolute"))
		a.JA(LabelRef("signed"))
		maxima := func(finish func(v, d reg.VecVirtual)) {
			l.each(vectors, func(j int) {
				present, d, v := a.K(), a.ZMM(), a.ZMM()
				a.KMOVB(from(slot, setBytes+j), present)
				a.VPMOVZXBQ(from(slot, vector*j), d)
				a.VCVTUQQ2PD(d, d)
				a.VMULPD(number, d, d)
				a.VSUBPD(from(row, 64*j), d, d)
				a.VMULPD(from(weights, 64*j), d, v)
				finish(v, d)
				a.VMAXPD(v, largest, present, largest)
			})
		}
		maxima(func(v, d reg.VecVirtual) { a.VMULPD(d, v, v) })
		a.JMP(LabelRef("largest"))
		a.Label("absolute")
		maxima(func(v, _ reg.VecVirtual) { a.VANDPD(sign, v, v) })
		a.JMP(LabelRef("largest"))
		a.Label("signed")
		maxima(func(_, _ reg.VecVirtual) {})
		a.Label("largest")
		l.storeLargest(largest, at(dst, t, 8, 0), zero)
	}
	a.sets("setMaxima", setMaximaSignature, []string{"a"}, 2*setBytes, func(l *setLoop) {
		dst, of, weights = a.pointer("dst"), a.pointer("of"), a.pointer("weights")
		row, last = a.aligned(setRow), a.GP64()
		number, lowest, largest, zero, sign, escape = a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
		a.VPTERNLOGD(U8(0xFF), escape, escape, escape)
		vectors, valid = a.vectorsOf(), a.K()
		a.KMOVQ(a.param("beyond"), valid)
		a.KNOTQ(valid, valid)
		a.VBROADCASTSD(a.param("n"), number)
		a.VBROADCASTSD(least, lowest)
		a.VBROADCASTSD(magnitude, sign)
		a.clear(zero)
		a.MOVL(from(of, 0), last.As32())
		a.NOTL(last.As32()) // another number than the first
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		a.VPEXPANDB_Z(cells[0], l.classes, cells[0])
		a.VMOVDQU64(cells[0], from(slot, 0))
		a.VPCMPUB(U8(4), escape, cells[0], valid, l.classes) // another number
		a.KMOVQ(l.classes, from(slot, setBytes))
	}, finish)
}

const spreadMaximaSignature = "func(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights, expected *[64]float64, n float64, patterns *[256][8]uint32, beyond uint64, form uint64) (terms, cells int)"

// spreadMaxima fills the parameter expected with what is expected of the classes for the first term
// of a number of documents. Where a size is NaN is no class. A term of which a cell is 255 it takes once
// more, without such classes.
func spreadMaxima(a *assembler) {
	least := a.words64("leastOfSpread", 0xFFF0000000000000) // -Inf
	sign := a.words64("magnitudeOfSpread", 0x7FFFFFFFFFFFFFFF)
	var (
		weights, expected                            reg.Register
		last                                         reg.GPVirtual
		number, lowest, magnitude, escape, met, zero reg.VecVirtual
		largest                                      [2]reg.VecVirtual
	)
	// maxima makes the loop over the classes of a term for a form of deviations.
	maxima := func(l *spreadLoop, form func(v, d reg.VecVirtual)) {
		deviations := func(cells reg.VecVirtual, last func(words, v reg.VecVirtual)) {
			for h := range largest {
				words, d, v := l.words(cells, h), a.YMM(), a.YMM()
				a.VCVTDQ2PD(words, d)
				a.VMULPD(number, d, d)
				a.VSUBPD(at(expected, l.class, 1, 32*h), d, d)
				a.VMULPD(at(weights, l.class, 1, 32*h), d, v)
				form(v, d)
				last(words, v)
				a.VMAXPD(largest[h], v, largest[h]) // that, if v is NaN
			}
		}
		done, escapes := l.label("done"), a.GP32()
		l.each(func(cells []reg.VecVirtual) {
			a.VPMAXUB(cells[0].AsX(), met, met) // bytes of the next terms, too
			deviations(cells[0], func(_, _ reg.VecVirtual) {})
		})
		a.VPCMPEQB(escape, met, met)
		a.VPMOVMSKB(met, escapes)
		a.TESTL(escapes, escapes)
		a.JZ(LabelRef(done))
		a.VMOVAPD(lowest, largest[0])
		a.VMOVAPD(lowest, largest[1])
		a.VPSRLD(U8(24), escape, met)
		l.each(func(cells []reg.VecVirtual) {
			deviations(cells[0], func(words, v reg.VecVirtual) {
				mask := a.YMM()
				a.VPCMPEQD(met, words, words)
				a.VPMOVSXDQ(words, mask)
				a.VBLENDVPD(mask, lowest, v, v)
			})
		})
		a.Label(done)
	}
	a.spread("spreadMaxima", spreadMaximaSignature, []string{"a"}, func(l *spreadLoop) {
		weights, expected = a.Load(a.Param("weights"), a.GP64()), a.Load(a.Param("expected"), a.GP64())
		last = a.GP64()
		a.MOVL(from(a.pointer("of"), 0), last.As32())
		a.NOTL(last.As32()) // another number than the first
		number, lowest, magnitude, escape, met, zero = a.YMM(), a.YMM(), a.YMM(), a.XMM(), a.XMM(), a.XMM()
		largest = [2]reg.VecVirtual{a.YMM(), a.YMM()}
		a.VBROADCASTSD(a.param("n"), number)
		a.VBROADCASTSD(least, lowest)
		a.VBROADCASTSD(sign, magnitude)
		a.VPCMPEQD(escape, escape, escape)
		a.clear(zero)
	}, func(l *spreadLoop) {
		df := a.GP64()
		a.MOVL(at(a.pointer("of"), l.i, 4, 0), df.As32())
		a.CMPL(df.As32(), last.As32())
		a.JE(LabelRef("expected"))
		a.MOVL(df.As32(), last.As32())
		sizes, x, e := a.Load(a.Param("sizes"), a.GP64()), a.YMM(), a.YMM()
		a.VCVTSI2SDQ(df, zero, x.AsX())
		a.VBROADCASTSD(x.AsX(), x)
		a.XORL(l.class.As32(), l.class.As32())
		a.Label("expectedOfClasses")
		for h := range largest {
			a.VMULPD(at(sizes, l.class, 1, 32*h), x, e)
			a.VMOVUPD(e, at(expected, l.class, 1, 32*h))
		}
		a.ADDQ(U8(64), l.class)
		a.CMPQ(l.class, l.groups)
		a.JB(LabelRef("expectedOfClasses"))
		a.Label("expected")
		a.VMOVAPD(lowest, largest[0])
		a.VMOVAPD(lowest, largest[1])
		a.clear(met)
		form := a.param("form")
		a.CMPQ(form, U8(1))
		a.JE(LabelRef("absolute"))
		a.JA(LabelRef("signed"))
		maxima(l, func(v, d reg.VecVirtual) { a.VMULPD(d, v, v) })
		a.JMP(LabelRef("largest"))
		a.Label("absolute")
		maxima(l, func(v, _ reg.VecVirtual) { a.VANDPD(magnitude, v, v) })
		a.JMP(LabelRef("largest"))
		a.Label("signed")
		maxima(l, func(_, _ reg.VecVirtual) {})
		a.Label("largest")
		a.storeLargest(largest, at(a.pointer("dst"), l.i, 8, 0), zero)
	})
}
