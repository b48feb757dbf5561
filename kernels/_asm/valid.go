package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// overlapping calls one for the places of vectors of n values, from the pointer on: four at a time,
// then one after the other, the last of which overlaps the one before. There must be a vector. It
// changes values and n.
func (a *assembler) overlapping(values reg.Register, n reg.GPVirtual, size int, one func(offset int)) {
	lanes, last := 32/size, a.GP64()
	vectors, rest, vector, done := a.label("vectors"), a.label("rest"), a.label("vector"), a.label("done")
	a.LEAQ(at(values, n, uint8(size), -32), last)
	a.SUBQ(U8(4*lanes), n)
	a.JB(LabelRef(rest))
	a.Label(vectors)
	for i := range 4 {
		one(32 * i)
	}
	a.ADDQ(I32(128), values)
	a.SUBQ(U8(4*lanes), n)
	a.JAE(LabelRef(vectors))
	a.Label(rest)
	a.ADDQ(U8(4*lanes), n)
	a.JZ(LabelRef(done))
	a.Label(vector)
	a.CMPQ(values, last)
	a.CMOVQHI(last, values)
	one(0)
	a.ADDQ(U8(32), values)
	a.SUBQ(U8(lanes), n)
	a.JA(LabelRef(vector))
	a.Label(done)
}

// ascending compares each value with the next one.
func ascending(a *assembler) {
	a.ascending("ascending64AVX2", "func(values []int64) bool", 8)
	a.ascending("ascending32AVX2", "func(values []int32) bool", 4)
}

func (a *assembler) ascending(name, signature string, size int) {
	a.function(name, signature, name+" works like its generic form. There must be one value more than a vector of 32 bytes has.")
	values, pairs := a.pointer("values"), a.length("values")
	above, next, all := a.YMM(), a.YMM(), a.YMM()
	a.VPCMPEQD(all, all, all)
	a.DECQ(pairs)
	a.overlapping(values, pairs, size, func(offset int) {
		a.VMOVDQU(from(values, offset+size), next)
		if size == 8 {
			a.VPCMPGTQ(from(values, offset), next, above)
		} else {
			a.VPCMPGTD(from(values, offset), next, above)
		}
		a.VPAND(above, all, all)
	})
	signs, ascending := a.GP32(), a.GP8()
	a.VPMOVMSKB(all, signs)
	a.CMPL(signs, I8(-1))
	a.SETEQ(ascending)
	a.returns(ascending)
}
