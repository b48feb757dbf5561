package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const checkCellsSignature = "func(sets, sums []uint64, classes, a, s []byte, start []int, last uint8) bool"

const (
	checkVector   = 32  // cells that are looked at together
	mostByteCells = 256 // kernels.MostByteCells
)

// checkCells looks at 32 cells at once: what follows them, where a term has fewer, is masked. The
// bits of classes are made four at a time, by shifts, which make nothing of classes from 64 on: all
// 32 of them, or the first eight where a term has no more, so that nothing depends on the number
// otherwise. Near the end of the columns, where a vector does not fit, it takes one cell after the
// other.
func checkCells(a *assembler) {
	const all = ^U64(0)
	masks := a.words("firstBytes", all, all, all, all, U64(0), U64(0), U64(0), U64(0))
	ones := a.words("one64", U64(1), U64(1), U64(1), U64(1))

	a.function("checkCellsAVX2", checkCellsSignature, "checkCellsAVX2 works like checkCellsGeneric.")
	k := &cellCheck{
		assembler: a, classes: a.pointer("classes"), docs: a.pointer("a"), more: a.pointer("s"),
		masks: masks, n: a.GP64(), place: a.GP64(), classBytes: a.AllocLocal(checkVector),
		ones: a.YMM(), last: a.YMM(), zero: a.YMM(), wrong: a.YMM(), sum: a.YMM(), set: a.YMM(),
	}
	i := a.GP64()
	a.VMOVDQU(ones, k.ones)
	a.VPBROADCASTB(a.param("last"), k.last)
	a.clear(k.zero)
	a.XORL(i.As32(), i.As32())
	a.XORL(k.place.As32(), k.place.As32())

	a.Label("term")
	left, start := a.GP64(), a.pointer("start")
	a.MOVQ(at(start, i, 8, 8), k.n)
	a.SUBQ(from(start, 0), k.n)
	a.SUBQ(k.place, k.n)
	a.MOVQ(a.lengthOf("classes"), left)
	a.SUBQ(k.place, left)
	a.CMPQ(k.n, left)
	a.JA(LabelRef("beyond"))
	a.CMPQ(k.n, U32(mostByteCells))
	a.JA(LabelRef("many"))
	for _, v := range []reg.VecVirtual{k.wrong, k.sum, k.set} {
		a.clear(v)
	}
	set, sum := a.GP64(), a.GP64()
	a.XORL(set.As32(), set.As32())
	a.XORL(sum.As32(), sum.As32())
	a.TESTQ(k.n, k.n)
	a.JZ(LabelRef("store"))

	a.Label("cells")
	a.CMPQ(left, U8(checkVector+1)) // a class more is loaded: that behind each
	a.JB(LabelRef("single"))
	k.vector()
	a.LEAQ(from(left, -checkVector), left)
	a.ADDQ(U8(checkVector), k.place)
	a.SUBQ(U8(checkVector), k.n)
	a.JA(LabelRef("cells"))
	a.ADDQ(k.n, k.place) // n is 0, or negative if the last vector was not full
	k.fold(sum, set)
	a.VPTEST(k.wrong, k.wrong)
	a.JNZ(LabelRef("wrong"))
	a.Label("store")
	a.MOVQ(sum, at(a.pointer("sums"), i, 8, 0))
	a.MOVQ(set, at(a.pointer("sets"), i, 8, 0))
	a.INCQ(i)
	a.CMPQ(i, a.lengthOf("sets"))
	a.JB(LabelRef("term"))
	a.returnTruth(true)
	a.Label("beyond")
	a.returnTruth(false)
	a.Label("many")
	a.ADDQ(k.n, k.place)
	a.Label("wrong")
	a.MOVQ(I32(-1), sum)
	a.JMP(LabelRef("store"))
	a.Label("single")
	k.singles(sum, set)
	a.JMP(LabelRef("store"))
}

// A cellCheck is the state of checkCells.
type cellCheck struct {
	*assembler
	classes, docs, more reg.Register // the columns
	masks               Mem
	n, place            reg.GPVirtual // the cells of the term that are left, and the first of them
	classBytes          Mem

	ones, last, zero reg.VecVirtual
	wrong, sum, set  reg.VecVirtual // of the term
}

// first sets the lowest n bytes of a vector, n from 0 on.
func (k *cellCheck) first(n reg.GPVirtual) reg.VecVirtual {
	masks, place, most, v := k.GP64(), k.GP64(), k.GP64(), k.YMM()
	k.LEAQ(k.masks, masks)
	k.MOVL(U32(checkVector), most.As32())
	k.MOVQ(most, place)
	k.CMPQ(n, most)
	k.CMOVQCS(n, most)
	k.SUBQ(most, place)
	k.VMOVDQU(at(masks, place, 1, 0), v)
	return v
}

// vector looks at the cells from place on, 32 of them at most.
func (k *cellCheck) vector() {
	classes, next, docs, more, t := k.YMM(), k.YMM(), k.YMM(), k.YMM(), k.YMM()
	k.VMOVDQU(at(k.classes, k.place, 1, 0), classes)
	k.VMOVDQU(at(k.classes, k.place, 1, 1), next)
	pairs := k.GP64()
	k.LEAQ(from(k.n, -1), pairs)
	k.VPMAXUB(next, classes, t)
	k.VPCMPEQB(classes, t, t) // it is not below the next
	k.VPAND(k.first(pairs), t, t)
	k.VPOR(t, k.wrong, k.wrong)

	mask := k.first(k.n)
	k.VPAND(at(k.docs, k.place, 1, 0), mask, docs)
	k.VPAND(at(k.more, k.place, 1, 0), mask, more)
	k.VPCMPEQB(docs, k.zero, t)
	k.VPAND(t, mask, t)
	k.VPOR(t, k.wrong, k.wrong)
	k.VPSUBUSB(k.last, classes, t)
	k.VPAND(t, mask, t)
	k.VPOR(t, k.wrong, k.wrong)
	k.VPSADBW(docs, k.zero, docs)
	k.VPSADBW(more, k.zero, more)
	k.VPSLLQ(U8(16), more, more)
	k.VPADDQ(docs, k.sum, k.sum)
	k.VPADDQ(more, k.sum, k.sum)
	k.bits(classes, mask)
}

// bits adds the bits of the classes that the mask leaves.
func (k *cellCheck) bits(classes, mask reg.VecVirtual) {
	none, few := k.YMM(), k.label("few")
	k.VPCMPEQB(none, none, none)
	k.VPXOR(mask, none, none)
	k.VPOR(classes, none, none) // 255 behind the last
	k.VMOVDQU(none, k.classBytes)
	four := func(offset int) {
		v, m := k.YMM(), k.classBytes
		m.Disp += offset
		k.VPMOVZXBQ(m, v)
		k.VPSLLVQ(v, k.ones, v)
		k.VPOR(v, k.set, k.set)
	}
	four(0)
	four(4)
	k.CMPQ(k.n, U8(8))
	k.JBE(LabelRef(few))
	for offset := 8; offset < checkVector; offset += 4 {
		four(offset)
	}
	k.Label(few)
}

// fold sets sum and set to those of all lanes.
func (k *cellCheck) fold(sum, set reg.GPVirtual) {
	for _, f := range []struct {
		v  reg.VecVirtual
		to reg.GPVirtual
	}{{k.sum, sum}, {k.set, set}} { // the bits of a class are in one lane, or the term is wrong
		high := k.XMM()
		k.VEXTRACTI128(U8(1), f.v, high)
		k.VPADDQ(high, f.v.AsX(), f.v.AsX())
		k.VPSRLDQ(U8(8), f.v.AsX(), high)
		k.VPADDQ(high, f.v.AsX(), f.v.AsX())
		k.VMOVQ(f.v.AsX(), f.to)
	}
}

// singles looks at the cells of the term that are left one by one, the first of which is at place.
// Those before are in the vectors.
func (k *cellCheck) singles(sum, set reg.GPVirtual) {
	next, wrong := k.GP64(), k.GP64()
	k.fold(sum, set)
	k.XORL(wrong.As32(), wrong.As32())
	k.VPTEST(k.wrong, k.wrong)
	k.SETNE(wrong.As8())
	k.NEGQ(wrong)
	k.XORL(next.As32(), next.As32())
	k.Label("cell")
	class, docs, t := k.GP64(), k.GP64(), k.GP64()
	k.MOVBLZX(at(k.classes, k.place, 1, 0), class.As32())
	k.MOVBLZX(at(k.docs, k.place, 1, 0), docs.As32())
	k.ADDQ(docs, sum)
	k.DECQ(docs)
	k.ORQ(docs, wrong)
	k.MOVQ(class, t)
	k.SUBQ(next, t)
	k.ORQ(t, wrong)
	k.MOVBLZX(k.param("last"), t.As32())
	k.SUBQ(class, t)
	k.ORQ(t, wrong)
	k.LEAQ(from(class, 1), next)
	k.MOVBLZX(at(k.more, k.place, 1, 0), docs.As32())
	k.SHLQ(U8(16), docs)
	k.ADDQ(docs, sum)
	above := k.label("above")
	k.CMPQ(class, U8(64))
	k.JAE(LabelRef(above))
	k.BTSQ(class, set) // no class of the vectors, or the term is wrong
	k.Label(above)
	k.INCQ(k.place)
	k.DECQ(k.n)
	k.JNZ(LabelRef("cell"))
	k.TESTQ(wrong, wrong)
	k.JS(LabelRef("wrong"))
}
