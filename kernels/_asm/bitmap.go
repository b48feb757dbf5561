package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const countBitmapSignature = "func(counts []uint32, bitmap []byte, bounds []uint32)"

// bitmap counts the bits below every bound in one pass over the bitmap: a count
// is the difference of two neighbours. A bound costs one masked popcount; ranges
// taken one by one would need two.
func bitmap(a *assembler) {
	a.countBitmapAVX512()
	a.countBitmapAVX2()
}

func (a *assembler) countBitmapAVX512() {
	a.function("countBitmapAVX512", countBitmapSignature, "countBitmapAVX512 works like countBitmapGeneric.")
	counts, bits, bounds := a.pointer("counts"), a.pointer("bitmap"), a.pointer("bounds")
	n := a.length("counts")

	laneEnds, ones, zero, sum := a.ZMM(), a.ZMM(), a.ZMM(), a.ZMM()
	a.VMOVDQU64(a.words64("laneEnds", 64, 128, 192, 256, 320, 384, 448, 512), laneEnds)
	a.VPTERNLOGD(U8(0xFF), ones, ones, ones)
	a.clear(zero)
	a.clear(sum)

	// block is the 64 bytes that hold a bound, and the number of its bits below
	// it. A bound of 65,536 falls to the last block, with all 512 bits below.
	block := func(bound reg.GPVirtual) (place reg.GPVirtual) {
		place = a.GP64()
		last := a.GP64()
		a.MOVL(bound.As32(), place.As32())
		a.SHRL(U8(9), place.As32())
		a.MOVL(place.As32(), last.As32())
		a.SHRL(U8(7), last.As32())
		a.SUBL(last.As32(), place.As32())
		a.SHLL(U8(6), place.As32())
		a.MOVL(place.As32(), last.As32())
		a.SHLL(U8(3), last.As32())
		a.SUBL(last.As32(), bound.As32())
		return place
	}
	// below is the number of bits below a bound: the whole blocks before its
	// block, summed up so far, and the masked block.
	below := func(place, bound reg.GPVirtual) reg.GPVirtual {
		shift := a.ZMM()
		a.VPBROADCASTQ(bound, shift)
		a.VPSUBQ(shift, laneEnds, shift)
		a.VPMAXSQ(zero, shift, shift)
		a.VPSRLVQ(shift, ones, shift) // a shift of 64 and above gives 0
		a.VPANDQ(at(bits, place, 1, 0), shift, shift)
		a.VPOPCNTQ(shift, shift)
		a.VPADDQ(sum, shift, shift)
		half := a.YMM()
		a.VEXTRACTI64X4(U8(1), shift, half)
		a.VPADDQ(half, shift.AsY(), half)
		quarter := a.XMM()
		a.VEXTRACTI128(U8(1), half, quarter)
		a.VPADDQ(half.AsX(), quarter, quarter)
		eighth := a.XMM()
		a.VPSHUFD(U8(0b1110), quarter, eighth)
		a.VPADDQ(eighth, quarter, quarter)
		r := a.GP32()
		a.VMOVD(quarter, r)
		return r
	}

	bound := a.GP64()
	a.MOVL(from(bounds, 0), bound.As32())
	done := block(bound)
	last := below(done, bound)

	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	a.Label("bound")
	a.MOVL(at(bounds, i, 4, 4), bound.As32())
	place := block(bound)
	a.CMPL(done.As32(), place.As32())
	a.JAE(LabelRef("partial"))
	a.Label("whole")
	v := a.ZMM()
	a.VPOPCNTQ(at(bits, done, 1, 0), v)
	a.VPADDQ(v, sum, sum)
	a.ADDL(U8(64), done.As32())
	a.CMPL(done.As32(), place.As32())
	a.JB(LabelRef("whole"))
	a.Label("partial")
	next := below(place, bound)
	a.SUBL(last, next)
	a.ADDL(next, at(counts, i, 4, 0))
	a.ADDL(next, last)
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("bound"))
	a.leave()
}

// countBitmapAVX2 uses no vectors: on Zen 4, POPCNT of four words a turn
// outruns the look-ups of nibbles in vectors.
func (a *assembler) countBitmapAVX2() {
	a.function("countBitmapAVX2", countBitmapSignature, "countBitmapAVX2 works like countBitmapGeneric.")
	counts, bits, bounds := a.pointer("counts"), a.pointer("bitmap"), a.pointer("bounds")
	n := a.length("counts")

	// word is the place of the 8 bytes that hold a bound; the bound becomes the
	// number of their bits below it.
	word := func(bound reg.GPVirtual) reg.GPVirtual {
		place, last := a.GP64(), a.GP64()
		a.MOVL(bound.As32(), place.As32())
		a.SHRL(U8(6), place.As32())
		a.MOVL(place.As32(), last.As32())
		a.SHRL(U8(10), last.As32())
		a.SUBL(last.As32(), place.As32())
		a.MOVL(place.As32(), last.As32())
		a.SHLL(U8(6), last.As32())
		a.SUBL(last.As32(), bound.As32())
		return place
	}
	sum := a.GP64()
	a.XORL(sum.As32(), sum.As32())
	below := func(place, bound reg.GPVirtual) reg.GPVirtual {
		r := a.GP64()
		a.BZHIQ(bound, at(bits, place, 8, 0), r) // 64 keeps every bit
		a.POPCNTQ(r, r)
		a.ADDQ(sum, r)
		return r
	}

	bound := a.GP64()
	a.MOVL(from(bounds, 0), bound.As32())
	done := word(bound)
	last := below(done, bound)

	i := a.GP64()
	a.XORL(i.As32(), i.As32())
	a.Label("bound")
	a.MOVL(at(bounds, i, 4, 4), bound.As32())
	place := word(bound)
	end := a.GP64()
	a.LEAQ(from(place, -3), end)
	a.CMPQ(done, end)
	a.JGE(LabelRef("words"))
	a.Label("four")
	v, w, x, y := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.POPCNTQ(at(bits, done, 8, 0), v)
	a.POPCNTQ(at(bits, done, 8, 8), w)
	a.ADDQ(w, v)
	a.POPCNTQ(at(bits, done, 8, 16), x)
	a.POPCNTQ(at(bits, done, 8, 24), y)
	a.ADDQ(y, x)
	a.ADDQ(x, v)
	a.ADDQ(v, sum)
	a.ADDQ(U8(4), done)
	a.CMPQ(done, end)
	a.JLT(LabelRef("four"))
	a.Label("words")
	a.CMPQ(done, place)
	a.JAE(LabelRef("partial"))
	a.Label("one")
	a.POPCNTQ(at(bits, done, 8, 0), v)
	a.ADDQ(v, sum)
	a.INCQ(done)
	a.CMPQ(done, place)
	a.JB(LabelRef("one"))
	a.Label("partial")
	next := below(place, bound)
	a.SUBL(last.As32(), next.As32())
	a.ADDL(next.As32(), at(counts, i, 4, 0))
	a.ADDL(next.As32(), last.As32())
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("bound"))
	a.RET()
}
