package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// setMaxima spreads the bytes of a term over all classes, so that sizes and weights are not looked
// up. It fills the parameter expected with what is expected of the classes for the first term
// of a number of documents. Where a size is NaN is no class. A term of which a cell is 255 it takes once
// more, without such classes. The forms of a deviation have code of their own.
func setMaxima(a *assembler) {
	const signature = "func(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights, expected *[64]float64, n float64, patterns *[256][8]uint32, beyond uint64, form uint64) (terms, cells int)"
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
	a.spread("spreadMaxima", signature, []string{"a"}, func(l *spreadLoop) {
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
