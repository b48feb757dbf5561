package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// classNumbers gives the number of digits and the byte marked besides.
func (a *assembler) classNumbers() (digits, other reg.Register) {
	class, zero, letter := a.GP32(), a.GP32(), a.GP32()
	digits, other = a.GP32(), a.GP32()
	a.MOVBLZX(NewParamAddr("class", 3*24), class) // behind three slices; avo does not look into a named type
	a.XORL(zero, zero)
	a.MOVL(U32('a'), letter)
	a.MOVL(U32(10), digits)
	a.MOVL(U32('_'), other)
	a.TESTL(class, class)
	a.CMOVLEQ(zero, digits)
	a.CMOVLEQ(letter, other)
	return digits, other
}

// constant gives a register with a number.
func (a *assembler) constant(n uint8) reg.Register {
	r := a.GP32()
	a.MOVL(U32(n), r)
	return r
}

// classify finds a range of bytes by one subtraction and one unsigned comparison,
// and letters of both cases at once: with bit 5 set, @ and [ do not become letters.
// AVX2 compares signed bytes: 0x80 is added to both sides. The mask is made of the
// top bits, which are set in marked bytes and in those beyond ASCII.
//
// One loop serves both classes: for Letters there are 0 digits instead of 10, and
// the byte marked besides is an a instead of the underscore.
func classify(a *assembler) {
	a.function("classifyBlocksAVX2", "func(src, lower []byte, masks []uint64, class Class) bool",
		"classifyBlocksAVX2 works like classifyGeneric on the whole blocks of src; it",
		"leaves the bytes behind them alone.")
	src, lower, masks, n := a.pointer("src"), a.pointer("lower"), a.pointer("masks"), a.length("src")
	spread := func(value reg.Register) reg.VecVirtual {
		v := a.YMM()
		a.VMOVD(value, v.AsX())
		a.VPBROADCASTB(v.AsX(), v)
		return v
	}
	digits, other := a.classNumbers()
	a.ADDL(U32(0x80), digits)
	tens, underscore := spread(digits), spread(other)
	bit5, fromA, letters, fromZero := spread(a.constant(0x20)), spread(a.constant(0x80-'a')), spread(a.constant(0x80+26)), spread(a.constant(0x80-'0'))
	seen := a.YMM()
	a.clear(seen)

	half := func(offset int) (mask reg.GPVirtual) {
		v, small, marked, t := a.YMM(), a.YMM(), a.YMM(), a.YMM()
		mask = a.GP64()
		a.VMOVDQU(from(src, offset), v)
		a.VPOR(v, seen, seen)
		a.VPOR(v, bit5, small)
		a.VPADDB(fromA, small, t)
		a.VPCMPGTB(t, letters, marked)
		a.VPBLENDVB(marked, small, v, small)
		a.VMOVDQU(small, from(lower, offset))
		a.VPADDB(fromZero, v, t)
		a.VPCMPGTB(t, tens, t)
		a.VPOR(t, marked, marked)
		a.VPCMPEQB(v, underscore, t)
		a.VPOR(t, marked, marked)
		a.VPOR(v, marked, marked)
		a.VPMOVMSKB(marked, mask.As32())
		return mask
	}
	a.SHRQ(U8(6), n)
	a.JZ(LabelRef("done"))
	a.Label("block")
	mask, high := half(0), half(32)
	a.SHLQ(U8(32), high)
	a.ORQ(high, mask)
	a.MOVQ(mask, from(masks, 0))
	a.ADDQ(U8(64), src)
	a.ADDQ(U8(64), lower)
	a.ADDQ(U8(8), masks)
	a.DECQ(n)
	a.JNZ(LabelRef("block"))
	a.Label("done")
	tops, result := a.GP32(), a.GP8()
	a.VPMOVMSKB(seen, tops)
	a.TESTL(tops, tops)
	a.SETNE(result)
	a.returns(result)
}
