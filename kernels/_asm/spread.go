package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A spreadLoop makes the loop of a kernel over terms whose classes are the bits of a word and whose
// cells are bytes. It spreads the bytes over eight classes at a
// time by a shuffle, whose pattern is that of the eight bits: a class without the term has 0.
// No branch depends on the number of cells.
//
// The function made of it reads up to spreadSlack bytes behind the cells of a term. It ends before the
// first term for which there are not so many, and returns how many terms and cells it has done; -1
// terms if a set has bits of the parameter beyond.
type spreadLoop struct {
	*assembler
	sets   reg.Register
	i      reg.GPVirtual // the term
	set    reg.GPVirtual // its classes that are left
	cell   reg.GPVirtual // its first cell that is left
	class  reg.GPVirtual // the first of eight classes, in bytes of a column of numbers
	first  reg.GPVirtual // the first cell of the term
	groups reg.GPVirtual // the end of class

	patterns reg.Register
	bits     reg.GPVirtual // the pattern of eight classes
	columns  []reg.Register
}

// spreadSlack is the number of bytes that must be there behind the cells of a term.
const spreadSlack = 8

// spread makes a function over the terms of the parameter sets, with cells in some columns of bytes.
// term makes the code of a term.
func (a *assembler) spread(name, signature string, columns []string, prepare, term func(l *spreadLoop)) {
	a.function(name+"AVX2", signature, name+"AVX2 computes the first terms; see spreadTerms.")
	l := &spreadLoop{assembler: a, sets: a.pointer("sets"), i: a.GP64(), set: a.GP64(), cell: a.GP64(), class: a.GP64(), first: a.GP64(), groups: a.GP64()}
	l.patterns, l.bits = a.Load(a.Param("patterns"), a.GP64()), a.GP64()
	for _, c := range columns {
		l.columns = append(l.columns, a.pointer(c))
	}
	a.MOVQ(a.param("beyond"), l.groups)
	a.NOTQ(l.groups)
	a.LZCNTQ(l.groups, l.groups)
	a.NEGQ(l.groups)
	a.ADDQ(I32(64+7), l.groups) // classes, and those that fill up the last eight
	a.ANDQ(I32(-8), l.groups)
	a.SHLQ(U8(3), l.groups)
	prepare(l)
	a.XORL(l.i.As32(), l.i.As32())
	a.XORL(l.first.As32(), l.first.As32())

	a.Label("term")
	end := a.GP64()
	a.MOVQ(at(l.sets, l.i, 8, 0), end)
	a.TESTQ(end, a.param("beyond"))
	a.JNZ(LabelRef("wrong"))
	a.POPCNTQ(end, end)
	a.LEAQ(at(l.first, end, 1, spreadSlack), end)
	a.CMPQ(end, a.lengthOf(columns[0]))
	a.JA(LabelRef("end"))
	term(l)
	a.MOVQ(l.cell, l.first)
	a.INCQ(l.i)
	a.CMPQ(l.i, a.lengthOf("sets"))
	a.JB(LabelRef("term"))
	a.Label("end")
	a.MOVQ(l.i, a.result("terms"))
	a.MOVQ(l.first, a.result("cells"))
	a.leave()
	a.Label("wrong")
	a.MOVQ(I32(-1), l.i)
	a.MOVQ(l.i, a.result("terms"))
	a.leave()
}

// each makes the loop over the classes of a term, eight at a time. group gets eight bytes of each
// column, twice, of which those of the classes come first.
func (l *spreadLoop) each(group func(cells []reg.VecVirtual)) {
	next := l.label("classes")
	l.MOVQ(l.first, l.cell)
	l.MOVQ(at(l.sets, l.i, 8, 0), l.set)
	l.XORL(l.class.As32(), l.class.As32())
	l.Label(next)
	n := l.GP64()
	l.MOVBLZX(l.set.As8(), l.bits.As32())
	l.SHRQ(U8(8), l.set)
	l.POPCNTL(l.bits.As32(), n.As32())
	l.SHLQ(U8(5), l.bits)
	var cells []reg.VecVirtual
	for _, c := range l.columns {
		v := l.YMM()
		l.VPBROADCASTQ(at(c, l.cell, 1, 0), v)
		cells = append(cells, v)
	}
	l.ADDQ(n, l.cell)
	group(cells)
	l.ADDQ(U8(64), l.class)
	l.CMPQ(l.class, l.groups)
	l.JB(LabelRef(next))
}

// words makes 32-bit words of the bytes of four of eight classes, the first ones or the last.
func (l *spreadLoop) words(cells reg.VecVirtual, half int) reg.VecVirtual {
	v := l.XMM()
	l.VPSHUFB(at(l.patterns, l.bits, 1, 16*half), cells.AsX(), v)
	return v
}

// allWords makes 32-bit words of the bytes of eight classes.
func (l *spreadLoop) allWords(cells reg.VecVirtual) reg.VecVirtual {
	v := l.YMM()
	l.VPSHUFB(at(l.patterns, l.bits, 1, 0), cells, v)
	return v
}

// storeLargest stores the largest lane of two vectors, no -0.
func (a *assembler) storeLargest(v [2]reg.VecVirtual, dst Mem, zero reg.VecVirtual) {
	x, y := a.XMM(), a.XMM()
	a.VMAXPD(v[0], v[1], v[0])
	a.VEXTRACTF128(U8(1), v[0], x)
	a.VMAXPD(v[0].AsX(), x, x)
	a.VPERMILPD(U8(1), x, y)
	a.VMAXPD(y, x, x)
	a.VADDPD(zero, x, x)
	a.VMOVSD(x, dst)
}

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
