package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The parts of a momentClasses, in bytes.
const (
	sizesAt    = 0
	inversesAt = 72 * 8
	rootsAt    = 2 * 72 * 8
	absentAt   = 3 * 72 * 8
	fewAt      = absentAt + 3*8
)

const setMomentsSignature = "func(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool"

// setMomentsOfVectors computes a term as [setMoments] does, eight classes at once.
func setMomentsOfVectors(a *assembler) {
	var (
		sizes, roots           reg.Register
		number, expected, most reg.VecVirtual
	)
	a.tokenSets("setMoments", setMomentsSignature, []string{"a", "s", "q"}, func(l *tokenLoop) {
		sizes, roots = l.alignedRow(a.pointer("sizes")), l.alignedRow(a.pointer("roots"))
		number, expected, most = a.ZMM(), a.ZMM(), a.ZMM()
		a.VBROADCASTSD(a.param("n"), number)
	}, func(l *tokenLoop, term reg.GPVirtual) {
		a.VBROADCASTSD(at(a.pointer("of"), term, 8, 0), expected)
		a.clear(most)
	}, func(_ *tokenLoop, j int, s reg.VecVirtual) {
		const magnitude = 0b1011 // the larger one without signs
		d := a.ZMM()
		a.VMULPD(number, s, s)
		a.VMULPD(from(sizes, setBytes*j), expected, d)
		a.VSUBPD(d, s, s)
		a.VMULPD(from(roots, setBytes*j), s, s)
		a.VRANGEPD(U8(magnitude), s, most, most)
	}, func(l *tokenLoop, term reg.GPVirtual) {
		l.storeLargest(most, at(a.pointer("largest"), term, 8, 0), l.zero)
	})
}

// setMoments spreads the bytes of a term over all classes, so that nothing is looked up by class and the
// largest deviation is that of all classes. A sum has a lane for each class of eight. A term of one or
// two cells may be computed by itself, see momentsOfFew.
func setMoments(a *assembler) {
	setMomentsOfVectors(a)
	const signature = "func(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of []float64, classes *momentClasses, n float64, patterns *[256][8]uint32, beyond uint64) (terms, cells int)"
	sign := a.words64("momentMagnitude", 0x7FFFFFFFFFFFFFFF)
	var (
		classes                                  reg.Register
		number, magnitude, expected, zero, total reg.VecVirtual
		sum, most                                [2]reg.VecVirtual
	)
	a.spread("spreadMoments", signature, []string{"a", "s", "q"}, func(l *spreadLoop) {
		classes = a.Load(a.Param("classes"), a.GP64())
		number, magnitude, expected, zero, total = a.YMM(), a.YMM(), a.YMM(), a.XMM(), a.YMM()
		sum, most = [2]reg.VecVirtual{a.YMM(), a.YMM()}, [2]reg.VecVirtual{a.YMM(), a.YMM()}
		a.VBROADCASTSD(a.param("n"), number)
		a.VBROADCASTSD(sign, magnitude)
		a.clear(zero)
	}, func(l *spreadLoop) {
		a.VBROADCASTSD(at(a.pointer("of"), l.i, 8, 0), expected)
		a.MOVQ(at(l.sets, l.i, 8, 0), l.set)
		a.POPCNTQ(l.set, l.cell)
		a.DECQ(l.cell)
		a.CMPQ(l.cell, from(classes, fewAt))
		a.JAE(LabelRef("many"))
		l.momentsOfFew(classes, number.AsX(), magnitude.AsX(), expected.AsX(), zero)
		a.JMP(LabelRef("done"))

		a.Label("many")
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
				l.addSquare(s, at(classes, l.class, 1, inversesAt+32*h), sum[h])
				d := a.YMM()
				a.VMULPD(number, s, s)
				a.VMULPD(at(classes, l.class, 1, sizesAt+32*h), expected, d)
				a.VSUBPD(d, s, s)
				a.VMULPD(at(classes, l.class, 1, rootsAt+32*h), s, s)
				a.VANDPD(magnitude, s, s)
				a.VMAXPD(s, most[h], most[h])
			}
		})
		a.storeLargest(most, at(a.pointer("largest"), l.i, 8, 0), zero)
		a.storeLanes(sum, at(a.pointer("squares"), l.i, 8, 0))
		a.storeTotal(total, at(a.pointer("totals"), l.i, 8, 0))
		a.Label("done")
	})
}

// momentsOfFew computes a term of one or two cells. Two squares have the same sum in any lanes, and of the
// classes without the term one of three has the largest deviation. Class 64, of the second cell
// where there is one, is behind all classes and has zeros. l.cell, which has the number of cells less one, is
// set to the end of the cells.
func (l *spreadLoop) momentsOfFew(classes reg.Register, number, magnitude, expected, zero reg.Register) {
	var (
		class, total, tokens = l.GP64(), l.GP64(), l.GP64()
		sum, most            = l.XMM(), l.XMM()
	)
	l.LEAQ(at(l.first, l.cell, 1, 1), l.cell)
	deviation := func(s reg.VecVirtual) { // of s documents of a class, in s
		d := l.XMM()
		l.VMULSD(number, s, s)
		l.VMULSD(at(classes, class, 8, sizesAt), expected, d)
		l.VSUBSD(d, s, s)
		l.VMULSD(at(classes, class, 8, rootsAt), s, s)
		l.VANDPD(magnitude, s, s)
	}
	count := func(k int) (s, square reg.VecVirtual) {
		s, square = l.XMM(), l.XMM()
		more := l.GP64()
		l.MOVBLZX(at(l.columns[0], l.first, 1, k), tokens.As32())
		l.MOVBLZX(at(l.columns[1], l.first, 1, k), more.As32())
		l.ADDQ(more, tokens)
		l.VCVTSI2SDQ(tokens, zero, s)
		l.VMULSD(s, s, square)
		l.VMULSD(at(classes, class, 8, inversesAt), square, square)
		return s, square
	}

	l.TZCNTQ(l.set, class)
	s, square := count(0)
	l.VMOVAPD(square, sum)
	l.MOVBLZX(at(l.columns[2], l.first, 1, 0), total.As32())
	l.ADDQ(tokens, total)
	deviation(s)
	l.VMOVAPD(s, most)

	other := l.GP64()
	l.MOVQ(from(classes, absentAt+8), other)
	l.BTQ(other, l.set)
	l.CMOVQCS(from(classes, absentAt+16), other)
	l.MOVQ(from(classes, absentAt), class)
	l.BTQ(class, l.set)
	l.CMOVQCS(other, class)
	without := l.XMM()
	l.clear(without)
	deviation(without)
	l.VMAXSD(without, most, most)

	l.BLSRQ(l.set, l.set)
	l.TZCNTQ(l.set, class)
	s, square = count(1)
	l.VADDSD(square, sum, sum)
	deviation(s)
	l.VMAXSD(s, most, most)
	squares, none := l.GP64(), l.GP64()
	l.MOVBLZX(at(l.columns[2], l.first, 1, 1), squares.As32())
	l.ADDQ(squares, tokens)
	l.XORL(none.As32(), none.As32())
	l.TESTQ(l.set, l.set)
	l.CMOVQEQ(none, tokens)
	l.ADDQ(tokens, total)

	numbers := l.XMM()
	l.VCVTSI2SDQ(total, zero, numbers)
	l.VMOVSD(most, at(l.pointer("largest"), l.i, 8, 0))
	l.VMOVSD(sum, at(l.pointer("squares"), l.i, 8, 0))
	l.VMOVSD(numbers, at(l.pointer("totals"), l.i, 8, 0))
}

// setSquaresOfVectors makes the sums of setMomentsOfVectors alone.
func setSquaresOfVectors(a *assembler) {
	nothing := func(*tokenLoop, reg.GPVirtual) {}
	a.tokenSets("setSquares", "func(squares, totals []float64, sets []uint64, a, s []byte, inverses []float64, beyond uint64) bool", []string{"a", "s"},
		func(*tokenLoop) {}, nothing, func(*tokenLoop, int, reg.VecVirtual) {}, nothing)
}

// setSquares makes the sums of setMoments alone.
func setSquares(a *assembler) {
	setSquaresOfVectors(a)
	const signature = "func(squares, totals []float64, sets []uint64, a, s []byte, inverses *[64]float64, patterns *[256][8]uint32, beyond uint64) (terms, cells int)"
	var (
		inverses reg.Register
		total    reg.VecVirtual
		sum      [2]reg.VecVirtual
	)
	a.spread("spreadSquares", signature, []string{"a", "s"}, func(l *spreadLoop) {
		inverses, total, sum = a.Load(a.Param("inverses"), a.GP64()), a.YMM(), [2]reg.VecVirtual{a.YMM(), a.YMM()}
	}, func(l *spreadLoop) {
		a.clear(total)
		a.clear(sum[0])
		a.clear(sum[1])
		l.each(func(cells []reg.VecVirtual) {
			tokens := l.tokens(cells)
			a.VPADDD(tokens, total, total)
			for h, s := range l.numbers(tokens) {
				l.addSquare(s, at(inverses, l.class, 1, 32*h), sum[h])
			}
		})
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
