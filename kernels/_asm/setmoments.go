package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// setMoments spreads the bytes of a term over all classes, so that nothing is looked up by class and the
// largest deviation is that of all classes. A sum has a lane for each class of eight.
func setMoments(a *assembler) {
	const signature = "func(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of []float64, sizes, inverses, roots *[64]float64, n float64, patterns *[256][8]uint32, beyond uint64) (terms, cells int)"
	sign := a.words64("momentMagnitude", 0x7FFFFFFFFFFFFFFF)
	var (
		sizes, inverses, roots                   reg.Register
		number, magnitude, expected, zero, total reg.VecVirtual
		sum, most                                [2]reg.VecVirtual
	)
	a.spread("spreadMoments", signature, []string{"a", "s", "q"}, func(l *spreadLoop) {
		sizes, inverses, roots = a.Load(a.Param("sizes"), a.GP64()), a.Load(a.Param("inverses"), a.GP64()), a.Load(a.Param("roots"), a.GP64())
		number, magnitude, expected, zero, total = a.YMM(), a.YMM(), a.YMM(), a.XMM(), a.YMM()
		sum, most = [2]reg.VecVirtual{a.YMM(), a.YMM()}, [2]reg.VecVirtual{a.YMM(), a.YMM()}
		a.VBROADCASTSD(a.param("n"), number)
		a.VBROADCASTSD(sign, magnitude)
		a.clear(zero)
	}, func(l *spreadLoop) {
		a.VBROADCASTSD(at(a.pointer("of"), l.i, 8, 0), expected)
		a.clear(total)
		for h := range 2 {
			a.clear(sum[h])
			a.clear(most[h])
		}
		l.each(func(cells []reg.VecVirtual) {
			tokens := l.tokens(cells)
			a.VPADDD(tokens, total, total)
			a.VPADDD(l.allWords(cells[2]), total, total)
			for h, s := range l.numbers(tokens) {
				l.addSquare(s, at(inverses, l.class, 1, 32*h), sum[h])
				d := a.YMM()
				a.VMULPD(number, s, s)
				a.VMULPD(at(sizes, l.class, 1, 32*h), expected, d)
				a.VSUBPD(d, s, s)
				a.VMULPD(at(roots, l.class, 1, 32*h), s, s)
				a.VANDPD(magnitude, s, s)
				a.VMAXPD(s, most[h], most[h])
			}
		})
		a.storeLargest(most, at(a.pointer("largest"), l.i, 8, 0), zero)
		a.storeLanes(sum, at(a.pointer("squares"), l.i, 8, 0))
		a.storeTotal(total, at(a.pointer("totals"), l.i, 8, 0))
	})
}

// tokens is the sum of the first two columns of eight classes.
func (l *spreadLoop) tokens(cells []reg.VecVirtual) reg.VecVirtual {
	words := l.allWords(cells[0])
	l.VPADDD(l.allWords(cells[1]), words, words)
	return words
}

// numbers makes numbers of eight words.
func (l *spreadLoop) numbers(words reg.VecVirtual) [2]reg.VecVirtual {
	first, last, high := l.YMM(), l.YMM(), l.XMM()
	l.VCVTDQ2PD(words.AsX(), first)
	l.VEXTRACTI128(U8(1), words, high)
	l.VCVTDQ2PD(high, last)
	return [2]reg.VecVirtual{first, last}
}

// addSquare adds s·s·inverse to a sum.
func (l *spreadLoop) addSquare(s reg.VecVirtual, inverse Mem, sum reg.VecVirtual) {
	square := l.YMM()
	l.VMULPD(s, s, square)
	l.VMULPD(inverse, square, square)
	l.VADDPD(square, sum, sum)
}

// storeLanes stores the sum of eight lanes as [foldLanes] adds them.
func (a *assembler) storeLanes(sum [2]reg.VecVirtual, dst Mem) {
	x, y := a.XMM(), a.XMM()
	a.VADDPD(sum[1], sum[0], sum[0])
	a.VEXTRACTF128(U8(1), sum[0], x)
	a.VADDPD(x, sum[0].AsX(), x)
	a.VPERMILPD(U8(1), x, y)
	a.VADDSD(y, x, x)
	a.VMOVSD(x, dst)
}

// storeTotal stores the sum of eight words as a number.
func (a *assembler) storeTotal(words reg.VecVirtual, dst Mem) {
	sum, x := a.XMM(), a.XMM()
	a.VEXTRACTI128(U8(1), words, sum)
	a.VPADDD(words.AsX(), sum, sum)
	a.VPSHUFD(U8(0x4E), sum, x)
	a.VPADDD(sum, x, x)
	a.VCVTDQ2PD(x, x)
	y := a.XMM()
	a.VPERMILPD(U8(1), x, y)
	a.VADDSD(y, x, x)
	a.VMOVSD(x, dst)
}
