package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// atLeast looks at 16 values at once, because in a search for the best almost never one of them
// passes; only where one does are places packed and stored.
func atLeast(a *assembler) {
	const greaterOrEqual = 29    // predicate of VCMPPD; false for NaN, quietly
	rows := make([]Constant, 16) // row m lists the bits set in m, a byte each
	for m := range rows {
		n, row := 0, U32(0)
		for bit := range 4 {
			if m>>bit&1 != 0 {
				row |= U32(bit) << (8 * n)
				n++
			}
		}
		rows[m] = row
	}
	table := a.words("bitsOfFour", rows...)

	a.function("atLeastAVX2", "func(dst []uint32, values []float64, threshold float64) int", "atLeastAVX2 works like atLeastGeneric.")
	dst, values, n := a.pointer("dst"), a.pointer("values"), a.length("values")
	threshold, tableAt := a.YMM(), a.GP64()
	a.VBROADCASTSD(a.param("threshold"), threshold)
	a.LEAQ(table, tableAt)
	found, i, mask, place := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.XORL(found.As32(), found.As32())
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(16), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	v := []reg.VecVirtual{a.YMM(), a.YMM(), a.YMM(), a.YMM()}
	for j, v := range v {
		a.VMOVUPD(at(values, i, 8, 32*j), v)
		a.VCMPPD(U8(greaterOrEqual), threshold, v, v)
	}
	some, more := a.YMM(), a.YMM()
	a.VORPD(v[0], v[1], some)
	a.VORPD(v[2], v[3], more)
	a.VORPD(some, more, some)
	a.VMOVMSKPD(some, mask.As32())
	a.TESTL(mask.As32(), mask.As32())
	a.JZ(LabelRef("next"))
	for j, v := range v {
		places, first := a.XMM(), a.XMM()
		a.VMOVMSKPD(v, mask.As32())
		a.VPMOVZXBD(at(tableAt, mask, 4, 0), places)
		a.LEAL(from(i, 4*j), place.As32())
		a.VMOVD(place.As32(), first)
		a.VPBROADCASTD(first, first)
		a.VPADDD(first, places, places)
		a.VMOVDQU(places, at(dst, found, 4, 0))
		a.POPCNTL(mask.As32(), mask.As32())
		a.ADDQ(mask, found)
	}
	a.Label("next")
	a.ADDQ(U8(16), i)
	a.SUBQ(U8(16), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(16), n)
	a.JZ(LabelRef("done"))
	a.ADDQ(i, n)
	a.Label("one")
	x := a.XMM()
	a.VMOVSD(at(values, i, 8, 0), x)
	a.VUCOMISD(threshold.AsX(), x)
	a.MOVL(i.As32(), at(dst, found, 4, 0)) // kept only if found moves on
	a.CMC()
	a.ADCQ(U8(0), found) // NaN carries like a smaller number
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("one"))
	a.Label("done")
	a.returns(found)
}
